//! What is left of a game when it is compared with others: its way through the positions.
use crate::{
    game::Game,
    hex::Hex,
    position::Same,
    rules::{Cell, Piece, Position},
};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The way of a game, as a number for each ply that stands for all plies up to there.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// For the start and each ply.
    ways: Vec<u64>,
    /// A number for the last position.
    last: u64,
}

/// A number for a value, for as long as the program runs.
pub(super) fn number(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The turns of a game with equal pieces numbered as they are placed, in one of the images of the board.
pub(super) fn turns(game: &Game, image: usize) -> Vec<Option<(Piece, Hex)>> {
    let numbering = game.numbering();
    let name = |(piece, cell): (Piece, Cell)| (numbering.name(piece), cell.hex().image(image));
    game.turns().iter().map(|turn| turn.goes().map(name)).collect()
}

impl Trace {
    /// The way of a game, with its position after the last turn, through positions that are told apart so.
    pub(super) fn of(game: &Game, position: &mut Position, same: Same) -> Trace {
        let (mut ways, mut last): (Vec<u64>, u64) = (Vec::new(), 0);
        game.each_key(position, |position, key| {
            last = number(same.identity(key, position));
            ways.push(match ways.last() {
                None => last,
                Some(before) => number((before, last)),
            });
            true
        });
        Trace { ways, last }
    }

    /// How many plies it has.
    pub(super) fn plies(&self) -> usize {
        self.ways.len() - 1
    }

    /// The number of the whole way.
    pub(super) fn whole(&self) -> u64 {
        self.ways[self.plies()]
    }

    /// The number of the way up to a ply; of a shorter one no other way has it.
    pub(super) fn up_to(&self, plies: usize) -> u64 {
        match self.ways.get(plies) {
            Some(&way) => way,
            None => number((self.whole(), "shorter")),
        }
    }

    /// The numbers of all that the way begins with, the longest first.
    pub(super) fn beginnings(&self) -> impl Iterator<Item = u64> + '_ {
        self.ways.iter().rev().skip(1).copied()
    }

    /// A number of the last position.
    pub(super) fn last(&self) -> u64 {
        self.last
    }
}
