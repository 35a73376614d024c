//! Questions about games and positions: `type == Base+MLP and plies > 40 and not pinned(bQ)`. Grammar:
//! `grammar/query.ebnf`.
//!
//! A question is read once, and answered for many games, or for each position of each. What it asks of a game is the same
//! in all positions of it.
mod answer;
mod date;
mod grammar;

use crate::rules::{Bug, Color, Piece};
use regex::Regex;
use std::fmt;

pub use answer::Facts;
pub use date::Date;
pub use grammar::{PRODUCTIONS, cause_words};

/// A question.
#[derive(Clone, Debug)]
pub enum Query {
    /// One of them is so.
    Or(Vec<Query>),
    /// All of them are so.
    And(Vec<Query>),
    /// It is not so.
    Not(Box<Query>),
    /// Something about the position.
    Is(State),
    /// A number is to another as said.
    Compare(Number, Relation, Number),
    /// A text is to another as said.
    Match(Text, Likeness),
}

/// What can be so of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The piece stands alone on its cell, and the hive would fall apart without it.
    Pinned(Piece),
    /// The piece lies under another one.
    Covered(Piece),
    /// It lies face down.
    FaceDown(Piece),
    /// It was removed for good.
    Removed(Piece),
    /// The piece moved on the last turn, and rests.
    Resting(Piece),
    /// The piece is on the table.
    Placed(Piece),
    /// The two pieces stand on neighbouring cells.
    Beside(Piece, Piece),
    /// It is this side's turn.
    ToMove(Color),
    /// Nobody can go on.
    Over,
}

/// What can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// It stands in the question.
    Literal(i64),
    /// How many plies the game has.
    Plies,
    /// How many have been played.
    Ply,
    /// The number of the turn to come.
    Turn,
    /// How many turns are legal; the forced pass is none.
    Moves,
    /// How many cells a piece could be moved to.
    MovesOf(Piece),
    /// How many of the six cells around a piece are taken; unknown while it is in hand.
    Around(Piece),
    /// How many pieces of a kind, or of all, a side has in hand.
    OnHand(Color, Option<Bug>),
    /// How many it has on the table.
    OnTable(Color, Option<Bug>),
    /// How many pieces the stack has in which a piece stands.
    Height(Piece),
    /// What is said of the strength of a player.
    Rating(Color),
    /// The difference of the two, whichever is higher.
    RatingGap,
}

/// How two numbers are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// What is said of a game in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// The name of the player of this side.
    Player(Color),
    /// That of either.
    AnyPlayer,
    /// `white`, `black`, `draw` or `open`.
    Result,
    /// In the words of our own notation, or `unknown`.
    Cause,
    /// The game type.
    Type,
    /// The code of the opening's shape, as `classify` tells it, or `none`.
    Opening,
    /// The date, as `2024.05.31`.
    Date,
    /// The value of a tag.
    Tag(String),
}

/// How a text has to be.
#[derive(Clone, Debug)]
pub enum Likeness {
    /// To this text, without regard to capitals.
    Relation(Relation, String),
    /// To this date, as far as it goes.
    Date(Relation, Date),
    /// This text is part of it, without regard to capitals.
    Contains(String),
    /// It fits a regular expression.
    Fits(Regex),
    /// The same before it was checked: no question that was read has this.
    Pattern(String),
}

/// A text that is no question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// The character, from 0, where something else was expected.
    pub at: usize,
    /// What was expected.
    pub expected: String,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: expected {}", self.at + 1, self.expected)
    }
}

impl std::error::Error for QueryError {}

impl Relation {
    /// Whether things that are so to each other are as asked.
    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Relation::Equal => order.is_eq(),
            Relation::Unequal => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::More => order.is_gt(),
            Relation::AtLeast => order.is_ge(),
        }
    }
}

impl std::str::FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Query, QueryError> {
        grammar::read(text)
    }
}
