//! Why a turn is not legal: asked only after the fast test has said no.
use super::{Thrower, copies};
use crate::rules::{
    Bug, Cell, Color, IllegalTurn, Piece, Position, Rule,
    bugs::{
        Ability,
        walk::{Ground, Laws, Routes, Walk},
    },
    ring,
};

impl Position {
    /// The first rule that keeps `piece` from coming to `to` on this turn.
    pub(in crate::rules) fn why_not_there(&mut self, piece: Piece, to: Cell) -> IllegalTurn {
        if let Some(rule) = self.why_not_piece(piece) {
            return rule.into();
        }
        match self.hive.cell_of(piece) {
            None => self.why_not_placed(piece, to),
            Some(from) => self.why_not_moved(piece, from, to),
        }
        .into()
    }

    /// Whether a piece of the side to move that throws, even if it rests on this turn, stands next to `piece`.
    pub(in crate::rules) fn could_be_thrown(&self, piece: Piece) -> bool {
        let side = self.to_move();
        self.hive.cell_of(piece).is_some_and(|cell| {
            ring::sides(self.hive.ring_of(cell, side))
                .filter_map(|at| self.hive.top(cell.toward(at)))
                .any(|neighbour| self.is_able_to_throw(neighbour))
        })
    }

    fn why_not_placed(&self, piece: Piece, to: Cell) -> Rule {
        let color = piece.color();
        let enemies = self.hive.ring_of(to, color.other());
        if self.hive.is_occupied(to) {
            Rule::PlacementOnOccupied
        } else if enemies != 0 && self.hive.count(color) > 0 {
            Rule::PlacementTouchesEnemy
        } else {
            Rule::PlacementApart
        }
    }

    fn why_not_moved(&mut self, piece: Piece, from: Cell, to: Cell) -> Rule {
        let throwers = self.throwers_beside(from);
        let resting = !throwers.is_empty() && throwers.iter().all(|by| self.is_frozen(by.actor));
        if !self.hive.is_top(piece) {
            Rule::CoveredPiece
        } else if self.is_frozen(piece) || piece.color() != self.to_move() && resting {
            Rule::FrozenPiece
        } else if from == to {
            Rule::SamePlace
        } else if piece.color() != self.to_move() && self.hive.height(from) > 1 {
            // No thrower lifts a piece off a stack: the piece beneath it would be uncovered.
            Rule::OutOfReach
        } else if self.hive.height(from) == 1 && self.hive.is_only_link(from) {
            Rule::OneHive
        } else {
            let thrown = self.why_not_thrown(&throwers, from, to);
            if piece.color() == self.to_move() {
                // A piece that was meant to be thrown was kept from it by a gap at most.
                let walked = self.why_not_walked(piece, from, to);
                let is_alone = self.hive.height(from) == 1;
                if is_alone && thrown == Rule::FreedomToMove { walked.min(thrown) } else { walked }
            } else {
                thrown
            }
        }
    }

    /// The pieces of the side to move beside `cell` that throw, if they do not rest.
    fn throwers_beside(&self, cell: Cell) -> Vec<Thrower> {
        ring::sides(self.hive.ring_of(cell, self.to_move()))
            .map(|side| cell.toward(side))
            .filter_map(|cell| self.hive.top(cell).map(|actor| Thrower { actor, cell }))
            .filter(|by| self.is_able_to_throw(by.actor))
            .collect()
    }

    fn why_not_thrown(&self, throwers: &[Thrower], from: Cell, to: Cell) -> Rule {
        if self.hive.is_occupied(to) {
            Rule::OccupiedDestination
        } else if throwers.iter().any(|by| by.cell.side_of(to).is_some() && by.cell != from) {
            Rule::FreedomToMove
        } else {
            Rule::OutOfReach
        }
    }

    /// Lets the walk break one law after the other: the one without which it arrives is the reason.
    fn why_not_walked(&mut self, piece: Piece, from: Cell, to: Cell) -> Rule {
        self.hive.take(piece, from);
        let walks = self.walks_of(piece, from);
        let longer: Vec<Walk> = walks.iter().map(Walk::with_any_length).collect();
        let arrives = |walks: &[Walk], laws| {
            walks
                .iter()
                .any(|walk| walk.destinations(&self.hive, from, piece.color(), laws).contains(&to))
        };
        let rule = if self.hive.is_occupied(to) && !walks.iter().any(Walk::ends_on_top) {
            Rule::OccupiedDestination
        } else if arrives(&walks, Laws { gates: false, contact: true }) {
            Rule::FreedomToMove
        } else if arrives(&longer, Laws::ALL) {
            Rule::OutOfReach
        } else if arrives(&walks, Laws { gates: true, contact: false }) {
            Rule::LosesContact
        } else {
            Rule::OutOfReach
        };
        self.hive.put(piece, from);
        rule
    }

    /// The walks that `piece`, lifted off `from`, may use.
    fn walks_of(&self, piece: Piece, from: Cell) -> Vec<Walk> {
        let kinds: Vec<Bug> = if piece.bug().ability() == Some(Ability::Copy) {
            copies(&self.hive, from, self.hive.height(from)).collect()
        } else {
            vec![piece.bug()]
        };
        kinds.into_iter().filter_map(|bug| bug.walk().parse().ok()).collect()
    }

    /// The shortest ways of a piece by its walks.
    pub(in crate::rules) fn official_routes(&mut self, piece: Piece, laws: Laws) -> Vec<Routes> {
        let Some(from) = self.hive.cell_of(piece).filter(|_| self.hive.is_top(piece)) else {
            return Vec::new();
        };
        self.hive.take(piece, from);
        let is_friend = |other: Piece| other.color() == piece.color();
        let ground = Ground {
            hive: &self.hive,
            from,
            level: self.hive.height(from),
            is_friend: &is_friend,
            is_closed: &|_| false,
            used_last: &[],
            laws,
            keeps_routes: true,
        };
        let routes = self.walks_of(piece, from).iter().map(|walk| walk.routes(&ground)).collect();
        self.hive.put(piece, from);
        routes
    }

    /// The destinations of a piece by the slow reading of its walk: where nothing else forbids it to
    /// move. For tests and explanations.
    pub fn walk_destinations(&mut self, piece: Piece) -> std::collections::BTreeSet<Cell> {
        let Some(from) = self.hive.cell_of(piece).filter(|_| self.hive.is_top(piece)) else {
            return std::collections::BTreeSet::new();
        };
        let color: Color = piece.color();
        self.hive.take(piece, from);
        let ends = self
            .walks_of(piece, from)
            .iter()
            .flat_map(|walk| walk.destinations(&self.hive, from, color, Laws::ALL))
            .collect();
        self.hive.put(piece, from);
        ends
    }
}
