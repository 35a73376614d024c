//! Exactly three slides over different cells (R47).
use super::Walker;
use crate::rules::{
    cell::Cell,
    cells::Cells,
    hive::Hive,
    ring::{self, SLIDES},
};

/// Calls `found` with each end of a walk, more than once if there are several walks to it, until it
/// returns `true`. The spider stands lifted off `from`.
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

pub(super) fn destinations(hive: &mut Hive, walker: Walker, out: &mut Cells) {
    if SLIDES[hive.ring(walker.from) as usize] == 0 {
        return;
    }
    let start = out.len();
    hive.take(walker.piece, walker.from);
    walks(hive, walker.from, |to| {
        // Rarely more than four: a look through the list is cheaper than marks.
        out.push_if(to, !out.as_slice()[start..].contains(&to));
        false
    });
    hive.put(walker.piece, walker.from);
}

pub(super) fn reaches(hive: &mut Hive, walker: Walker, to: Cell) -> bool {
    hive.take(walker.piece, walker.from);
    let reaches = SLIDES[hive.ring(to) as usize] != 0 && walks(hive, walker.from, |end| end == to);
    hive.put(walker.piece, walker.from);
    reaches
}
