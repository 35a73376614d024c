//! The rules of the official game: Base and any of Mosquito, Ladybug and Pillbug.
//!
//! Nothing here knows of texts, except the names of pieces and game types, or of files. Numbers such as
//! R31 in comments are those of the project's list of requirements, drawn from the printed rules; where
//! they contradict each other the practice of the game's programs decides.
pub mod bugs;
mod cell;
mod cells;
mod change;
mod game_type;
mod hand;
mod hive;
mod illegal;
mod key;
mod legal;
mod official;
mod outcome;
mod perft;
mod piece;
mod position;
mod repetition;
mod ring;
mod turn;

pub use bugs::Bug;
pub use cell::Cell;
pub use change::{Change, Level, Place};
pub use game_type::{GameType, ParseGameTypeError};
pub use hive::Hive;
pub use illegal::{IllegalTurn, Rule};
pub use key::{Key, RunningKey};
pub use outcome::Outcome;
pub use perft::{divide, perft};
pub use piece::{Color, ParsePieceError, Piece};
pub use position::{ComposeError, How, LastTurn, OpeningRule, Position};
pub use repetition::{RepetitionWatch, SamePosition, is_same, is_turned};
pub use turn::Turn;
