//! One step along the ground, up, over the top, or down (R41 to R44).
use super::Walker;
use crate::rules::{cell::Cell, cells::Cells, hive::Hive, ring::SLIDES};

/// Whether a beetle can step to the side.
fn steps(hive: &Hive, Walker { from, level, .. }: Walker, side: usize) -> bool {
    if level == 0 && !hive.is_occupied(from.toward(side)) {
        SLIDES[hive.ring(from) as usize] >> side & 1 == 1
    } else {
        hive.fits(from, level, side)
    }
}

pub(super) fn destinations(hive: &Hive, walker: Walker, out: &mut Cells) {
    for side in 0..6 {
        out.push_if(walker.from.toward(side), steps(hive, walker, side));
    }
}

pub(super) fn reaches(hive: &Hive, walker: Walker, to: Cell) -> bool {
    walker.from.side_of(to).is_some_and(|side| steps(hive, walker, side))
}
