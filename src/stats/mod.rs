//! Statistics of archives: what is measured in each game, sums of it, and groups of games.
//!
//! All sums are of whole numbers, so that they are the same in whatever order games are counted. What each metric means
//! is told in `docs/statistics.md`, which is generated from the table in `metric.rs`.
mod key;
mod measure;
mod metric;
mod partial;
mod sums;
mod wilson;

use crate::{game::Game, rules::Color};

pub use key::Key;
pub use measure::Measures;
pub use metric::{Kind, METRICS, Metric};
pub use partial::{Partial, PartialError};
pub use sums::{Groups, Sums};
pub use wilson::Score;

/// A game as it is counted: as a whole, or as one side sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'g> {
    /// The game.
    pub game: &'g Game,
    /// The name of its file.
    pub file: &'g str,
    /// What was measured in it.
    pub measures: &'g Measures,
    /// The side, if it is counted once for each.
    pub side: Option<Color>,
}
