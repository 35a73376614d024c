//! Moves beneath the hive as a nymph, comes out on top, and then flies over pieces of one colour.
use super::{Bug, Cell, Deed, Piece, Position, Posture};
use crate::rules::{Place, change::Level};
use std::collections::BTreeSet;

impl Position {
    pub(super) fn cicada_deeds(
        &mut self,
        piece: Piece,
        place: Place,
        is_controlled: bool,
    ) -> Vec<Deed> {
        if !self.is_nymph(piece) {
            return self.flights(piece, place);
        }
        let is_covered = place.level == Level::Under || !self.hive.is_top(piece);
        let is_under_mite = self.has_mite_above(piece);
        let mut deeds = Vec::new();
        if is_covered && !is_under_mite && !is_controlled {
            deeds.push(Deed::Flip);
        }
        if !is_under_mite && !self.is_held(piece) && !self.would_carry_moth(piece, place) {
            deeds.extend(self.burrows(piece, place.cell));
        }
        deeds
    }

    /// Whether the piece directly above is a moth, which cannot be carried beneath the hive.
    fn would_carry_moth(&self, nymph: Piece, place: Place) -> bool {
        let above = match place.level {
            Level::Under => self.hive.stack(place.cell).first().copied(),
            Level::On(_) => self.hive.above(nymph),
        };
        above.is_some_and(|above| above.bug() == Bug::Moth)
    }

    /// Where a nymph can go: beneath a neighbour that has room.
    fn burrows(&mut self, nymph: Piece, from: Cell) -> Vec<Deed> {
        let cells = self.while_lifted(&[nymph], |position| {
            let near = (0..6).map(|side| from.toward(side));
            let has_room = |&cell: &Cell| {
                position.hive.is_occupied(cell)
                    && position.hive.under(cell).is_none()
                    && !position.is_closed(cell)
            };
            near.filter(has_room).collect::<Vec<_>>()
        });
        cells.unwrap_or_default().into_iter().map(Deed::Burrow).collect()
    }

    /// Where a cicada that has come out can fly to from on top of a piece.
    fn flights(&mut self, cicada: Piece, place: Place) -> Vec<Deed> {
        let Some(covered) = self.hive.below(cicada) else { return Vec::new() };
        if self.posture(cicada) != Posture::Open || self.is_held(cicada) {
            return Vec::new();
        }
        let is_friend = self.side_shown(covered) == cicada.color();
        let cells = self.while_lifted(&[cicada], |position| {
            let group = position.group_of(place.cell);
            if is_friend { position.quiet_cells(&group, cicada) } else { group }
        });
        let ends = cells.unwrap_or_default().into_iter();
        ends.filter(|&cell| cell != place.cell && !self.is_closed(cell)).map(Deed::Walk).collect()
    }

    /// The cells that hang together with a cell over tops of its colour.
    fn group_of(&self, cell: Cell) -> BTreeSet<Cell> {
        let Some(color) = self.hive.top(cell).map(|top| self.side_shown(top)) else {
            return BTreeSet::new();
        };
        let mut group = BTreeSet::from([cell]);
        let mut frontier = vec![cell];
        while let Some(at) = frontier.pop() {
            for next in self.occupied_sides(at).map(|side| at.toward(side)) {
                let is_alike = self.hive.top(next).is_some_and(|top| self.side_shown(top) == color);
                if is_alike && group.insert(next) {
                    frontier.push(next);
                }
            }
        }
        group
    }

    /// The empty cells beside a group of friends that no enemy touches.
    fn quiet_cells(&self, group: &BTreeSet<Cell>, cicada: Piece) -> BTreeSet<Cell> {
        group
            .iter()
            .flat_map(|&cell| (0..6).map(move |side| cell.toward(side)))
            .filter(|&cell| !self.hive.is_occupied(cell))
            .filter(|&cell| !self.touches(cell, cicada.color().other()))
            .collect()
    }
}
