//! Flies onto the piece that the enemy used last; both are removed.
use super::{Actor, Agent, Bug, Deed, Piece, Position, Special};
use crate::rules::How;

impl Position {
    pub(super) fn hunt_deeds(&mut self, actor: Actor) -> Vec<Deed> {
        let was_used = matches!(self.last().how, How::Moved | How::Ability);
        if !was_used || self.is_held(actor.piece) || !self.holds_without(&[actor.piece]) {
            return Vec::new();
        }
        let mut targets = self.used_last(actor);
        targets.retain(|&target| {
            let is_meant = Some(target) == self.last().actor || target.color() != actor.color;
            is_meant && target != actor.piece && self.can_be_removed(target)
        });
        targets.retain(|&target| self.holds_after(actor, Deed::Capture(target)));
        targets.into_iter().map(Deed::Capture).collect()
    }

    /// Whether a piece lies open, and may be taken off the table.
    pub(super) fn can_be_removed(&self, piece: Piece) -> bool {
        self.is_open(piece)
            && !self.is_protected(piece)
            && (piece.bug() != Bug::Queen || self.are_queens_removed())
    }

    /// Whether the hive holds together after a deed.
    pub(super) fn holds_after(&mut self, actor: Actor, deed: Deed) -> bool {
        let before = self.changes_so_far();
        self.perform(Special { controller: None, actor: Agent::from(actor.piece), deed });
        let holds = self.hive.is_connected();
        self.take_back(before);
        holds
    }
}
