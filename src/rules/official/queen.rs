//! One slide (R40); the pillbug walks so too (R55).
use super::Walker;
use crate::rules::{
    cell::Cell,
    cells::Cells,
    hive::Hive,
    ring::{self, SLIDES},
};

pub(super) fn destinations(hive: &Hive, walker: Walker, out: &mut Cells) {
    let from = walker.from;
    for side in ring::sides(SLIDES[hive.ring(from) as usize]) {
        out.push(from.toward(side));
    }
}

pub(super) fn reaches(hive: &Hive, walker: Walker, to: Cell) -> bool {
    let slides = SLIDES[hive.ring(walker.from) as usize];
    walker.from.side_of(to).is_some_and(|side| slides >> side & 1 == 1)
}
