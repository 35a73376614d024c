//! Exactly three slides over different cells (R47).
use crate::rules::{
    cell::Cell,
    hive::Hive,
    ring::{self, SLIDES},
};

/// Calls `found` with each end of a walk, more than once if there are several walks to it, until it
/// returns `true`.
fn walks(hive: &Hive, from: Cell, mut found: impl FnMut(Cell) -> bool) -> bool {
    let slides = |cell: Cell| {
        ring::sides(SLIDES[hive.ring(cell) as usize]).map(move |side| cell.toward(side))
    };
    for first in slides(from) {
        for second in slides(first).filter(|&second| second != from) {
            for third in slides(second).filter(|&third| third != from && third != first) {
                if found(third) {
                    return true;
                }
            }
        }
    }
    false
}

pub(super) fn destinations(hive: &Hive, from: Cell, out: &mut Vec<Cell>) {
    let start = out.len();
    walks(hive, from, |to| {
        // Rarely more than four: a look through the list is cheaper than marks.
        if !out[start..].contains(&to) {
            out.push(to);
        }
        false
    });
}

pub(super) fn reaches(hive: &Hive, from: Cell, to: Cell) -> bool {
    SLIDES[hive.ring(to) as usize] != 0 && walks(hive, from, |end| end == to)
}
