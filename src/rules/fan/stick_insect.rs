//! Lies on two cells. It turns about one of them, or moves by its own length; no gap stops it.
use super::{Actor, Cell, Deed, Piece, Position};
use crate::rules::{change::Change, options::StickShift};

impl Position {
    pub(super) fn stick_deeds(&mut self, actor: Actor) -> Vec<Deed> {
        if self.is_held(actor.piece) {
            return Vec::new();
        }
        let mut pairs = self.shifted_pairs(actor.piece);
        pairs.extend(self.turned_pairs(actor.piece));
        pairs.into_iter().map(Deed::WalkLong).collect()
    }

    /// The pairs to which a stick insect moves as a whole.
    fn shifted_pairs(&mut self, piece: Piece) -> Vec<[Cell; 2]> {
        let old = self.cells_of(piece);
        let near = match self.options().stick_shift {
            StickShift::TouchOldPlace => old.clone(),
            StickShift::TouchOldNeighbour => {
                let around = cells_around(&old).into_iter();
                around.filter(|&cell| self.hive.is_occupied(cell)).collect()
            }
        };
        let pairs = self.while_lifted(&[piece], |position| {
            let mut reached = cells_around(&near);
            reached.retain(|&cell| !position.hive.is_occupied(cell));
            let mut pairs = position.empty_pairs(&reached);
            pairs.retain(|pair| {
                let is_new = pair.iter().all(|cell| !old.contains(cell));
                is_new && pair.iter().any(|&cell| position.hive.ring(cell) != 0)
            });
            pairs
        });
        pairs.unwrap_or_default()
    }

    /// The pairs to which it turns about one of its cells, which has to hold on to the hive meanwhile.
    fn turned_pairs(&mut self, piece: Piece) -> Vec<[Cell; 2]> {
        let mut pairs = Vec::new();
        let parts: Vec<Piece> = piece.parts().collect();
        for (moving, staying) in [(0, 1), (1, 0)] {
            let places = (self.hive.place_of(parts[moving]), self.hive.cell_of(parts[staying]));
            let (Some(old), Some(fixed)) = places else { continue };
            let before = self.changes_so_far();
            self.change(Change::Take(parts[moving], old));
            self.surface(old.cell);
            if self.hive.ring(fixed) != 0 && self.hive.is_connected() {
                let turned = self.empty_pairs(&[fixed]).into_iter();
                pairs.extend(turned.filter(|pair| !pair.contains(&old.cell)));
            }
            self.take_back(before);
        }
        pairs
    }
}

/// The cells around some others, which are left out.
fn cells_around(cells: &[Cell]) -> Vec<Cell> {
    let mut around: Vec<Cell> =
        cells.iter().flat_map(|&cell| (0..6).map(move |side| cell.toward(side))).collect();
    around.sort_unstable();
    around.dedup();
    around.retain(|cell| !cells.contains(cell));
    around
}
