use super::{Bug, Cell, Piece};

/// A complete act of a player.
///
/// In official game types two turns that put the same piece on the same cell are one turn, whether it
/// walks there or is thrown. With fan pieces a throw is a turn of its own.
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
    /// What only fan pieces do.
    Special(Special),
    /// Nothing can be done.
    Pass,
}

/// A turn that only games with fan pieces have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Special {
    /// The piece that controls the one that acts, if another does.
    pub controller: Option<Agent>,
    /// The piece that acts.
    pub actor: Agent,
    /// What it does.
    pub deed: Deed,
}

/// A piece that acts, perhaps as another kind than its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Agent {
    /// The piece.
    pub piece: Piece,
    /// The kind that a mosquito copies, or a cockroach is placed as.
    pub guise: Option<Bug>,
}

/// What a piece does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// Comes from the hand, with its other face up.
    Place(Cell),
    /// Comes from the hand to two cells.
    PlaceLong([Cell; 2]),
    /// Walks.
    Walk(Cell),
    /// Goes to two cells.
    WalkLong([Cell; 2]),
    /// Walks beneath the stack on a cell.
    Burrow(Cell),
    /// Walks, and exchanges places with a piece.
    Swap(Piece),
    /// Throws a piece to a cell.
    Throw(Piece, Cell),
    /// Turns a piece face down.
    TurnDown(Piece),
    /// Turns itself face up again.
    TurnBack,
    /// Shows its other face.
    Flip,
    /// Takes a piece, and itself, off the table for good.
    Capture(Piece),
    /// Pushes a piece away.
    Push(Piece),
    /// Pushes a piece away, and comes to its place.
    Roll(Piece),
    /// Draws a piece onto itself.
    Attract(Piece),
    /// Sends a piece back to its owner's hand, and comes to its place.
    Replace(Piece),
    /// Brings a queen to a cell beside itself.
    Teleport(Piece, Cell),
}

impl From<Piece> for Agent {
    fn from(piece: Piece) -> Agent {
        Agent { piece, guise: None }
    }
}

impl Agent {
    /// The kind as which it acts.
    pub const fn kind(self) -> Bug {
        match self.guise {
            Some(guise) => guise,
            None => self.piece.bug(),
        }
    }
}

impl Turn {
    /// The turn in the words of those of fan pieces; none says a pass.
    pub fn as_special(self) -> Option<Special> {
        let (actor, deed) = match self {
            Turn::Place { piece, to } => (piece, Deed::Place(to)),
            Turn::Walk { piece, to } => (piece, Deed::Walk(to)),
            Turn::Throw { actor, piece, to } => (actor, Deed::Throw(piece, to)),
            Turn::Special(special) => return Some(special),
            Turn::Pass => return None,
        };
        Some(Special { controller: None, actor: actor.into(), deed })
    }

    /// The piece that comes to stand on a cell that the turn names, and that cell: the first one, if it takes two.
    pub const fn goes(self) -> Option<(Piece, Cell)> {
        match self {
            Turn::Place { piece, to }
            | Turn::Walk { piece, to }
            | Turn::Throw { piece, to, .. } => Some((piece, to)),
            Turn::Special(Special { actor, deed, .. }) => match deed {
                Deed::Place(to)
                | Deed::PlaceLong([to, _])
                | Deed::Walk(to)
                | Deed::WalkLong([to, _])
                | Deed::Burrow(to) => Some((actor.piece, to)),
                Deed::Throw(piece, to) | Deed::Teleport(piece, to) => Some((piece, to)),
                _ => None,
            },
            Turn::Pass => None,
        }
    }

    /// The piece with which the turn is taken.
    pub const fn actor(self) -> Option<Piece> {
        match self {
            Turn::Place { piece, .. } | Turn::Walk { piece, .. } => Some(piece),
            Turn::Throw { actor, .. } => Some(actor),
            Turn::Special(
                Special { controller: Some(agent), .. } | Special { actor: agent, .. },
            ) => Some(agent.piece),
            Turn::Pass => None,
        }
    }

    /// A throw that is told as fan pieces' turns are, as official games have it.
    #[must_use]
    pub const fn as_official(self) -> Turn {
        match self {
            Turn::Special(Special {
                controller: None,
                actor: Agent { piece: actor, .. },
                deed: Deed::Throw(piece, to),
            }) => Turn::Throw { actor, piece, to },
            turn => turn,
        }
    }

    /// The piece that the turn places, if it places one.
    pub const fn placed(self) -> Option<Piece> {
        match self {
            Turn::Place { piece, .. }
            | Turn::Special(Special {
                actor: Agent { piece, .. },
                deed: Deed::Place(_) | Deed::PlaceLong(_),
                ..
            }) => Some(piece),
            _ => None,
        }
    }

    /// What kind of turn it is, in one lower-case word.
    pub const fn kind(self) -> &'static str {
        match self {
            Turn::Place { .. } => "place",
            Turn::Walk { .. } => "walk",
            Turn::Throw { .. } => "throw",
            Turn::Special(Special { controller: Some(_), .. }) => "control",
            Turn::Special(Special { deed, .. }) => deed.kind(),
            Turn::Pass => "pass",
        }
    }
}

impl Deed {
    /// The piece that it is done to, if that is another one.
    pub const fn target(self) -> Option<Piece> {
        match self {
            Deed::Swap(piece)
            | Deed::Throw(piece, _)
            | Deed::TurnDown(piece)
            | Deed::Capture(piece)
            | Deed::Push(piece)
            | Deed::Roll(piece)
            | Deed::Attract(piece)
            | Deed::Replace(piece)
            | Deed::Teleport(piece, _) => Some(piece),
            Deed::Place(_)
            | Deed::PlaceLong(_)
            | Deed::Walk(_)
            | Deed::WalkLong(_)
            | Deed::Burrow(_)
            | Deed::TurnBack
            | Deed::Flip => None,
        }
    }

    /// What kind of deed it is, in one lower-case word.
    pub const fn kind(self) -> &'static str {
        match self {
            Deed::Place(_) | Deed::PlaceLong(_) => "place",
            Deed::Walk(_) | Deed::WalkLong(_) => "walk",
            Deed::Burrow(_) => "burrow",
            Deed::Swap(_) => "swap",
            Deed::Throw(..) => "throw",
            Deed::TurnDown(_) => "turn-down",
            Deed::TurnBack => "turn-back",
            Deed::Flip => "flip",
            Deed::Capture(_) => "capture",
            Deed::Push(_) => "push",
            Deed::Roll(_) => "roll",
            Deed::Attract(_) => "attract",
            Deed::Replace(_) => "replace",
            Deed::Teleport(..) => "teleport",
        }
    }
}
