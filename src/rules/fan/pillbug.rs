//! Lifts a neighbour over itself to another side.
use super::{Actor, Bug, Deed, Piece, Position, ring};

impl Position {
    pub(super) fn throws_of(&mut self, actor: Actor) -> Vec<Deed> {
        let top = actor.level + 1;
        let fits = |position: &Position, side: usize| position.hive.fits(actor.cell, top, side);
        let mut deeds = Vec::new();
        for side in self.occupied_sides(actor.cell) {
            let cell = actor.cell.toward(side);
            let Some(thrown) = self.hive.top(cell) else { continue };
            let is_thrown =
                self.can_be_carried(thrown) && !matches!(thrown.bug(), Bug::Moth | Bug::Mite);
            if self.hive.height(cell) != 1 || !fits(self, side) || !is_thrown {
                continue;
            }
            // Seen with the piece still there: its own cell is none to set it down on.
            let empty = !self.hive.ring(actor.cell) & ring::FULL;
            let drops = self.while_lifted(&[thrown], |position| {
                ring::sides(empty).filter(|&side| fits(position, side)).collect::<Vec<_>>()
            });
            let drops = drops.unwrap_or_default().into_iter();
            deeds.extend(drops.map(|side| Deed::Throw(thrown, actor.cell.toward(side))));
        }
        deeds
    }

    /// Whether another piece may bring this one to another place.
    pub(super) fn can_be_carried(&self, piece: Piece) -> bool {
        !self.is_frozen(piece) && !self.is_protected(piece) && piece.bug() != Bug::StickInsect
    }
}
