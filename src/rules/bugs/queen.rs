//! One slide (R40); the pillbug walks so too (R55).
use crate::rules::{
    cell::Cell,
    hive::Hive,
    ring::{self, SLIDES},
};

pub(super) fn destinations(hive: &Hive, from: Cell, out: &mut Vec<Cell>) {
    out.extend(ring::sides(SLIDES[hive.ring(from) as usize]).map(|side| from.toward(side)));
}

pub(super) fn reaches(hive: &Hive, from: Cell, to: Cell) -> bool {
    from.side_of(to).is_some_and(|side| SLIDES[hive.ring(from) as usize] >> side & 1 == 1)
}
