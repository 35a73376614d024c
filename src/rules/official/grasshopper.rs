//! A jump over an unbroken row, to the first empty cell behind it (R45, R46).
use super::Walker;
use crate::rules::{cell::Cell, cells::Cells, hive::Hive, ring};

/// The first empty cell on a side where at least one piece stands.
fn landing(hive: &Hive, from: Cell, side: usize) -> Cell {
    let mut at = from.toward(side);
    while hive.is_occupied(at) {
        at = at.toward(side);
    }
    at
}

pub(super) fn destinations(hive: &Hive, walker: Walker, out: &mut Cells) {
    let from = walker.from;
    for side in ring::sides(hive.ring(from)) {
        out.push(landing(hive, from, side));
    }
}

pub(super) fn reaches(hive: &Hive, walker: Walker, to: Cell) -> bool {
    ring::sides(hive.ring(walker.from)).any(|side| landing(hive, walker.from, side) == to)
}
