//! A game that the rules allow: only `replay` makes one.
use crate::{
    hex::Hex,
    record::{Aside, Cause, Remark, Spot, Tag},
    rules::{Bug, Color, GameType, OpeningRule, Outcome, Piece, Position, Turn},
};

/// A game whose every turn was proven legal.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) pieces: GameType,
    pub(crate) opening: OpeningRule,
    pub(crate) tags: Vec<Tag>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) board_outcome: Option<Outcome>,
    pub(crate) stated_outcome: Option<Outcome>,
    pub(crate) cause: Option<Cause>,
    pub(crate) spots: Vec<Option<Spot>>,
    pub(crate) remarks: Vec<Remark>,
    pub(crate) has_variations: bool,
    pub(crate) has_others: bool,
    pub(crate) is_oriented: bool,
}

/// The word of the Universal Hive Protocol for the state of a game of so many plies.
pub(crate) fn state_word(outcome: Option<Outcome>, plies: usize) -> String {
    match outcome {
        Some(outcome) => outcome.to_string(),
        None if plies == 0 => "NotStarted".to_owned(),
        None => "InProgress".to_owned(),
    }
}

impl Game {
    /// The pieces of the game.
    pub fn game_type(&self) -> GameType {
        self.pieces
    }

    /// The opening rule under which it is legal.
    pub fn opening(&self) -> OpeningRule {
        self.opening
    }

    /// The turns, in order.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// What the record says about the game.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// The value of a tag; of several with one name the last counts.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().rev().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }

    /// How it ended: as the board shows, or, if the board is undecided, as the record says.
    pub fn outcome(&self) -> Option<Outcome> {
        self.board_outcome.or(self.stated_outcome)
    }

    /// Whether the record said more than a game holds.
    pub fn has_others(&self) -> bool {
        self.has_others
    }

    /// Whether the record says which way the board is turned.
    pub fn is_oriented(&self) -> bool {
        self.is_oriented
    }

    /// The turn of the board, as a number of an image, that has the second piece stand east of the first.
    pub fn turned_east(&self) -> usize {
        let second = self.turns.iter().filter_map(|turn| turn.goes()).nth(1);
        let second = second.map_or(Hex { q: 1, r: 0 }, |(_, cell)| cell.hex());
        (0..6).find(|&image| second.image(image) == Hex { q: 1, r: 0 }).unwrap_or(0)
    }

    /// Whether the board shows how it ended.
    pub fn ends_on_board(&self) -> bool {
        self.board_outcome.is_some()
    }

    /// The smallest game type with all pieces that were placed.
    pub fn used_type(&self) -> GameType {
        let kinds = self.turns.iter().filter_map(|turn| match turn {
            Turn::Place { piece, .. } => Some(piece.bug()),
            _ => None,
        });
        kinds.filter(|kind| GameType::BASE.count(*kind) == 0).fold(GameType::BASE, GameType::with)
    }

    /// How far it has come, in the word of the Universal Hive Protocol.
    pub fn state(&self) -> String {
        state_word(self.outcome(), self.turns.len())
    }

    /// Why it ended, if that is known.
    pub fn cause(&self) -> Option<Cause> {
        self.cause
    }

    /// Where each turn leads in the words of the record; those of a pass, of the first turn and of a record that
    /// tells cells alone are missing.
    pub fn spots(&self) -> &[Option<Spot>] {
        &self.spots
    }

    /// What the record says beside the turns, in order; `after` counts turns.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// The comments, each with the number of turns before it.
    pub fn comments(&self) -> impl Iterator<Item = (usize, &str)> {
        self.remarks.iter().filter_map(|remark| match &remark.what {
            Aside::Comment(text) => Some((remark.after, text.as_str())),
            Aside::Clock(..) | Aside::Control(..) => None,
        })
    }

    /// Whether the record had other lines of play, which the game does not hold.
    pub fn has_variations(&self) -> bool {
        self.has_variations
    }

    /// Whether a side's first piece was its queen.
    pub fn opens_with_queen(&self) -> bool {
        self.turns
            .iter()
            .take(2)
            .any(|turn| matches!(turn, Turn::Place { piece, .. } if piece.bug() == Bug::Queen))
    }

    /// The position after the first `plies` turns.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many.
    pub fn position(&self, plies: usize) -> Position {
        let mut position = Position::new(self.pieces, self.opening);
        self.turns[..plies].iter().for_each(|&turn| position.make(turn));
        if plies == self.turns.len() && self.board_outcome == Some(Outcome::Draw) {
            // By repetition, which the board does not show.
            position.end_in_draw();
        }
        position
    }

    /// The names that the pieces have if equal ones are numbered as they are placed.
    pub fn numbering(&self) -> Numbering {
        let mut numbering = Numbering::default();
        for turn in &self.turns {
            if let Turn::Place { piece, .. } = turn {
                numbering.place(*piece);
            }
        }
        numbering
    }
}

/// New numbers for the pieces of a game.
#[derive(Clone, Debug)]
pub struct Numbering {
    names: Vec<Option<Piece>>,
    placed: [[u8; Bug::COUNT]; 2],
}

impl Default for Numbering {
    fn default() -> Numbering {
        Numbering { names: vec![None; Piece::SLOTS], placed: [[0; Bug::COUNT]; 2] }
    }
}

impl Numbering {
    fn place(&mut self, piece: Piece) {
        let count = &mut self.placed[piece.color() as usize][piece.bug() as usize];
        *count += 1;
        self.names[piece.slot()] = Some(piece.numbered(*count));
    }

    /// The new name of a piece; one that was never placed keeps its own.
    pub fn name(&self, piece: Piece) -> Piece {
        self.names[piece.slot()].unwrap_or(piece)
    }

    /// Whether every piece keeps its name.
    pub fn is_identity(&self) -> bool {
        Color::BOTH
            .into_iter()
            .flat_map(|color| {
                Bug::ALL.iter().flat_map(move |&bug| {
                    (1..=Piece::MAX_NUMBER).map(move |n| Piece::new(color, bug, n))
                })
            })
            .all(|piece| self.name(piece) == piece)
    }
}
