//! What of a game is counted.
use crate::{
    course::{Course, Step},
    game::Game,
    hex::Hex,
    rules::{Bug, Color, Piece},
};
use std::ops::Range;

/// A game as it is counted: as a whole, or as one side sees it, or one piece, or some of its plies.
#[derive(Clone, Debug)]
pub struct View<'g> {
    /// The game.
    pub game: &'g Game,
    /// Its course, as far as the metrics and keys want it.
    pub course: &'g Course,
    /// The name of its file.
    pub file: &'g str,
    /// The notation of its file.
    pub notation: &'static str,
    /// The side, if it is counted once for each.
    pub side: Option<Color>,
    /// The piece, if it is counted once for each.
    pub tile: Option<Tile>,
    /// The plies from one number to another, counted from 0, if it is counted once for each such part.
    pub plies: Option<Range<usize>>,
    /// The plies after which a piece came to stand here, in a board that is turned with the second piece east.
    pub cell: Option<Hex>,
    /// The plies after which the queen of the side has so many neighbours.
    pub around: Option<u8>,
}

/// A piece of either side, or all of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The kind.
    pub bug: Bug,
    /// Which of them, by the order in which they are placed.
    pub number: Option<u8>,
}

impl<'g> View<'g> {
    /// A game as a whole.
    pub fn of(
        game: &'g Game,
        course: &'g Course,
        file: &'g str,
        notation: &'static str,
    ) -> View<'g> {
        View {
            game,
            course,
            file,
            notation,
            side: None,
            tile: None,
            plies: None,
            cell: None,
            around: None,
        }
    }

    /// Whether the game counts as a whole.
    pub(super) fn is_whole(&self) -> bool {
        let View { side, tile, plies, cell, around, .. } = self;
        side.is_none() && tile.is_none() && plies.is_none() && cell.is_none() && around.is_none()
    }

    /// The sides that are counted.
    pub(super) fn sides(&self) -> impl Iterator<Item = Color> + use<> {
        let only = self.side;
        Color::BOTH.into_iter().filter(move |&color| only.is_none_or(|side| side == color))
    }

    /// The sum of the values of the sides that are counted.
    pub(super) fn of_sides<T: Copy + Into<u64>>(&self, values: [T; 2]) -> u64 {
        self.sides().map(|side| values[side as usize].into()).sum()
    }

    /// The plies that are counted, of both sides.
    pub(super) fn steps(&self) -> impl Iterator<Item = &'g Step> + '_ {
        let all = 0..self.course.steps.len();
        let range = self.plies.clone().unwrap_or(all);
        let end = range.end.min(self.course.steps.len());
        let steps = &self.course.steps[range.start.min(end)..end];
        steps.iter().filter(|step| {
            let around =
                |queens: u8| self.sides().any(|side| step.around[side as usize] == Some(queens));
            self.cell.is_none_or(|cell| self.lands_on(step, cell)) && self.around.is_none_or(around)
        })
    }

    /// Those that the side took which is counted, or that were taken with the piece; by neighbours of a queen those of both
    /// sides.
    pub(super) fn own_steps(&self) -> impl Iterator<Item = &'g Step> + '_ {
        let is_of_side = |step: &Step| self.side.is_none_or(|side| side == step.side);
        let is_of_piece = |step: &Step| {
            let has = |actor| self.has(actor);
            self.tile.is_none() || self.cell.is_some() || step.turn.actor().is_some_and(has)
        };
        let is_of_both = self.around.is_some();
        self.steps().filter(move |step| is_of_both || is_of_side(step) && is_of_piece(step))
    }

    fn lands_on(&self, step: &Step, cell: Hex) -> bool {
        let is_counted = step.piece.is_some_and(|piece| self.has(piece));
        is_counted && step.to.is_some_and(|to| self.course.turned(to.hex) == cell)
    }

    /// Whether a piece is among those that are counted.
    pub(super) fn has(&self, piece: Piece) -> bool {
        let is_of_side = self.side.is_none_or(|side| side == piece.color());
        is_of_side
            && self.tile.is_none_or(|tile| {
                let number = || self.course.name(piece.whole()).number();
                tile.bug == piece.bug() && tile.number.is_none_or(|wanted| wanted == number())
            })
    }
}
