//! What was probably meant by a ply that is not legal: the slip with which most of what follows is legal.
use crate::{
    hex::Direction,
    notation::move_string::MoveString,
    record::{Action, Ply, Record, Spot},
    replay::{Attempt, Replayer},
    rules::{Piece, Position, Rule, Turn},
};
use std::fmt;

/// What was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// What is wrong with the text.
    pub slip: Slip,
    /// The turn that was meant, as UHP writes it; of a ply that is missing one that would do, and nothing of one that is
    /// there too often.
    pub turn: Option<String>,
    /// How many of the plies that follow are legal then.
    pub follow: usize,
    /// Whether these are all.
    pub is_to_the_end: bool,
}

/// What can be wrong with the text of a turn, the more usual first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slip {
    /// The ply is there twice, or too often.
    Extra,
    /// A ply is missing before it.
    Missing,
    /// It stands before the ply that belongs before it.
    Exchanged,
    /// The number of the piece, or of the one that tells the place.
    Number,
    /// The sign stands on the wrong side of the name, or is mirrored.
    Mirrored,
    /// The colour of the piece, or of the one that tells the place.
    Colour,
    /// The sign of the direction.
    Direction,
    /// The kind of the piece, or of the one that tells the place.
    Kind,
    /// The place as a whole.
    Place,
}

impl Slip {
    /// What is wrong, in words.
    pub fn words(self) -> &'static str {
        match self {
            Slip::Extra => "the ply is one too many",
            Slip::Missing => "a ply is missing before it",
            Slip::Exchanged => "the ply and the next one are exchanged",
            Slip::Number => "a number is wrong",
            Slip::Mirrored => "the direction is mirrored",
            Slip::Colour => "a colour is wrong",
            Slip::Direction => "the direction is wrong",
            Slip::Kind => "a letter is wrong",
            Slip::Place => "the place is wrong",
        }
    }
}

/// How many plies a guess is followed.
const FAR: usize = 60;

impl Guess {
    /// The best guess, if there is one.
    pub fn of(replayer: &mut Replayer, record: &Record, attempt: &Attempt) -> Option<Guess> {
        let plies = &record.plies[attempt.at..];
        let (ply, rest) = plies.split_first()?;
        let rest = &rest[..rest.len().min(FAR)];
        let is_end = plies.len() <= FAR + 1;
        let mut guesses = Vec::new();
        for (slip, action) in slips(replayer.position(), ply.action) {
            let meant = Ply { action, told: None, ..ply.clone() };
            if let Ok(turn) = replayer.meant(record, &meant) {
                let follow = replayer.legal_after(turn, record, rest);
                guesses.push(Found { slip, turn: Some(turn), told: meant.spot(), follow });
            }
        }
        for turn in turns_of(replayer.position(), attempt.piece) {
            let follow = replayer.legal_after(turn, record, rest);
            guesses.push(Found { slip: Slip::Place, turn: Some(turn), told: None, follow });
        }
        guesses.extend(extra(replayer, record, rest));
        guesses.extend(exchanged(replayer, record, ply, rest));
        if attempt.rule == Some(Rule::NotYourPiece) || attempt.rule == Some(Rule::UnknownReference)
        {
            guesses.extend(missing(replayer, record, ply, rest));
        }
        guesses.retain(|found| found.follow > 0 || is_likely(found.slip, attempt.rule));
        let Found { slip, turn, told, follow } = best(guesses)?;
        let text = turn.map(|turn| {
            let text = MoveString::new(replayer.position(), turn);
            // What is right stays as it is told.
            text.told_by(told).to_string()
        });
        Some(Guess { slip, turn: text, follow, is_to_the_end: is_end && follow == rest.len() })
    }
}

/// Whether a slip is a good guess where nothing follows that could prove it.
fn is_likely(slip: Slip, rule: Option<Rule>) -> bool {
    let is_name =
        matches!(rule, Some(Rule::NotInGame | Rule::UnknownReference | Rule::NotYourPiece));
    match slip {
        Slip::Number | Slip::Mirrored => true,
        Slip::Colour | Slip::Kind => is_name,
        Slip::Extra | Slip::Missing | Slip::Exchanged | Slip::Direction | Slip::Place => false,
    }
}

/// Something that may have been meant.
#[derive(Clone, Copy, Debug)]
struct Found {
    slip: Slip,
    turn: Option<Turn>,
    /// The place in the words of the record.
    told: Option<Spot>,
    /// How many plies are legal behind it.
    follow: usize,
}

/// The guess with most plies behind it, and of these the most usual slip; nothing if two are as good.
fn best(guesses: Vec<Found>) -> Option<Found> {
    let rank = |found: &Found| (found.follow, std::cmp::Reverse(found.slip));
    let top = guesses.iter().map(rank).max()?;
    let mut tops = guesses.into_iter().filter(|guess| rank(guess) == top);
    let first = tops.next()?;
    // Of turns that are missing any one will do as an example.
    let is_alone = tops.all(|other| other.slip == Slip::Missing || other.turn == first.turn);
    is_alone.then_some(first)
}

