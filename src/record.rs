//! A game as it was written down: nothing here is known to be legal.
use crate::{
    finding::Finding,
    hex::{Direction, Hex},
    rules::{Color, GameType, Outcome, Piece},
};
use std::ops::Range;

/// One game of a source, before anyone checked it.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The game type that the record names.
    pub game_type: Option<GameType>,
    /// Names and values, in the order of the source.
    pub tags: Vec<Tag>,
    /// The turns, in order.
    pub plies: Vec<Ply>,
    /// What the record says about the state and the result of the game.
    pub claims: Vec<Claim>,
    /// What the reader let pass.
    pub findings: Vec<Finding>,
    /// Whether the source has comments or clocks, which a record does not hold.
    pub unread: Unread,
    /// The bytes of the source that it was read from.
    pub span: Range<usize>,
}

/// What a source says that a record does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// Remarks on moves.
    pub comments: bool,
    /// The time used for moves.
    pub clocks: bool,
}

/// A name and a value. The names are those of PGN, whatever the source calls them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Such as `White`.
    pub name: String,
    /// Such as the name of a player.
    pub value: String,
}

/// One turn as written, with the place where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// What was written.
    pub action: Action,
    /// How sure the reader is that it is a turn.
    pub source: PlySource,
    /// The bytes of the source that say so.
    pub span: Range<usize>,
}

/// How a ply came into the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlySource {
    /// It is written.
    #[default]
    Written,
    /// Somebody confirmed a turn without taking one: a pass, if there was nothing else to do.
    Confirmed,
    /// The next turn is the same side's, so the other side must have passed.
    Implied,
}

/// What a player did, in the words of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A piece goes from the hand or from the hive to a spot.
    Put(Piece, Spot),
    /// No piece could move.
    Pass,
}

/// Where a piece goes. Only a position can turn what its neighbours tell into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Nowhere in particular: the first piece of the game.
    Alone,
    /// On the side of another piece.
    Beside(Piece, Direction),
    /// On top of another piece.
    OnTopOf(Piece),
    /// On a cell, counted from the first piece of the game.
    At(Hex),
}

/// Something that a record says about its game, to be held against the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What it says.
    pub what: Claimed,
    /// Where it says so.
    pub span: Range<usize>,
}

/// What a record can say about its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// The game ended so.
    Outcome(Outcome),
    /// It has begun and not ended.
    InProgress,
    /// It has not begun.
    NotStarted,
    /// After the last ply it is this side's turn, with this number.
    Turn(Color, u32),
}

impl Record {
    /// The value of a tag; of several with one name the last counts.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().rev().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }

    /// Adds a tag.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        self.tags.push(Tag { name: name.to_owned(), value: value.to_owned() });
    }

    /// Adds a claim.
    pub fn claim(&mut self, what: Claimed, span: Range<usize>) {
        self.claims.push(Claim { what, span });
    }
}
