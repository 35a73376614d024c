//! Turning pieces face down and up again: the king bee's sting and the scorpion's poison.
use super::{Actor, Bug, Deed, Mark, Piece, Position};
use crate::rules::options::PoisonTarget;

impl Position {
    /// Whom a king bee can sting: an enemy beside it that stands alone and was neither moved nor turned on the previous
    /// turn.
    pub(super) fn sting_deeds(&self, actor: Actor) -> Vec<Deed> {
        if actor.level > 0 {
            return Vec::new();
        }
        let targets = self.tops_around(&[actor.cell]).into_iter().filter(|&target| {
            self.is_enemy_of(actor, target)
                && self.can_be_turned_down(target)
                && self.stands_alone(target)
                && !self.was_touched(target)
        });
        targets.map(Deed::TurnDown).collect()
    }

    /// Whom a scorpion can poison, if it has not done so before: the top of a stack beside it.
    pub(super) fn poison_deeds(&self, actor: Actor) -> Vec<Deed> {
        if self.has_mark(Mark::PoisonSpent, actor.piece) {
            return Vec::new();
        }
        let takes_any = self.options().poison_target == PoisonTarget::Any;
        let targets = self.tops_around(&[actor.cell]).into_iter().filter(|&target| {
            (takes_any || self.is_enemy_of(actor, target)) && self.can_be_turned_down(target)
        });
        targets.map(Deed::TurnDown).collect()
    }

    fn can_be_turned_down(&self, target: Piece) -> bool {
        self.is_awake(target) && target.bug() != Bug::Beehive && !self.is_protected(target)
    }

    /// Whether a piece can be turned face up: it was not turned down on the previous turn, and no scorpion keeps it so.
    pub(super) fn can_turn_back(&self, piece: Piece) -> bool {
        !self.has_mark(Mark::Spent, piece)
            && self.is_open(piece)
            && !self.was_touched(piece)
            && !self.is_suppressed(piece)
    }
}

/// Targets.
impl Position {
    /// Whether a piece is on the other side than one that acts.
    pub(super) fn is_enemy_of(&self, actor: Actor, target: Piece) -> bool {
        self.side_shown(target) != actor.color
    }

    /// Whether a piece is the only one on its cells.
    pub(super) fn stands_alone(&self, piece: Piece) -> bool {
        self.cells_of(piece).into_iter().all(|cell| self.hive.height(cell) == 1)
    }

    /// Whether a piece was moved or turned on the previous turn.
    pub(super) fn was_touched(&self, piece: Piece) -> bool {
        self.is_frozen(piece) || self.last().faced.contains(piece)
    }
}
