use super::SetupError;
use crate::{
    finding::{self, Finding},
    rules::{Color, Piece},
};
use std::{error, fmt, ops::Range};

/// A text that shows no position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// Something else was expected.
    Syntax {
        /// The byte of the text where it was.
        offset: usize,
        /// A noun phrase.
        expected: String,
    },
    /// A stack is drawn that no line lists, or the other way round.
    Stack(Piece),
    /// The piece stands between two cells.
    OffGrid(Piece),
    /// The hand of this side is not what is missing on the table.
    Hand(Color),
    /// The text tells another end of the game than the table.
    State,
    /// There are more pieces of the kind of this one than have a number.
    TooMany(Piece),
    /// The side to move is said to have taken the previous turn.
    Player,
    /// Both pieces are said to have moved last.
    BothMoved(Piece, Piece),
    /// It shows no position.
    Impossible(SetupError),
}

impl ReadError {
    /// What was expected at a byte of the text.
    pub(super) fn at(offset: usize, expected: impl Into<String>) -> ReadError {
        ReadError::Syntax { offset, expected: expected.into() }
    }

    /// The same as a finding about a source, where the text stands at this span.
    pub fn finding(&self, span: Range<usize>) -> Finding {
        match self {
            ReadError::Syntax { offset, .. } => {
                Finding::new(&finding::SYNTAX, span.start + offset..span.end, self.to_string())
            }
            _ => Finding::new(&finding::IMPOSSIBLE_POSITION, span, self.to_string()),
        }
    }
}

impl From<SetupError> for ReadError {
    fn from(error: SetupError) -> ReadError {
        ReadError::Impossible(error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Syntax { expected, .. } => write!(f, "expected {expected}"),
            ReadError::Stack(piece) => {
                write!(f, "the stack under `{piece}` is not as the drawing shows it")
            }
            ReadError::OffGrid(piece) => write!(
                f,
                "`{piece}` stands between two cells: each row is half a cell further right or left than the one above"
            ),
            ReadError::Hand(color) => {
                write!(f, "{color}'s hand is not what is missing on the table")
            }
            ReadError::State => {
                f.write_str("the text tells another end of the game than the table")
            }
            ReadError::TooMany(piece) => {
                write!(f, "there are more than {} pieces like `{piece}`", Piece::MAX_NUMBER)
            }
            ReadError::Player => {
                f.write_str("the previous turn was taken by the side that is not to move")
            }
            ReadError::BothMoved(one, other) => {
                write!(f, "`{one}` and `{other}` cannot both have moved last")
            }
            ReadError::Impossible(error) => error.fmt(f),
        }
    }
}

impl error::Error for ReadError {}
