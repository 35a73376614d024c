//! Where pieces are placed.
use super::{Agent, Bug, Cell, Color, Deed, Piece, Position, Special, Turn, ring};
use crate::hex::Direction;
use crate::rules::{
    bugs::Placement,
    options::{ButterflyPlace, CockroachFaceChoice},
};

impl Position {
    /// Appends every placement: of equal pieces in hand only of the one with the lowest number.
    pub(super) fn fan_placements(&mut self, turns: &mut Vec<Turn>) {
        let side = self.to_move();
        for &bug in Bug::ALL {
            if let Some(piece) = self.next_in_hand(side, bug) {
                turns.extend(self.placements_of(piece));
            }
        }
    }

    /// Every placement of a piece, none if it is not in hand.
    pub(super) fn placements_of(&mut self, piece: Piece) -> Vec<Turn> {
        let may = piece.color() == self.to_move()
            && self.game_type().has(piece)
            && !piece.is_half()
            && self.is_in_hand(piece)
            && self.queen_rules_allow(piece.bug())
            && (piece.bug() != Bug::Butterfly || !self.has_none_on_table(piece.color()));
        if !may {
            return Vec::new();
        }
        let special = |guise, deed| {
            Turn::Special(Special { controller: None, actor: Agent { piece, guise }, deed })
        };
        if self.placement(piece.bug()) == Placement::TwoCells {
            let pairs = self.pairs_to_place(piece.color());
            return pairs.into_iter().map(|pair| special(None, Deed::PlaceLong(pair))).collect();
        }
        let cells = self.cells_to_place(piece);
        let mut turns: Vec<Turn> = cells.iter().map(|&to| Turn::Place { piece, to }).collect();
        let has_back = piece.bug() == Bug::Cockroach
            && self.options().cockroach_face_choice == CockroachFaceChoice::Yes;
        if has_back {
            turns.extend(cells.iter().map(|&to| special(Some(Bug::Ladybug), Deed::Place(to))));
        }
        turns
    }

    /// Where a kind is placed by the rules of this game.
    pub(super) fn placement(&self, bug: Bug) -> Placement {
        let on_ground =
            bug == Bug::Butterfly && self.options().butterfly_place == ButterflyPlace::Ground;
        if on_ground { Placement::BesideFriend } else { bug.placement() }
    }

    /// Whether a side has nothing on the table.
    pub(super) fn has_none_on_table(&self, color: Color) -> bool {
        self.hive.count(color) == 0 && self.hive.all_under().all(|(_, p)| p.color() != color)
    }

    fn cells_to_place(&self, piece: Piece) -> Vec<Cell> {
        let color = piece.color();
        match self.placement(piece.bug()) {
            Placement::BesideFriend | Placement::TwoCells => self
                .cells_beside_hive()
                .into_iter()
                .filter(|&cell| self.is_free_to_place(&[cell], color))
                .collect(),
            Placement::BesideBoth => self
                .cells_beside_hive()
                .into_iter()
                .filter(|&cell| Color::BOTH.iter().all(|&side| self.touches(cell, side)))
                .collect(),
            Placement::OntoFriend => {
                self.hive.cells().filter(|&cell| self.is_quiet_friend(piece, cell)).collect()
            }
            Placement::OntoQueen => self.own_queen_stack(color).into_iter().collect(),
        }
    }

    /// Every empty cell beside the hive; that of the first piece of a game.
    pub(super) fn cells_beside_hive(&self) -> Vec<Cell> {
        if self.hive.is_empty() {
            return vec![Cell::ORIGIN];
        }
        let mut cells: Vec<Cell> = self
            .hive
            .cells()
            .flat_map(|cell| (0..6).map(move |side| cell.toward(side)))
            .filter(|&cell| !self.hive.is_occupied(cell))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Whether a piece of this colour may be placed on these empty cells: beside friends and no enemies; the first one of
    /// a side beside anything.
    pub(super) fn is_free_to_place(&self, cells: &[Cell], color: Color) -> bool {
        let touches = |color| cells.iter().any(|&cell| self.touches(cell, color));
        if self.has_none_on_table(color) {
            return self.hive.is_empty() || cells.iter().any(|&cell| self.hive.ring(cell) != 0);
        }
        touches(color) && !touches(color.other())
    }

    /// Whether the top of a cell is a friend that has no enemy beside it.
    fn is_quiet_friend(&self, piece: Piece, cell: Cell) -> bool {
        let color = piece.color();
        self.hive.top(cell).is_some_and(|top| self.side_shown(top) == color)
            && !self.touches(cell, color.other())
            && !self.is_closed(cell)
    }

    /// The cell of a side's queen, if no enemy lies on her.
    fn own_queen_stack(&self, color: Color) -> Option<Cell> {
        let queen = Piece::new(color, Bug::Queen, 1);
        let cell = self.hive.cell_of(queen)?;
        let stack = self.hive.stack(cell);
        let above = stack.iter().skip_while(|&&piece| piece != queen);
        let is_free = above.into_iter().all(|&piece| self.side_shown(piece) == color);
        (is_free && !self.is_closed(cell)).then_some(cell)
    }

    /// The pairs of cells where a piece that needs two may be placed.
    fn pairs_to_place(&self, color: Color) -> Vec<[Cell; 2]> {
        if self.hive.is_empty() {
            let onward = Direction::ALL.into_iter().filter(|side| side.is_onward());
            return onward.map(|side| [Cell::ORIGIN, Cell::ORIGIN.step(side)]).collect();
        }
        let pairs = self.empty_pairs(&self.cells_beside_hive());
        pairs.into_iter().filter(|pair| self.is_free_to_place(pair, color)).collect()
    }

    /// The pairs of empty neighbours of which one is in a list, each once, in their order on the plane.
    pub(super) fn empty_pairs(&self, cells: &[Cell]) -> Vec<[Cell; 2]> {
        let mut pairs = Vec::new();
        for &cell in cells {
            for side in ring::sides(!self.hive.ring(cell) & ring::FULL) {
                let other = cell.toward(side);
                let is_first = Direction::ALL[side].is_onward();
                let pair = if is_first { [cell, other] } else { [other, cell] };
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
        pairs
    }
}
