//! Legality in the eight official game types, written for speed.
//!
//! Each file of a kind is its walk once more, which a test holds to the text in the table of kinds.
mod ant;
mod beetle;
mod border;
mod generate;
mod grasshopper;
mod ladybug;
mod legality;
mod mosquito;
mod pillbug;
mod queen;
mod reason;
mod rest;
mod spider;

pub(super) use generate::Scratch;

use super::{Bug, Piece, bugs::Ability, cell::Cell, cells::Cells, hive::Hive};
use mosquito::copies;
use pillbug::{THROWERS, Thrower};

/// A piece that may walk, where it stands: the top of its stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    pub(super) piece: Piece,
    pub(super) from: Cell,
    /// How many pieces are under it.
    pub(super) level: u8,
}

/// Appends the cells that the walk of `bug` leads to, each once.
///
/// The fast form of [`walk`] for the official pieces, which a test holds to the table's text. Only
/// the spider and the ant have to be lifted for it: of the others no walk comes past its own place.
#[inline]
pub(super) fn destinations(hive: &mut Hive, bug: Bug, walker: Walker, out: &mut Cells) {
    match bug {
        Bug::Queen | Bug::Pillbug => queen::destinations(hive, walker, out),
        Bug::Spider => spider::destinations(hive, walker, out),
        Bug::Beetle => beetle::destinations(hive, walker, out),
        Bug::Grasshopper => grasshopper::destinations(hive, walker, out),
        Bug::Ant => ant::destinations(hive, walker, out),
        Bug::Ladybug => ladybug::destinations(hive, walker, out),
        // A mosquito has none of its own, and fan pieces are judged by other rules.
        _ => {}
    }
}

/// Whether the walk of `bug` leads to `to`, another cell than the walker's.
#[inline]
pub(super) fn reaches(hive: &mut Hive, bug: Bug, walker: Walker, to: Cell) -> bool {
    match bug {
        Bug::Queen | Bug::Pillbug => queen::reaches(hive, walker, to),
        Bug::Spider => spider::reaches(hive, walker, to),
        Bug::Beetle => beetle::reaches(hive, walker, to),
        Bug::Grasshopper => grasshopper::reaches(hive, walker, to),
        Bug::Ant => ant::reaches(hive, walker, to),
        Bug::Ladybug => ladybug::reaches(hive, walker, to),
        _ => false,
    }
}
