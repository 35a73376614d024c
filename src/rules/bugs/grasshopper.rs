//! A jump over an unbroken row, to the first empty cell behind it (R45, R46).
use crate::rules::{cell::Cell, hive::Hive, ring};

/// The first empty cell on a side where at least one piece stands.
fn landing(hive: &Hive, from: Cell, side: usize) -> Cell {
    let mut at = from.toward(side);
    while hive.is_occupied(at) {
        at = at.toward(side);
    }
    at
}

pub(super) fn destinations(hive: &Hive, from: Cell, out: &mut Vec<Cell>) {
    out.extend(ring::sides(hive.ring(from)).map(|side| landing(hive, from, side)));
}

pub(super) fn reaches(hive: &Hive, from: Cell, to: Cell) -> bool {
    ring::sides(hive.ring(from)).any(|side| landing(hive, from, side) == to)
}
