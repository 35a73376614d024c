//! Up, once across the top, and down (R54).
//!
//! The ladybug stands in its place meanwhile: it is no stack that it could walk over, and being one piece
//! high it closes no gap.
use super::Walker;
use crate::rules::{
    cell::Cell,
    cells::Cells,
    hive::Hive,
    ring::{self, Ring},
};

/// The sides of a stack that a piece on it can go on to over the pieces.
fn across(hive: &Hive, at: Cell) -> Ring {
    hive.fitting(at, hive.height(at), hive.ring(at))
}

pub(super) fn destinations(hive: &mut Hive, walker: Walker, out: &mut Cells) {
    let from = walker.from;
    hive.forget_marks();
    for up in ring::sides(hive.fitting(from, 0, hive.ring(from))) {
        let up = from.toward(up);
        for top in ring::sides(across(hive, up)) {
            let top = up.toward(top);
            if top == from {
                continue;
            }
            let empty = !hive.ring(top) & ring::FULL;
            for down in ring::sides(hive.fitting(top, hive.height(top), empty)) {
                let down = top.toward(down);
                out.push_if(down, hive.mark(down));
            }
        }
    }
}

/// Looks from the end: few of its neighbours are also next but one to the start.
pub(super) fn reaches(hive: &Hive, walker: Walker, to: Cell) -> bool {
    let from = walker.from;
    if hive.is_occupied(to) {
        return false;
    }
    ring::sides(hive.ring(to)).any(|side| {
        let top = to.toward(side);
        top != from
            && hive.fits(top, hive.height(top), ring::opposite(side))
            && ring::sides(hive.ring(top)).any(|side| {
                let up = top.toward(side);
                from.side_of(up).is_some_and(|first| hive.fits(from, 0, first))
                    && hive.fits(up, hive.height(up), ring::opposite(side))
            })
    })
}
