//! A game as it was written down: nothing here is known to be legal.
use crate::{
    finding::{self, Finding},
    hex::{Direction, Hex},
    rules::{Agent, Color, GameType, Outcome, Piece},
    sketch::Sketch,
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
    /// The turns that are told only as precisely as legality asks for.
    pub sketches: Vec<Sketch>,
    /// What is said beside the turns, in the order of the source.
    pub remarks: Vec<Remark>,
    /// Other lines of play: those that leave a line come after it.
    pub variations: Vec<Variation>,
    /// Whether a part of them could not be read.
    pub is_cut: bool,
    /// Whether the source says more than a record holds.
    pub has_others: bool,
    /// Where it stood before it was kept in a notation that says so.
    pub origin: Option<Origin>,
    /// The bytes of the source that it was read from.
    pub span: Range<usize>,
}

/// Where a game stood before it was kept in our own notation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The file, or the member of an archive.
    pub file: String,
    /// Its first line and its last one, from 1.
    pub lines: [usize; 2],
}

/// Another line of play, which leaves the game or another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The place in [`Record::variations`] of the line that it leaves; none if that is the game itself.
    pub of: Option<usize>,
    /// How many plies of that line stand before it, counted from the start of the game.
    pub after: usize,
    /// Its own plies.
    pub plies: Vec<Ply>,
    /// What is said beside them; the plies before a remark count from the start of the game.
    pub remarks: Vec<Remark>,
}

/// Something that is said beside the turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// How many plies stand before it.
    pub after: usize,
    /// What is said.
    pub what: Aside,
}

/// What can be said beside the turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aside {
    /// A comment.
    Comment(String),
    /// How many milliseconds a player has used so far.
    Clock(Color, u64),
    /// Something that a player does to the game itself, which costs no turn.
    Control(Color, Control),
}

/// What a player can do beside taking turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Control {
    /// Gives the game up.
    Resign,
    /// Offers a draw.
    OfferDraw,
    /// Takes the offer of a draw.
    AcceptDraw,
    /// Refuses the offer of a draw.
    DeclineDraw,
    /// Asks to take a turn back.
    OfferTakeback,
    /// Lets the other side take a turn back.
    AcceptTakeback,
    /// Refuses to let the other side take a turn back.
    DeclineTakeback,
    /// Breaks the game off before it has begun in earnest.
    Abort,
}

/// Why a game came to its end, which is another thing than how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// A queen, or both, are surrounded.
    Board,
    /// A player gave up.
    Resignation,
    /// A player had no time left.
    Time,
    /// The players agreed on a draw.
    Agreement,
    /// A position came for the third time, and the rules of the place made that a draw.
    Repetition,
    /// A referee decided.
    Adjudication,
    /// A player did not come, or did not obey the rules.
    Forfeit,
}

macro_rules! words {
    ($type:ident { $($name:ident = $word:literal),+ $(,)? }) => {
        impl $type {
            /// Every one.
            pub const ALL: &[$type] = &[$($type::$name),+];

            /// The word for it in our own notation.
            pub const fn word(self) -> &'static str {
                match self { $($type::$name => $word),+ }
            }

            /// The one with this word.
            pub fn from_word(word: &str) -> Option<$type> {
                Self::ALL.iter().copied().find(|known| known.word() == word)
            }
        }
    };
}

words!(Control {
    Resign = "resign",
    OfferDraw = "offer-draw",
    AcceptDraw = "accept-draw",
    DeclineDraw = "decline-draw",
    OfferTakeback = "offer-takeback",
    AcceptTakeback = "accept-takeback",
    DeclineTakeback = "decline-takeback",
    Abort = "abort",
});

words!(Cause {
    Board = "board",
    Resignation = "resignation",
    Time = "time",
    Agreement = "agreement",
    Repetition = "repetition",
    Adjudication = "adjudication",
    Forfeit = "forfeit",
});

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
    /// The neighbour that the source names although it tells the cell.
    pub told: Option<Spot>,
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
    /// Something that only fan pieces do.
    Special(Done),
    /// A turn like the sketch with this place in [`Record::sketches`].
    Like(usize),
}

