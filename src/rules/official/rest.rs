//! The piece that moved on the previous turn, and rests on this one: does that change anything? (R57, R61)
use crate::rules::{LastTurn, Piece, Position, Turn};
use std::collections::BTreeSet;

impl Position {
    /// The piece whose rest changes what is legal now, if there is one: without it a piece could go to a cell where
    /// now it cannot.
    pub(in crate::rules) fn resting_piece(&mut self) -> Option<Piece> {
        let piece = self.last().displaced.first()?;
        let matters = if piece.color() == self.to_move() {
            self.rest_of_own_matters(piece)
        } else {
            // Another side's piece can only be thrown.
            self.judge().is_none() && self.could_throw(piece)
        };
        matters.then_some(piece)
    }

    /// The same for a piece of the side to move, which the other side has thrown.
    fn rest_of_own_matters(&mut self, piece: Piece) -> bool {
        if self.judge().is_some() || !self.has_queen(self.to_move()) {
            return false;
        }
        if self.could_walk(piece) || self.could_throw(piece) {
            return true;
        }
        // Turns of others it can only take away by not throwing them.
        piece.bug().ability().is_some() && self.rest_takes_throws_away()
    }

    /// Whether the piece that rests would throw others to where they cannot go now.
    fn rest_takes_throws_away(&mut self) -> bool {
        // A draw by repetition is none of the position.
        let outcome = self.judge_anew();
        let cells = |turns: Vec<Turn>| turns.into_iter().map(Turn::goes).collect::<BTreeSet<_>>();
        let resting = cells(self.turns());
        let last = self.replace_last(LastTurn::default());
        let free = cells(self.turns());
        self.replace_last(last);
        self.restore_outcome(outcome);
        resting != free
    }
}
