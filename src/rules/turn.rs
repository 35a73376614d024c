use super::{Cell, Piece};

/// A complete act of a player.
///
/// In official game types two turns that put the same piece on the same cell are one turn, whether it
/// walks there or is thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Turn {
    /// A piece comes from the hand.
    Place {
        /// The piece.
        piece: Piece,
        /// Where it comes to stand.
        to: Cell,
    },
    /// A piece moves by itself.
    Walk {
        /// The piece.
        piece: Piece,
        /// Where it goes.
        to: Cell,
    },
    /// A piece is lifted over another one.
    Throw {
        /// The piece that uses its ability.
        actor: Piece,
        /// The piece that is thrown.
        piece: Piece,
        /// Where it is set down.
        to: Cell,
    },
    /// Nothing can be done.
    Pass,
}

impl Turn {
    /// The piece that comes to stand elsewhere, and where.
    pub const fn goes(self) -> Option<(Piece, Cell)> {
        match self {
            Turn::Place { piece, to }
            | Turn::Walk { piece, to }
            | Turn::Throw { piece, to, .. } => Some((piece, to)),
            Turn::Pass => None,
        }
    }

    /// The piece with which the turn is taken.
    pub const fn actor(self) -> Option<Piece> {
        match self {
            Turn::Place { piece, .. } | Turn::Walk { piece, .. } => Some(piece),
            Turn::Throw { actor, .. } => Some(actor),
            Turn::Pass => None,
        }
    }

    /// What kind of turn it is, in one lower-case word.
    pub const fn kind(self) -> &'static str {
        match self {
            Turn::Place { .. } => "place",
            Turn::Walk { .. } => "walk",
            Turn::Throw { .. } => "throw",
            Turn::Pass => "pass",
        }
    }
}
