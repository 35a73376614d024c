//! Makes an enemy beside it, on its own level, take a turn as if its owner did.
use super::{Act, Actor, Bug, Deed, Piece, Position};

impl Position {
    /// What a piece can make others do.
    pub(super) fn controlled_acts(&mut self, actor: Actor, kind: Bug) -> Vec<Act> {
        let mut targets = self.tops_around(&[actor.cell]);
        targets.retain(|&target| self.can_be_controlled(actor, target));
        targets.sort_unstable();
        let mut acts = Vec::new();
        for target in targets {
            let of_target = self.acts_face_up(target, true);
            let by_tick = of_target.into_iter().filter(|act| act.deed != Deed::Flip);
            acts.extend(by_tick.map(|act| Act { controller: Some((actor.piece, kind)), ..act }));
        }
        acts
    }

    /// Whether a piece beside another one can be made to act by it.
    pub(super) fn can_be_controlled(&self, actor: Actor, target: Piece) -> bool {
        self.is_enemy_of(actor, target)
            && self.is_awake(target)
            && self.hive.level_of(target) == actor.level
            && target.bug() != Bug::Beehive
            && !self.is_frozen(target)
            && !self.is_protected(target)
    }
}