/// The ply left out: it costs nothing, so more than one has to follow, or all that are left.
fn extra(replayer: &mut Replayer, record: &Record, rest: &[Ply]) -> Option<Found> {
    let follow = replayer.legal_from(record, rest);
    let is_proven = follow > 1 || follow > 0 && follow == rest.len();
    is_proven.then_some(Found { slip: Slip::Extra, turn: None, told: None, follow })
}

/// The ply and the next one in the other order.
fn exchanged(replayer: &mut Replayer, record: &Record, ply: &Ply, rest: &[Ply]) -> Option<Found> {
    let (next, after) = rest.split_first()?;
    let turn = replayer.meant(record, next).ok()?;
    let follow = replayer.legal_after(turn, record, [ply].into_iter().chain(after));
    (follow > 1 || follow == rest.len()).then_some(Found {
        slip: Slip::Exchanged,
        turn: Some(turn),
        told: next.spot(),
        follow,
    })
}

/// The legal turns that move or place a piece.
fn turns_of(position: &mut Position, piece: Option<Piece>) -> Vec<Turn> {
    let is_of = |turn: &Turn| piece.is_some() && turn.goes().map(|(moved, _)| moved) == piece;
    position.turns().into_iter().filter(is_of).collect()
}

/// The turns that could be missing before a ply.
fn missing(replayer: &mut Replayer, record: &Record, ply: &Ply, rest: &[Ply]) -> Vec<Found> {
    let turns = replayer.position().turns();
    let found = |turn: Turn| {
        let follow = replayer.legal_after(turn, record, [ply].into_iter().chain(rest));
        // The ply itself is no proof yet.
        (follow > 1).then(|| Found {
            slip: Slip::Missing,
            turn: Some(turn),
            told: None,
            follow: follow - 1,
        })
    };
    turns.into_iter().filter_map(found).collect()
}

/// Other texts that differ from an action by one slip.
fn slips(position: &Position, action: Action) -> Vec<(Slip, Action)> {
    let Action::Put(piece, spot) = action else { return Vec::new() };
    let mut slips: Vec<(Slip, Action)> =
        others(position, piece).map(|(slip, piece)| (slip, Action::Put(piece, spot))).collect();
    let mut put = |slip, spot| slips.push((slip, Action::Put(piece, spot)));
    match spot {
        Spot::Beside(beside, side) => {
            for other in Direction::ALL.into_iter().filter(|&other| other != side) {
                let slip = if is_mirrored(side, other) { Slip::Mirrored } else { Slip::Direction };
                put(slip, Spot::Beside(beside, other));
            }
            put(Slip::Direction, Spot::OnTopOf(beside));
            for (slip, other) in others(position, beside) {
                put(slip, Spot::Beside(other, side));
            }
        }
        Spot::OnTopOf(below) => {
            for (slip, other) in others(position, below) {
                put(slip, Spot::OnTopOf(other));
            }
            for side in Direction::ALL {
                put(Slip::Direction, Spot::Beside(below, side));
            }
        }
        Spot::At(hex) => {
            for side in Direction::ALL {
                put(Slip::Direction, Spot::At(hex.step(side)));
            }
        }
        Spot::Alone => {}
    }
    slips
}

/// Other pieces of the game that differ by one letter or number.
fn others(position: &Position, piece: Piece) -> impl Iterator<Item = (Slip, Piece)> + use<> {
    position.whole_box().filter_map(move |other| {
        let same = (
            other.color() == piece.color(),
            other.bug() == piece.bug(),
            other.number() == piece.number(),
        );
        match same {
            (true, true, false) => Some((Slip::Number, other)),
            (false, true, true) => Some((Slip::Colour, other)),
            (true, false, _) => Some((Slip::Kind, other)),
            _ => None,
        }
    })
}

/// Whether the sign of a direction was set on the other side of a name, or leans the other way.
fn is_mirrored(one: Direction, other: Direction) -> bool {
    use Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest, West};
    match one {
        East => other == West,
        West => other == East,
        NorthEast | NorthWest => matches!(other, SouthEast | SouthWest),
        SouthEast | SouthWest => matches!(other, NorthEast | NorthWest),
    }
}

/// The guess in a sentence.
impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slip = self.slip.words();
        match (&self.turn, self.slip) {
            (None, _) => write!(f, "perhaps {slip}"),
            (Some(turn), Slip::Missing) => write!(f, "perhaps {slip}, such as `{turn}`"),
            (Some(turn), Slip::Exchanged) => write!(f, "perhaps {slip}, and `{turn}` comes first"),
            (Some(turn), _) => write!(f, "perhaps {slip}, and `{turn}` was meant"),
        }?;
        match self.follow {
            _ if self.is_to_the_end && self.follow > 0 => {
                f.write_str(": then the rest of the game is legal")
            }
            0 => Ok(()),
            1 => f.write_str(": then the next ply is legal"),
            follow => write!(f, ": then the next {follow} plies are legal"),
        }
    }
}
