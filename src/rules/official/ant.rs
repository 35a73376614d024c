//! Any number of slides (R48).
use super::Walker;
use crate::rules::{cell::Cell, cells::Cells, hive::Hive, ring::SLIDES};

pub(super) fn destinations(hive: &mut Hive, walker: Walker, out: &mut Cells) {
    if SLIDES[hive.ring(walker.from) as usize] == 0 {
        return;
    }
    hive.take(walker.piece, walker.from);
    hive.walk_around(walker.from, out);
    hive.put(walker.piece, walker.from);
}

/// A walk is as good backwards, so both ends are tried first: a cell that nothing can slide out of
/// cannot be slid into.
pub(super) fn reaches(hive: &mut Hive, walker: Walker, to: Cell) -> bool {
    if hive.is_occupied(to) || SLIDES[hive.ring(walker.from) as usize] == 0 {
        return false;
    }
    hive.take(walker.piece, walker.from);
    let reaches = SLIDES[hive.ring(to) as usize] != 0 && hive.walk_leads(walker.from, to);
    hive.put(walker.piece, walker.from);
    reaches
}
