//! Takes the place of an enemy beside it, which goes back to its owner's hand; the snail then lies face down for good.
use super::{Actor, Bug, Deed, Position};

impl Position {
    pub(super) fn replace_deeds(&mut self, actor: Actor) -> Vec<Deed> {
        if self.is_held(actor.piece) || !self.holds_without(&[actor.piece]) {
            return Vec::new();
        }
        let mut targets = self.tops_around(&[actor.cell]);
        targets.retain(|&target| {
            let stays = matches!(target.bug(), Bug::Queen | Bug::StickInsect | Bug::Beehive);
            self.is_enemy_of(actor, target) && !stays && !self.is_protected(target)
        });
        targets.retain(|&target| self.holds_after(actor, Deed::Replace(target)));
        targets.into_iter().map(Deed::Replace).collect()
    }
}