/// What a fan piece did, in the words of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The piece that made another one act, if one did.
    pub controller: Option<Agent>,
    /// The piece that acted.
    pub actor: Agent,
    /// What it did.
    pub what: Did,
}

/// What fan pieces can do, in the words of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// Went from the hand or from the hive to a spot.
    Go(Spot),
    /// Went to a spot and the cell on a side of it.
    GoLong(Spot, Direction),
    /// Went beneath a stack with this piece.
    Burrow(Piece),
    /// Exchanged places with a piece.
    Swap(Piece),
    /// Threw a piece.
    Throw(Piece, Spot),
    /// Turned a piece face down.
    TurnDown(Piece),
    /// Turned itself over.
    TurnOver,
    /// Took a piece off the table.
    Capture(Piece),
    /// Pushed a piece.
    Push(Piece),
    /// Pushed a piece, and followed it.
    Roll(Piece),
    /// Drew a piece onto itself.
    Attract(Piece),
    /// Took the place of a piece.
    Replace(Piece),
    /// Brought a queen to a spot.
    Teleport(Piece, Spot),
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
    /// It ended for this reason.
    Cause(Cause),
    /// It has begun and not ended.
    InProgress,
    /// It has not begun.
    NotStarted,
    /// After the last ply it is this side's turn, with this number.
    Turn(Color, u32),
}

impl Variation {
    /// How many variations can leave each other at most: far more than in any real record.
    pub const DEEPEST: usize = 500;
}

impl Ply {
    /// The spot in the words of the source, if it has any.
    pub fn spot(&self) -> Option<Spot> {
        match self.action {
            Action::Put(_, Spot::At(_)) => self.told,
            Action::Put(_, spot) => Some(spot),
            Action::Special(Done { what, .. }) => match what {
                Did::Go(spot)
                | Did::GoLong(spot, _)
                | Did::Throw(_, spot)
                | Did::Teleport(_, spot) => Some(spot),
                _ => None,
            },
            Action::Pass | Action::Like(_) => None,
        }
    }
}

impl Record {
    /// The value of a tag; of several with one name the last counts.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().rev().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }

    /// Adds a tag, or gives the one with this name another value; whether there was one.
    pub fn set_tag(&mut self, name: &str, value: &str) -> bool {
        if let Some(tag) = self.tags.iter_mut().find(|tag| tag.name == name) {
            value.clone_into(&mut tag.value);
            return true;
        }
        self.tags.push(Tag { name: name.to_owned(), value: value.to_owned() });
        false
    }

    /// Adds a tag, and says so if there was one with this name.
    pub fn set_tag_once(&mut self, name: &str, value: &str, span: Range<usize>) {
        if self.set_tag(name, value) {
            let message = format!("the tag `{name}` comes twice; the last one counts");
            self.findings.push(Finding::new(&finding::DUPLICATE_TAG, span, message));
        }
    }

    /// Adds a remark after the plies so far.
    pub fn remark(&mut self, what: Aside) {
        self.remarks.push(Remark { after: self.plies.len(), what });
    }

    /// Adds another line of play that was read by itself: its plies are counted from where it leaves the line `of`.
    pub(crate) fn add_variation(&mut self, of: Option<usize>, after: usize, side: Record) {
        let shifted = side.findings.into_iter().map(|found| Finding {
            ply: found.ply.map(|ply| after.saturating_add(ply)),
            ..found.in_variation()
        });
        self.findings.extend(shifted);
        self.is_cut |= side.is_cut;
        self.has_others |= side.has_others;
        let Record { plies, remarks, .. } = side;
        self.variations.push(Variation { of, after, plies, remarks });
    }

    /// Adds a claim.
    pub fn claim(&mut self, what: Claimed, span: Range<usize>) {
        self.claims.push(Claim { what, span });
    }
}
