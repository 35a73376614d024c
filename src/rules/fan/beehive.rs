//! Shows either colour, and brings the queen of that colour to its side.
use super::{Bug, Deed, Piece, Position, ring};
use crate::rules::options::BeehiveTarget;

impl Position {
    /// What the side to move can do with a beehive, whosever it is.
    pub(super) fn beehive_deeds(&mut self, nest: Piece) -> Vec<Deed> {
        if !self.is_open(nest) || self.is_frozen(nest) || self.is_paralysed(nest) {
            return Vec::new();
        }
        let mut deeds = Vec::new();
        if !self.last().faced.contains(nest) {
            deeds.push(Deed::Flip);
        }
        if self.side_shown(nest) == self.to_move() {
            deeds.extend(self.teleports(nest));
        }
        deeds
    }

    fn teleports(&mut self, nest: Piece) -> Vec<Deed> {
        let color = self.to_move();
        let queen = Piece::new(color, Bug::Queen, 1);
        let Some(cell) = self.hive.cell_of(nest) else { return Vec::new() };
        if !self.is_open(queen) || self.is_frozen(queen) {
            return Vec::new();
        }
        let asks_friends = self.options().beehive_target == BeehiveTarget::Placement;
        let empty = !self.hive.ring(cell) & ring::FULL;
        let cells = ring::sides(empty).map(|side| cell.toward(side));
        let cells = self.while_lifted(&[queen], |position| {
            let is_free = |&to: &_| !asks_friends || position.is_free_to_place(&[to], color);
            cells.filter(is_free).collect::<Vec<_>>()
        });
        cells.unwrap_or_default().into_iter().map(|to| Deed::Teleport(queen, to)).collect()
    }
}
