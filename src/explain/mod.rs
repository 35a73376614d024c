//! Why a turn is not legal, for people: what stands against it, where the piece could go, what was probably meant.
mod guess;
pub mod pages;
mod why;

use crate::{
    record::Record,
    replay::{Attempt, Replayer},
};

pub use guess::{Guess, Slip};
pub use why::{Why, why};

/// What can be said of a ply that is not legal, besides the rule that it breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Sentences about what stands against it, without full stops.
    pub notes: Vec<String>,
    /// The table before it, with what the notes speak of; empty where there is nothing to see.
    pub drawing: String,
    /// What was probably meant.
    pub guess: Option<Guess>,
}

impl Explanation {
    /// Explains the ply at which the last record of a replayer stopped.
    pub fn of(replayer: &mut Replayer, record: &Record, attempt: &Attempt) -> Explanation {
        let Why { notes, drawing } = why(replayer.position(), attempt);
        Explanation { notes, drawing, guess: Guess::of(replayer, record, attempt) }
    }
}
