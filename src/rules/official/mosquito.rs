//! Moves as one of its neighbours does (R49 to R53).
use super::{Ability, Bug};
use crate::rules::{cell::Cell, hive::Hive, ring};

/// The kinds whose walk a mosquito may use, each once, as bits by kind.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Copies(u32);

impl Iterator for Copies {
    type Item = Bug;

    fn next(&mut self) -> Option<Bug> {
        let bug = Bug::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(*bug)
    }
}

impl Copies {
    /// Whether one of the kinds throws.
    pub(super) fn can_throw(mut self) -> bool {
        self.any(|bug| bug.ability() == Some(Ability::Throw))
    }
}

/// What a mosquito at `from` may copy: on the hive it is a beetle (R53), on the ground the top of each
/// neighbouring stack (R50), but no other mosquito (R51). The mosquito may be lifted or not:
/// `level` is the number of pieces under it.
pub(super) fn copies(hive: &Hive, from: Cell, level: u8) -> Copies {
    if level > 0 {
        return Copies(1 << Bug::Beetle as u8);
    }
    let kinds = ring::sides(hive.ring(from))
        .filter_map(|side| hive.top(from.toward(side)))
        .fold(0, |kinds, neighbour| kinds | 1 << neighbour.bug() as u8);
    Copies(kinds & !(1 << Bug::Mosquito as u8))
}
