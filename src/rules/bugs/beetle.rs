//! One step along the ground, up, over the top, or down (R41 to R44).
use crate::rules::{cell::Cell, hive::Hive, ring::SLIDES};

/// Whether a beetle that stands `level` pieces high at `from` can step to the side.
fn steps(hive: &Hive, from: Cell, level: u8, side: usize) -> bool {
    if level == 0 && !hive.is_occupied(from.toward(side)) {
        SLIDES[hive.ring(from) as usize] >> side & 1 == 1
    } else {
        hive.fits(from, level, side)
    }
}

pub(super) fn destinations(hive: &Hive, from: Cell, out: &mut Vec<Cell>) {
    let level = hive.height(from);
    out.extend((0..6).filter(|&side| steps(hive, from, level, side)).map(|side| from.toward(side)));
}

pub(super) fn reaches(hive: &Hive, from: Cell, to: Cell) -> bool {
    from.side_of(to).is_some_and(|side| steps(hive, from, hive.height(from), side))
}
