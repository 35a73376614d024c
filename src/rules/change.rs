use super::{Cell, Mark, Piece};

/// How high a piece stands on its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// On as many pieces of the stack.
    On(u8),
    /// In the slot beneath the stack.
    Under,
}

/// A place on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The cell.
    pub cell: Cell,
    /// The height above it.
    pub level: Level,
}

/// One thing that a turn does: every turn is a list of them, and taking it back is the
/// same list from the end, each reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A piece comes to stand somewhere; what stands there from that height on is lifted by one.
    Put(Piece, Place),
    /// A piece goes away; what stood above it comes down by one.
    Take(Piece, Place),
    /// A piece gets a mark, or loses it.
    Toggle(Mark, Piece),
    /// A piece that was taken goes back to its owner's hand.
    Return(Piece),
    /// The reverse of that.
    Draw(Piece),
}

impl Change {
    /// The change that takes this one back.
    pub const fn reversed(self) -> Change {
        match self {
            Change::Put(piece, place) => Change::Take(piece, place),
            Change::Take(piece, place) => Change::Put(piece, place),
            Change::Toggle(..) => self,
            Change::Return(piece) => Change::Draw(piece),
            Change::Draw(piece) => Change::Return(piece),
        }
    }
}
