//! Draws a piece within two cells, on top of others, onto itself.
use super::{Actor, Deed, Piece, Position};
use crate::rules::{Cell, options::FireflyTarget};

impl Position {
    pub(super) fn attract_deeds(&mut self, actor: Actor) -> Vec<Deed> {
        let takes_any = self.options().firefly_target == FireflyTarget::Any;
        let mut targets: Vec<Piece> = cells_within_two(actor.cell)
            .into_iter()
            .filter_map(|cell| self.hive.top(cell))
            .filter(|&target| self.can_be_carried(target) && !self.is_closed(actor.cell))
            .collect();
        targets.retain(|&target| {
            self.hive.level_of(target) > 0 || takes_any && self.holds_without(&[target])
        });
        targets.into_iter().map(Deed::Attract).collect()
    }
}

/// The eighteen cells at one or two steps, each once.
fn cells_within_two(center: Cell) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(18);
    for side in 0..6 {
        let near = center.toward(side);
        cells.extend([near, near.toward(side), near.toward((side + 1) % 6)]);
    }
    cells
}
