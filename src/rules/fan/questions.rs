//! What the rules ask of a position again and again.
use super::{Bug, Cell, Color, Mark, Piece, Position, ring};
use crate::rules::{
    Place,
    change::{Change, Level},
    options::{QueenRemoval, ScorpionSuppress},
};

/// How free a piece is that others may lie on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Posture {
    /// Nothing lies on it.
    Open,
    /// It lies directly under a moth, which it takes along.
    Carrier(Piece),
    /// It lies directly under a butterfly, which stays behind.
    Leaver,
    /// It lies under other pieces, or beneath a stack.
    Covered,
    /// It lies under a mite, or directly under a moth that cannot come along.
    Stuck,
}

impl Posture {
    /// The moth that a piece in this posture takes along.
    pub(super) fn carried(self) -> Option<Piece> {
        if let Posture::Carrier(moth) = self { Some(moth) } else { None }
    }

    /// What is lifted where a piece in this posture goes, from the top.
    pub(super) fn lifted_with(self, piece: Piece) -> Vec<Piece> {
        self.carried().into_iter().chain([piece]).collect()
    }
}

/// Pieces and what they show.
impl Position {
    /// The kind whose face a piece shows.
    pub(super) fn shown(&self, piece: Piece) -> Bug {
        let is_back = piece.bug() == Bug::Cockroach && self.has_mark(Mark::OtherFace, piece);
        if is_back { Bug::Ladybug } else { piece.bug() }
    }

    /// The colour that a piece shows: its owner's, unless it is a beehive that was turned.
    pub fn side_shown(&self, piece: Piece) -> Color {
        let is_turned = piece.bug() == Bug::Beehive && self.has_mark(Mark::OtherFace, piece);
        if is_turned { piece.color().other() } else { piece.color() }
    }

    /// Whether a piece lies face down, for a time or for good.
    pub fn is_face_down(&self, piece: Piece) -> bool {
        self.has_mark(Mark::FaceDown, piece) || self.has_mark(Mark::Spent, piece)
    }

    /// Whether nothing lies on a piece in a stack.
    pub(super) fn is_open(&self, piece: Piece) -> bool {
        piece.whole().parts().all(|part| self.hive.is_top(part))
    }

    /// Whether a piece is open and lies face up.
    pub(super) fn is_awake(&self, piece: Piece) -> bool {
        self.is_open(piece) && !self.is_face_down(piece)
    }

    /// Whether no other piece can move, turn or remove this one: a stink bug.
    pub(super) fn is_protected(&self, piece: Piece) -> bool {
        piece.bug() == Bug::StinkBug && self.is_awake(piece)
    }

    /// Whether the rules of the game let queens be removed.
    pub(in crate::rules) fn are_queens_removed(&self) -> bool {
        self.options().queen_removal == QueenRemoval::Wins
    }

    pub(super) fn posture(&self, piece: Piece) -> Posture {
        if self.hive.cell_of(piece).is_none() {
            return Posture::Covered;
        }
        if self.is_open(piece) {
            return Posture::Open;
        }
        if self.has_mite_above(piece) {
            return Posture::Stuck;
        }
        let above = self.hive.above(piece);
        let is_free = above.is_some_and(|above| self.is_awake(above) && !self.is_frozen(above));
        match above.map(|above| (above.bug(), above)) {
            Some((Bug::Moth, moth)) if is_free => Posture::Carrier(moth),
            // It could leave only together with the moth.
            Some((Bug::Moth, _)) => Posture::Stuck,
            // A butterfly that drops does not move.
            Some((Bug::Butterfly, butterfly)) if self.is_awake(butterfly) => Posture::Leaver,
            _ => Posture::Covered,
        }
    }

    /// Whether a piece in a stack lies under a mite.
    pub(super) fn has_mite_above(&self, piece: Piece) -> bool {
        let Some(cell) = self.hive.cell_of(piece) else { return false };
        let stack = self.hive.stack(cell);
        stack.iter().skip_while(|&&known| known != piece).skip(1).any(|p| p.bug() == Bug::Mite)
    }
}

/// Neighbours.
impl Position {
    /// The cells of a piece on the table.
    pub(super) fn cells_of(&self, piece: Piece) -> Vec<Cell> {
        let places = piece.whole().parts().filter_map(|part| self.hive.place_of(part));
        places.map(|place| place.cell).collect()
    }

