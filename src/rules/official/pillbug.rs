//! Lifts a neighbour over itself to another side (R56 to R60).
use crate::rules::{
    Bug, Piece,
    bugs::Ability,
    cell::Cell,
    hive::Hive,
    ring::{self, Ring},
};

/// The slots of the pieces that can throw, or copy a piece that can.
pub(super) const THROWERS: u128 = {
    let mut slots = 0;
    let mut at = 0;
    while at < Bug::COUNT {
        if matches!(Bug::ALL[at].ability(), Some(Ability::Throw | Ability::Copy)) {
            slots |= 0b1111 << (Bug::ALL[at] as u32 * 4);
        }
        at += 1;
    }
    slots
};

/// A piece that throws, where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thrower {
    /// The pillbug, or the mosquito that copies one.
    pub(super) actor: Piece,
    /// Its cell.
    pub(super) cell: Cell,
}

impl Thrower {
    /// The sides from which a piece could be lifted: it stands alone (R58), and the gap between the
    /// neighbours is not closed one level up (R60).
    pub(super) fn lifts(self, hive: &Hive) -> Ring {
        ring::sides(hive.ring(self.cell))
            .filter(|&side| hive.height(self.cell.toward(side)) == 1 && self.has_gap(hive, side))
            .fold(0, |sides, side| sides | 1 << side)
    }

    /// The sides where a piece could be set down.
    pub(super) fn drops(self, hive: &Hive) -> Ring {
        ring::sides(!hive.ring(self.cell) & ring::FULL)
            .filter(|&side| self.has_gap(hive, side))
            .fold(0, |sides, side| sides | 1 << side)
    }

    /// Whether a piece fits between this piece and the cell at its side. The one that is thrown
    /// stands one high at most, so it makes no difference here whether it is lifted yet.
    fn has_gap(self, hive: &Hive, side: usize) -> bool {
        hive.fits(self.cell, 1, side)
    }
}
