//! What on the table stands against a turn, for those who want to see why it is not legal.
use super::{Bug, Cell, Piece, Position, Rule, bugs::walk::Laws, ring};

/// What on the table stands against a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The gap between two stacks is too narrow for a step; these pieces are on top of them.
    Gate([Piece; 2]),
    /// These pieces would come off the hive.
    Loose(Vec<Piece>),
    /// On this cell the piece would touch nothing beside its way.
    Bare(Cell),
    /// These pieces are in the way: they lie on it, hold it, rest, or are enemies beside the place.
    Pieces(Vec<Piece>),
}

impl Position {
    /// What stands against a piece that breaks a rule on its way to a cell; nothing where the rule is not about what lies on
    /// the table, or where the piece simply does not go there.
    pub fn obstacle(&mut self, rule: Rule, piece: Piece, to: Option<Cell>) -> Option<Obstacle> {
        let pieces = match rule {
            Rule::OneHive => return Some(Obstacle::Loose(self.loose_without(piece))),
            Rule::FreedomToMove => return self.closed_gate(piece, to?),
            Rule::LosesContact => return self.bare_cell(piece, to?).map(Obstacle::Bare),
            Rule::GameOver => self.surrounded_queens(),
            Rule::CoveredPiece => self.pieces_above(piece),
            Rule::FrozenPiece => self.resting_pieces(piece),
            Rule::HeldPiece => self.snails_beside(piece),
            Rule::PlacementTouchesEnemy => self.enemies_beside(piece, to?),
            Rule::PlacementOnOccupied | Rule::OccupiedDestination => {
                self.hive.top(to?).into_iter().collect()
            }
            _ => Vec::new(),
        };
        (!pieces.is_empty()).then_some(Obstacle::Pieces(pieces))
    }

    fn surrounded_queens(&self) -> Vec<Piece> {
        let queens = super::Color::BOTH.map(|color| Piece::new(color, Bug::Queen, 1));
        queens.into_iter().filter(|&queen| self.around(queen) == Some(6)).collect()
    }

    fn pieces_above(&self, piece: Piece) -> Vec<Piece> {
        std::iter::successors(self.hive.above(piece), |&above| self.hive.above(above)).collect()
    }

    /// The piece itself, if it rests, else those beside it that rest.
    fn resting_pieces(&self, piece: Piece) -> Vec<Piece> {
        if self.is_frozen(piece) {
            return vec![piece];
        }
        self.tops_beside(piece).filter(|&other| self.is_frozen(other)).collect()
    }

    fn snails_beside(&self, piece: Piece) -> Vec<Piece> {
        let Some(cell) = self.hive.cell_of(piece) else { return Vec::new() };
        let around = (0..6).flat_map(|side| self.hive.stack(cell.toward(side)));
        let is_snail = |other: &Piece| other.bug() == Bug::Snail && other.color() != piece.color();
        around.filter(is_snail).collect()
    }

    fn enemies_beside(&self, piece: Piece, to: Cell) -> Vec<Piece> {
        let around = (0..6).filter_map(|side| self.hive.top(to.toward(side)));
        around.filter(|&other| self.side_shown(other) != piece.color()).collect()
    }

    fn tops_beside(&self, piece: Piece) -> impl Iterator<Item = Piece> + '_ {
        let cells = piece.parts().filter_map(|part| self.hive.cell_of(part));
        cells.flat_map(move |cell| (0..6).filter_map(move |side| self.hive.top(cell.toward(side))))
    }

    /// The pieces that hang on the rest of the hive by this piece alone.
    fn loose_without(&self, piece: Piece) -> Vec<Piece> {
        let gone: Vec<Cell> = piece.parts().filter_map(|part| self.hive.cell_of(part)).collect();
        let mut groups: Vec<Vec<Cell>> = Vec::new();
        for start in self.hive.cells().filter(|cell| !gone.contains(cell)) {
            if groups.iter().any(|group| group.contains(&start)) {
                continue;
            }
            let mut group = vec![start];
            let mut next = 0;
            while let Some(&at) = group.get(next) {
                next += 1;
                for side in ring::sides(self.hive.ring(at)) {
                    let cell = at.toward(side);
                    if !gone.contains(&cell) && !group.contains(&cell) {
                        group.push(cell);
                    }
                }
            }
            groups.push(group);
        }
        // What stays is the largest group.
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups.into_iter().skip(1).flatten().flat_map(|cell| self.hive.stack(cell)).collect()
    }

    /// The first gate that is closed to a piece on the way with the fewest such gates.
    fn closed_gate(&mut self, piece: Piece, to: Cell) -> Option<Obstacle> {
        let from = self.hive.cell_of(piece)?;
        let level = self.hive.level_of(piece);
        let mut routes = self.routes_to(piece, to, Laws { gates: false, contact: true });
        if routes.is_empty() {
            // Over a neighbour that would throw it.
            let throwers = (0..6).map(|side| from.toward(side));
            let throwers =
                throwers.filter(|at| self.hive.is_occupied(*at) && at.side_of(to).is_some());
            routes = throwers.map(|at| vec![from, at, to]).collect();
        }
        let gates = routes.iter().map(|route| self.closed_gates(piece, route, level));
        gates.filter(|gates| !gates.is_empty()).min_by_key(Vec::len)?.into_iter().next()
    }

    /// The gates on a way that are closed to a piece that begins it at a height.
    fn closed_gates(&self, piece: Piece, route: &[Cell], level: u8) -> Vec<Obstacle> {
        let height = |cell: Cell| if cell == route[0] { level } else { self.hive.height(cell) };
        let top = |cell: Cell| {
            self.hive
                .top(cell)
                .and_then(|top| if top == piece { self.hive.below(top) } else { Some(top) })
        };
        let closed = |step: &[Cell]| {
            let &[from, to] = step else { return None };
            let side = from.side_of(to)?;
            let beside = [ring::previous(side), ring::next(side)].map(|side| from.toward(side));
            let lower = beside.map(height).into_iter().min()?;
            let is_closed = lower > height(from).max(height(to));
            let [left, right] = beside.map(top);
            is_closed.then_some(Obstacle::Gate([left?, right?]))
        };
        route.windows(2).filter_map(closed).collect()
    }

    /// The first cell on its way at which a piece would have touched nothing on the step there.
    fn bare_cell(&mut self, piece: Piece, to: Cell) -> Option<Cell> {
        let from = self.hive.cell_of(piece)?;
        let routes = self.routes_to(piece, to, Laws { gates: true, contact: false });
        let is_taken = |cell: Cell| cell != from && self.hive.is_occupied(cell);
        let bare = |step: &[Cell]| {
            let &[from, to] = step else { return None };
            let side = from.side_of(to)?;
            let beside = [ring::previous(side), ring::next(side)].map(|side| from.toward(side));
            (!beside.into_iter().any(is_taken)).then_some(to)
        };
        routes.iter().find_map(|route| route.windows(2).find_map(bare))
    }

    /// The ways of a piece to a cell, by each of its walks, under some of the laws.
    fn routes_to(&mut self, piece: Piece, to: Cell, laws: Laws) -> Vec<Vec<Cell>> {
        let routes = if self.is_official() {
            self.official_routes(piece, laws)
        } else {
            self.fan_routes(piece, laws)
        };
        routes.into_iter().filter_map(|mut routes| routes.remove(&to)).collect()
    }
}