    /// The pieces on top of the cells around some cells, each once.
    pub(super) fn tops_around(&self, cells: &[Cell]) -> Vec<Piece> {
        let mut tops = Vec::new();
        for cell in cells.iter().flat_map(|&cell| (0..6).map(move |side| cell.toward(side))) {
            if let Some(top) = self.hive.top(cell).map(Piece::whole)
                && !cells.contains(&cell)
                && !tops.contains(&top)
            {
                tops.push(top);
            }
        }
        tops
    }

    /// Whether a piece that shows this colour is on top of a cell beside `cell`.
    pub(super) fn touches(&self, cell: Cell, color: Color) -> bool {
        ring::sides(self.hive.ring(cell))
            .filter_map(|side| self.hive.top(cell.toward(side)))
            .any(|top| self.side_shown(top) == color)
    }

    /// Whether a piece of the other side, of this kind, open and face up, is beside a piece in a stack.
    fn is_beside_enemy(&self, piece: Piece, kind: Bug) -> bool {
        self.hive.cell_of(piece).is_some()
            && self
                .tops_around(&self.cells_of(piece))
                .into_iter()
                .any(|top| top.bug() == kind && top.color() != piece.color() && self.is_awake(top))
    }

    /// Whether a snail beside a piece keeps it from moving by itself.
    pub(super) fn is_held(&self, piece: Piece) -> bool {
        self.is_beside_enemy(piece, Bug::Snail)
    }

    /// Whether a scorpion beside a piece keeps it from being turned back.
    pub(super) fn is_suppressed(&self, piece: Piece) -> bool {
        self.is_beside_enemy(piece, Bug::Scorpion)
    }

    /// Whether a scorpion beside a piece keeps it from acting at all.
    pub(super) fn is_paralysed(&self, piece: Piece) -> bool {
        self.options().scorpion_suppress == ScorpionSuppress::Paralyse && self.is_suppressed(piece)
    }
}

/// Lifting.
impl Position {
    /// What `ask` says while some pieces are lifted; `None` if the hive would fall apart then.
    pub(super) fn while_lifted<T>(
        &mut self,
        pieces: &[Piece],
        ask: impl FnOnce(&mut Position) -> T,
    ) -> Option<T> {
        let before = self.changes_so_far();
        pieces.iter().for_each(|&piece| self.lift(piece));
        let answer = self.hive.is_connected().then(|| ask(self));
        self.take_back(before);
        answer
    }

    /// Whether the hive holds together while some pieces are lifted.
    pub(super) fn holds_without(&mut self, pieces: &[Piece]) -> bool {
        self.while_lifted(pieces, |_| ()).is_some()
    }

    /// Takes a piece off its place, both halves of a stick insect; a nymph beneath it comes up.
    pub(super) fn lift(&mut self, piece: Piece) {
        for part in piece.whole().parts() {
            if let Some(place) = self.hive.place_of(part) {
                self.change(Change::Take(part, place));
                self.surface(place.cell);
            }
        }
    }

    /// Lets the nymph beneath a cell come up where nothing stands any more.
    pub(super) fn surface(&mut self, cell: Cell) {
        if self.hive.is_occupied(cell) {
            return;
        }
        if let Some(nymph) = self.hive.under(cell) {
            self.change(Change::Take(nymph, Place { cell, level: Level::Under }));
            self.change(Change::Put(nymph, Place { cell, level: Level::On(0) }));
        }
    }

    /// Lets each nymph on which others have come go beneath its stack, if there is room.
    pub(in crate::rules) fn settle(&mut self) {
        let game_type = self.game_type();
        let cicadas = Color::BOTH.map(|color| game_type.pieces_of(color, Bug::Cicada));
        for piece in cicadas.into_iter().flatten() {
            if !self.is_nymph(piece) {
                continue;
            }
            let Some(cell) = self.hive.cell_of(piece) else { continue };
            let is_bottom = self.hive.level_of(piece) == 0 && self.hive.height(cell) > 1;
            if is_bottom && self.hive.under(cell).is_none() {
                self.change(Change::Take(piece, Place { cell, level: Level::On(0) }));
                self.change(Change::Put(piece, Place { cell, level: Level::Under }));
            }
        }
    }

    /// Whether a piece is a cicada that has not come out.
    pub(super) fn is_nymph(&self, piece: Piece) -> bool {
        piece.bug() == Bug::Cicada && !self.has_mark(Mark::Adult, piece)
    }
}
