//! Pushes an enemy straight away from itself, and may follow it.
use super::{Actor, Bug, Cell, Deed, Piece, Position};
use crate::rules::options::DungBeetleTarget;

impl Position {
    pub(super) fn push_deeds(&mut self, actor: Actor) -> Vec<Deed> {
        if actor.level > 0 {
            return Vec::new();
        }
        let mut deeds = Vec::new();
        for side in self.occupied_sides(actor.cell) {
            let near = actor.cell.toward(side);
            let Some(target) = self.hive.top(near) else { continue };
            if self.can_push(actor, target, near, near.toward(side)) {
                deeds.extend(self.pushes(actor, target, near));
            }
        }
        deeds
    }

    /// Whether the top of a cell can be pushed to the next one.
    fn can_push(&self, actor: Actor, target: Piece, near: Cell, next: Cell) -> bool {
        let level = self.hive.height(near) - 1;
        let is_reached = level == 0 || self.options().dungbeetle_target == DungBeetleTarget::Top;
        // Alone on the ground it slides: it does not climb.
        let has_room = level > 0 || !self.hive.is_occupied(next);
        is_reached
            && has_room
            && self.is_enemy_of(actor, target)
            && self.can_be_carried(target)
            && target.bug() != Bug::Mite
            && self.step_fits(near, level, next)
            && !self.is_closed(next)
    }

    fn pushes(&mut self, actor: Actor, target: Piece, near: Cell) -> Vec<Deed> {
        let mut deeds = Vec::new();
        let push = Deed::Push(target);
        if self.holds_without(&[target]) && self.holds_after(actor, push) {
            deeds.push(push);
        }
        let roll = Deed::Roll(target);
        let can_roll = self.hive.height(near) == 1
            && !self.is_held(actor.piece)
            && self.holds_without(&[actor.piece])
            && self.holds_after(actor, roll);
        if can_roll {
            deeds.push(roll);
        }
        deeds
    }

    /// The cell to which a dung beetle pushes a piece.
    pub(super) fn pushed_to(&self, actor: Piece, target: Piece) -> Option<Cell> {
        let (from, near) = (self.hive.cell_of(actor)?, self.hive.cell_of(target)?);
        Some(near.toward(from.side_of(near)?))
    }
}
