//! Any number of slides (R48).
use crate::rules::{
    cell::Cell,
    hive::Hive,
    ring::{self, SLIDES},
};

pub(super) fn destinations(hive: &mut Hive, from: Cell, out: &mut Vec<Cell>) {
    let start = out.len();
    hive.forget_marks();
    hive.mark(from);
    let mut at = from;
    let mut next = start;
    loop {
        for side in ring::sides(SLIDES[hive.ring(at) as usize]) {
            let to = at.toward(side);
            if hive.mark(to) {
                out.push(to);
            }
        }
        let Some(&cell) = out.get(next) else { return };
        (at, next) = (cell, next + 1);
    }
}

/// A walk is as good backwards, so both ends are tried first: a cell that nothing can slide out of
/// cannot be slid into.
pub(super) fn reaches(hive: &mut Hive, from: Cell, to: Cell) -> bool {
    if hive.is_occupied(to) || from == to || SLIDES[hive.ring(to) as usize] == 0 {
        return false;
    }
    let mut frontier = hive.frontier();
    hive.forget_marks();
    hive.mark(from);
    frontier.push(from);
    let mut found = false;
    while let Some(at) = frontier.pop() {
        if at == to {
            found = true;
            break;
        }
        for side in ring::sides(SLIDES[hive.ring(at) as usize]) {
            let next = at.toward(side);
            if hive.mark(next) {
                frontier.push(next);
            }
        }
    }
    hive.keep_frontier(frontier);
    found
}
