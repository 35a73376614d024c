//! The rules of the game: Base with any of Mosquito, Ladybug and Pillbug, and with the pieces that players made.
//!
//! Official game types are judged by `official`, which is written for speed; all others by `fan`, which knows every
//! kind there is.
//!
//! Nothing here knows of texts, except the names of pieces and game types, or of files. Numbers such as
//! R31 in comments are those of the project's list of requirements, drawn from the printed rules; where
//! they contradict each other the practice of the game's programs decides.
pub mod bugs;
mod cell;
mod cells;
mod change;
mod compose;
mod fan;
mod few;
mod game_type;
mod hand;
mod hive;
mod illegal;
mod key;
mod legal;
mod marks;
mod obstacle;
mod official;
mod options;
mod outcome;
mod perft;
mod piece;
mod position;
mod repetition;
mod ring;
mod stone;
mod turn;

pub use bugs::Bug;
pub use cell::Cell;
pub use change::{Change, Level, Place};
pub use compose::{ComposeError, Layout};
pub use few::Few;
pub use game_type::{GameType, ParseGameTypeError};
pub use hive::Hive;
pub use illegal::{IllegalTurn, Rule};
pub use key::{Key, KeyPart, RunningKey};
pub use marks::Mark;
pub use obstacle::Obstacle;
pub use options::{Choice, ChoiceError, OpeningRule, Options};
pub use outcome::Outcome;
pub use perft::{divide, perft};
pub use piece::{Color, ParsePieceError, Piece};
pub use position::{How, LastTurn, Position};
pub use repetition::{RepetitionWatch, SamePosition, is_same, is_turned};
pub use stone::{Sign, Signs, Stone};
pub use turn::{Agent, Deed, Special, Turn};
