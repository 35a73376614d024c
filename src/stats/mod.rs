//! Statistics of archives: what is measured in each game, sums of it, and groups of games.
//!
//! All sums are of whole numbers, so that they are the same in whatever order games are counted. What each metric means
//! is told in `docs/statistics.md`, which is generated from the table in `metric.rs`.
mod key;
mod metric;
mod partial;
mod rating;
mod sums;
mod view;
mod wilson;

pub use key::{Key, cell_of};
pub use metric::{Kind, METRICS, Metric};
pub use partial::{Extent, Partial, PartialError};
pub use rating::{Pairs, Ratings, Strength};
pub use sums::{Counted, Groups, Sums};
pub use view::{Tile, View};
pub use wilson::Score;
