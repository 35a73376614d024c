//! Flies onto an enemy beside it that stands alone; both are removed.
use super::{Actor, Deed, Piece, Position};

impl Position {
    pub(super) fn assassin_deeds(&mut self, actor: Actor) -> Vec<Deed> {
        if actor.level > 0 || self.is_held(actor.piece) || !self.holds_without(&[actor.piece]) {
            return Vec::new();
        }
        let mut targets = self.tops_around(&[actor.cell]);
        targets.retain(|&target| {
            self.is_enemy_of(actor, target)
                && self.stands_alone(target)
                && !self.was_touched(target)
                && self.can_be_removed(target)
                && self.can_step_onto(actor, target)
        });
        targets.retain(|&target| self.holds_after(actor, Deed::Capture(target)));
        targets.into_iter().map(Deed::Capture).collect()
    }

    /// Whether a step up onto one of a piece's cells fits through the gap.
    fn can_step_onto(&self, actor: Actor, target: Piece) -> bool {
        let mut cells = self.cells_of(target).into_iter();
        cells.any(|cell| self.step_fits(actor.cell, 0, cell))
    }
}
