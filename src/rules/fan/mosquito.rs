//! What a piece acts as: a mosquito copies its neighbours, on top of others only moths and butterflies.
use super::{Actor, Bug, Mark, Piece, Position};
use crate::rules::bugs::{Ability, Copied};

impl Position {
    /// The kinds as which a piece acts, official ones first.
    pub(super) fn kinds_of(&self, actor: Actor) -> Vec<Bug> {
        let own = self.shown(actor.piece);
        if own.ability() != Some(Ability::Copy) {
            return vec![own];
        }
        let tops = self.tops_around(&[actor.cell]);
        let copied = |&kind: &Bug| tops.iter().any(|&top| self.is_copied(actor, top, kind));
        let mut kinds: Vec<Bug> = Bug::ALL.iter().copied().filter(copied).collect();
        if actor.level > 0 {
            kinds.insert(0, Bug::Beetle);
        }
        kinds
    }

    /// Whether a mosquito can copy this kind from a piece beside it.
    fn is_copied(&self, mosquito: Actor, top: Piece, kind: Bug) -> bool {
        if self.shown(top) != kind || self.is_face_down(top) {
            return false;
        }
        match kind.copied() {
            Copied::Wholly => mosquito.level == 0,
            // A butterfly on the ground has no walk to be copied.
            Copied::OnTop => {
                mosquito.level > 0 && (kind != Bug::Butterfly || self.hive.level_of(top) > 0)
            }
            Copied::Never => false,
        }
    }

    /// Whether a piece has to rest before it takes a snail's step.
    pub(super) fn is_cooling(&self, piece: Piece) -> bool {
        self.has_mark(Mark::Cooling, piece)
    }
}
