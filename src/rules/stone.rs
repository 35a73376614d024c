//! All that counts of a position, piece by piece, for those who compare positions or write them down.
use super::{
    Bug, Cell, Color, How, LastTurn, Mark, Piece, Position,
    change::{Level, Place},
};
use crate::hex::Hex;

/// A piece with all that there is to say of it.
#[derive(Clone, Copy, Debug)]
pub struct Stone {
    /// The piece: the two halves of a stick insect are two.
    pub piece: Piece,
    /// Where it is; none if it is not on the table.
    pub place: Option<Place>,
    /// What it bears.
    pub signs: Signs,
    /// The step to the other half of a stick insect.
    pub partner: Option<Hex>,
}

/// A set of [`Sign`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signs(u16);

/// A mark, or a part that a piece had in the previous turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// It bears a mark.
    Bears(Mark),
    /// The previous turn moved it.
    Displaced,
    /// The previous turn turned it.
    Faced,
    /// The previous turn was taken with it, in this way.
    Acted(How),
}

impl Sign {
    /// Every one, in an order that never changes.
    pub const ALL: [Sign; 13] = [
        Sign::Bears(Mark::FaceDown),
        Sign::Bears(Mark::Spent),
        Sign::Bears(Mark::OtherFace),
        Sign::Bears(Mark::Adult),
        Sign::Bears(Mark::Cooling),
        Sign::Bears(Mark::PoisonSpent),
        Sign::Bears(Mark::Removed),
        Sign::Displaced,
        Sign::Faced,
        Sign::Acted(How::Placed),
        Sign::Acted(How::Moved),
        Sign::Acted(How::Ability),
        Sign::Acted(How::Flipped),
    ];
}

impl Signs {
    /// The places in [`Sign::ALL`] of those that are in the set.
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..Sign::ALL.len()).filter(move |at| self.0 >> at & 1 == 1)
    }

    /// As a number.
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// Those of a piece, if the previous turn was this.
    fn of(position: &Position, piece: Piece, last: &LastTurn) -> Signs {
        let has = |sign: Sign| match sign {
            Sign::Bears(mark) => position.has_mark(mark, piece),
            Sign::Displaced => last.displaced.contains(piece.whole()),
            Sign::Faced => last.faced.contains(piece.whole()),
            Sign::Acted(how) => last.actor == Some(piece.whole()) && last.how == how,
        };
        let bits = (0..Sign::ALL.len()).filter(|&at| has(Sign::ALL[at]));
        Signs(bits.fold(0, |bits, at| bits | 1 << at))
    }
}

impl Position {
    /// The pieces on the table, and those off it that bear signs, if the previous turn was `last`.
    pub fn stones(&self, last: &LastTurn) -> Vec<Stone> {
        let mut stones = Vec::new();
        for piece in self.whole_box() {
            let signs = Signs::of(self, piece, last);
            let Some(place) = self.hive.place_of(piece) else {
                if signs != Signs::default() {
                    stones.push(Stone { piece, place: None, signs, partner: None });
                }
                continue;
            };
            let half = piece.half().and_then(|half| self.hive.place_of(half).zip(Some(half)));
            let step = |from: Cell, to: Cell| to.hex_from(from);
            let partner = half.map(|(other, _)| step(place.cell, other.cell));
            stones.push(Stone { piece, place: Some(place), signs, partner });
            if let Some((other, half)) = half {
                let partner = Some(step(other.cell, place.cell));
                stones.push(Stone { piece: half, place: Some(other), signs, partner });
            }
        }
        stones
    }

    /// The previous turn as far as it changes what is legal now: nothing of it, if all the same turns were legal
    /// without it.
    pub fn effective_last(&mut self) -> LastTurn {
        if self.is_official() {
            let displaced = self.resting_piece().into();
            return LastTurn { displaced, ..LastTurn::default() };
        }
        let last = self.last();
        let is_followed = |bug: Bug| {
            let of = |color| self.game_type().pieces_of(color, bug);
            let mut pieces = Color::BOTH.into_iter().flat_map(of);
            pieces.any(|piece| self.hive.cell_of(piece).is_some())
        };
        // What was only placed matters to nobody but those that fly to it.
        let is_quiet = last.displaced.is_empty() && last.faced.is_empty();
        if is_quiet && !is_followed(Bug::Fly) && !is_followed(Bug::Mantis) {
            return LastTurn::default();
        }
        // A draw by repetition is none of the position.
        let outcome = self.judge_anew();
        let turns = self.turns();
        let last = self.replace_last(LastTurn::default());
        let matters = self.turns() != turns;
        self.replace_last(last);
        self.restore_outcome(outcome);
        if matters { last } else { LastTurn::default() }
    }
}

impl Stone {
    /// The level as a number: 255 is beneath a stack.
    pub(super) fn height(&self) -> u8 {
        match self.place {
            Some(Place { level: Level::On(level), .. }) => level,
            _ => u8::MAX,
        }
    }
}
