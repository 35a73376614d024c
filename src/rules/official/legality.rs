//! The first of two definitions of legality: whether one turn is allowed, without generating the others.
use super::{THROWERS, Thrower, Walker, copies, reaches};
use crate::rules::{Cell, Color, Piece, Position, Turn, bugs::Ability, ring};

impl Position {
    /// Whether the rules allow a turn but a pass.
    pub(in crate::rules) fn allows_official(&mut self, turn: Turn) -> bool {
        match turn {
            Turn::Pass | Turn::Special(_) => false,
            Turn::Place { piece, to } => self.can_act(piece) && self.can_place(piece, to),
            Turn::Walk { piece, to } => self.can_act(piece) && self.can_walk(piece, to),
            Turn::Throw { actor, piece, to } => {
                self.may_move(piece, to) && self.thrower(piece, to, Some(actor)).is_some()
            }
        }
    }

    /// The turn that puts `piece` at `to`; `None` where no legal turn does so.
    pub(in crate::rules) fn find_official(&mut self, piece: Piece, to: Cell) -> Option<Turn> {
        if self.hive.cell_of(piece).is_none() {
            let turn = Turn::Place { piece, to };
            return self.allows_official(turn).then_some(turn);
        }
        if self.can_act(piece) && self.can_walk(piece, to) {
            return Some(Turn::Walk { piece, to });
        }
        if !self.may_move(piece, to) {
            return None;
        }
        self.thrower(piece, to, None).map(|actor| Turn::Throw { actor, piece, to })
    }

    /// Whether the side to move could act with `piece`, as far as the piece's owner is concerned.
    fn can_act(&self, piece: Piece) -> bool {
        self.outcome().is_none() && piece.color() == self.to_move()
    }

    /// Whether `piece`, which is in hand, may be placed at `to`.
    fn can_place(&self, piece: Piece, to: Cell) -> bool {
        self.game_type().has(piece)
            && self.hive.cell_of(piece).is_none()
            && self.queen_rules_allow(piece.bug())
            && !self.hive.is_occupied(to)
            && self.is_free_for(piece.color(), to)
    }

    /// Whether a piece of this colour may be placed on the empty cell `to` (R10, R14, R15).
    pub(super) fn is_free_for(&self, color: Color, to: Cell) -> bool {
        let (friends, enemies) =
            (self.hive.ring_of(to, color), self.hive.ring_of(to, color.other()));
        if self.hive.count(color) > 0 {
            friends != 0 && enemies == 0
        } else if self.hive.count(color.other()) > 0 {
            enemies != 0
        } else {
            to == Cell::ORIGIN
        }
    }

    /// Whether `piece` may be moved to `to` by anything: what holds for walks and throws alike.
    fn may_move(&self, piece: Piece, to: Cell) -> bool {
        self.outcome().is_none()
            && self.has_queen(self.to_move())
            && self.hive.is_top(piece)
            && !self.is_frozen(piece)
            && self.hive.cell_of(piece) != Some(to)
    }

    /// Whether `piece` may walk to `to`.
    fn can_walk(&mut self, piece: Piece, to: Cell) -> bool {
        let Some(from) = self.hive.cell_of(piece) else { return false };
        self.may_move(piece, to)
            && self.walk_reaches(piece, from, to)
            && (self.hive.height(from) > 1 || !self.hive.is_only_link(from))
    }

    /// Whether the walk of `piece` leads to `to`, if nothing else forbids it.
    fn walk_reaches(&mut self, piece: Piece, from: Cell, to: Cell) -> bool {
        let walker = Walker { piece, from, level: self.hive.height(from) - 1 };
        if piece.bug().ability() == Some(Ability::Copy) {
            copies(&self.hive, from, walker.level)
                .any(|bug| reaches(&mut self.hive, bug, walker, to))
        } else {
            reaches(&mut self.hive, piece.bug(), walker, to)
        }
    }

    /// Whether `piece` could throw now: it may act, and is a pillbug or copies one. A frozen piece
    /// does not throw, but a mosquito may copy a frozen pillbug (R61, R62).
    pub(super) fn throws(&self, piece: Piece) -> bool {
        piece.color() == self.to_move() && self.is_able_to_throw(piece) && !self.is_frozen(piece)
    }

    /// Whether `piece` has the ability to throw where it stands, rested or not.
    pub(super) fn is_able_to_throw(&self, piece: Piece) -> bool {
        let Some(cell) = self.hive.cell_of(piece) else { return false };
        self.hive.top(cell) == Some(piece)
            && match piece.bug().ability() {
                Some(Ability::Throw) => true,
                Some(Ability::Copy) => {
                    copies(&self.hive, cell, self.hive.height(cell) - 1).can_throw()
                }
                _ => false,
            }
    }

    /// Whether the side to move could throw `piece` anywhere, if it did not rest.
    pub(super) fn could_throw(&mut self, piece: Piece) -> bool {
        let Some(from) = self.hive.cell_of(piece) else { return false };
        let color = self.to_move();
        let can_lift = |actor: Piece| {
            self.hive.cell_of(actor).is_some_and(|cell| {
                let thrower = Thrower { actor, cell };
                cell.side_of(from).is_some_and(|side| {
                    self.throws(actor)
                        && thrower.lifts(&self.hive) >> side & 1 == 1
                        && thrower.drops(&self.hive) != 0
                })
            })
        };
        self.hive.pieces_among(THROWERS, color).any(can_lift)
            && self.has_queen(color)
            && self.hive.is_top(piece)
            && self.hive.height(from) == 1
            && !self.hive.is_only_link(from)
    }

    /// A piece that can throw `piece` to `to`, where both are known to be free to move; `only` asks
    /// for one actor.
    fn thrower(&mut self, piece: Piece, to: Cell, only: Option<Piece>) -> Option<Piece> {
        let from = self.hive.cell_of(piece)?;
        if self.hive.height(from) != 1 || self.hive.is_occupied(to) {
            return None;
        }
        let color = self.to_move();
        let actor = ring::sides(self.hive.ring_of(from, color)).find_map(|side| {
            let cell = from.toward(side);
            let actor = self.hive.top(cell)?;
            let set_down = cell.side_of(to)?;
            let thrower = Thrower { actor, cell };
            (only.is_none_or(|only| only == actor)
                && self.throws(actor)
                && thrower.lifts(&self.hive) >> ring::opposite(side) & 1 == 1
                && thrower.drops(&self.hive) >> set_down & 1 == 1)
                .then_some(actor)
        })?;
        (!self.hive.is_only_link(from)).then_some(actor)
    }
}
