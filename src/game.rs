//! A game that the rules allow: only `replay` makes one.
use crate::{
    hex::Hex,
    record::{Aside, Cause, Origin, Remark, Spot, Tag},
    rules::{Bug, Color, GameType, Key, Options, Outcome, Piece, Position, RunningKey, Turn},
};
use std::borrow::Cow;

/// A game whose every turn was proven legal.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) pieces: GameType,
    pub(crate) options: Options,
    pub(crate) tags: Vec<Tag>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) board_outcome: Option<Outcome>,
    pub(crate) stated_outcome: Option<Outcome>,
    pub(crate) cause: Option<Cause>,
    pub(crate) spots: Vec<Option<Spot>>,
    pub(crate) remarks: Vec<Remark>,
    pub(crate) variations: Vec<Variation>,
    pub(crate) is_cut: bool,
    pub(crate) has_others: bool,
    pub(crate) origin: Option<Origin>,
    pub(crate) is_oriented: bool,
}

/// Another line of play, every turn of which was proven legal, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The place in [`Game::variations`] of the line that it leaves; none if that is the game itself.
    pub of: Option<usize>,
    /// How many turns of that line stand before it, counted from the start of the game.
    pub after: usize,
    /// Its own turns.
    pub turns: Vec<Turn>,
    /// Where each of them leads in the words of the record.
    pub spots: Vec<Option<Spot>>,
    /// What the record says beside them; the turns before a remark count from the start of the game.
    pub remarks: Vec<Remark>,
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

    /// The rules under which it is legal.
    pub fn options(&self) -> Options {
        self.options
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

    /// The value of a tag; of `Result`, `Termination` and `GameType`, which readers take for more than tags, what they say of
    /// the game.
    pub fn fact(&self, name: &str) -> Option<Cow<'_, str>> {
        let tag = self.tag(name).map(Cow::Borrowed);
        tag.or_else(|| match name {
            "Result" => Some(state_word(self.outcome(), self.turns.len()).into()),
            "Termination" => self.cause.map(|cause| cause.word().into()),
            "GameType" => Some(self.pieces.to_string().into()),
            _ => None,
        })
    }

    /// Keeps only the first of what is said beside the turns.
    pub fn keep_remarks(&mut self, count: usize) {
        self.remarks.truncate(count);
    }

    /// Adds something that is said beside the turns, behind all that is said so far.
    pub fn add_remark(&mut self, remark: Remark) {
        self.remarks.push(remark);
    }

    /// Adds a tag, or gives the one with this name another value.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().rev().find(|tag| tag.name == name) {
            Some(tag) => value.clone_into(&mut tag.value),
            None => self.tags.push(Tag { name: name.to_owned(), value: value.to_owned() }),
        }
    }

    /// Takes all tags with this name away.
    pub fn remove_tag(&mut self, name: &str) {
        self.tags.retain(|tag| tag.name != name);
    }

    /// What the record says of the strength of a player; of a rating with a fraction the whole part.
    pub fn rating(&self, color: Color) -> Option<i64> {
        let names = ["Ranking", "Elo", "Rating"];
        let told = names.iter().find_map(|name| self.tag(&format!("{color}{name}")))?.trim();
        let whole = told.split(['.', ',', '?', ' ']).next().unwrap_or(told);
        whole.parse().ok()
    }

    /// How it ended: as the board shows, or, if the board is undecided, as the record says.
    pub fn outcome(&self) -> Option<Outcome> {
        self.board_outcome.or(self.stated_outcome)
    }

    /// The words for how games ended, and that for the one that did not, or of which nobody knows.
    pub(crate) const RESULTS: [&str; 4] = ["white", "black", "draw", "open"];

    /// How it ended, as one of [`Game::RESULTS`].
    pub(crate) fn result(&self) -> &'static str {
        let [white, black, draw, open] = Game::RESULTS;
        match self.outcome() {
            Some(Outcome::WhiteWins) => white,
            Some(Outcome::BlackWins) => black,
            Some(Outcome::Draw) => draw,
            None => open,
        }
    }

    /// Whether the record said more than a game holds.
    pub fn has_others(&self) -> bool {
        self.has_others
    }

    /// Whether other lines of play of the record end early, since the next turn is not legal.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Every remark, also those in variations.
    pub fn all_remarks(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().chain(self.variations.iter().flat_map(|other| &other.remarks))
    }

    /// Where the game stood before, if the record says so.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
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
        let placed = self.turns.iter().filter_map(|turn| turn.placed());
        placed.fold(GameType::BASE, |all, piece| {
            let count = all.count(piece.bug());
            let usual = if count == 0 { piece.bug().count() } else { count };
            all.with_count(piece.bug(), usual.max(piece.number()))
        })
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

    /// Other lines of play: those that leave a line come after it.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// The game as it would be if a variation had been played, without other lines and without an end.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many variations.
    pub fn line(&self, variation: usize) -> Game {
        let leaves = |&at: &usize| self.variations[at].of;
        let mut parts: Vec<_> = std::iter::successors(Some(variation), leaves).collect();
        let (mut turns, mut spots) = (self.turns.clone(), self.spots.clone());
        while let Some(part) = parts.pop().map(|at| &self.variations[at]) {
            turns.truncate(part.after);
            turns.extend(&part.turns);
            spots.truncate(part.after);
            spots.extend(&part.spots);
        }
        Game {
            pieces: self.pieces,
            options: self.options,
            tags: Vec::new(),
            turns,
            board_outcome: None,
            stated_outcome: None,
            cause: None,
            spots,
            remarks: self.variations[variation].remarks.clone(),
            variations: Vec::new(),
            is_cut: false,
            has_others: false,
            origin: None,
            is_oriented: self.is_oriented,
        }
    }

    /// Goes through the positions from the start on, each with its key, in the memory of one of them, until `look` has
    /// enough.
    pub(crate) fn each_key(
        &self,
        position: &mut Position,
        mut look: impl FnMut(&mut Position, Key) -> bool,
    ) {
        while position.undo() {}
        let mut running = RunningKey::new(position);
        let mut turns = self.turns.iter();
        loop {
            let key = running.key(position);
            let Some(&turn) = look(position, key).then(|| turns.next()).flatten() else { return };
            position.make(turn);
            running.follow(position);
        }
    }

    /// Whether a side's first piece was its queen.
    pub fn opens_with_queen(&self) -> bool {
        self.turns
            .iter()
            .take(2)
            .any(|turn| turn.placed().is_some_and(|piece| piece.bug() == Bug::Queen))
    }

    /// The position after the first `plies` turns.
    ///
    /// # Panics
    ///
    /// Panics if there are not as many.
    pub fn position(&self, plies: usize) -> Position {
        let mut position = Position::new(self.pieces, self.options);
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
        self.turns.iter().filter_map(|turn| turn.placed()).for_each(|piece| numbering.place(piece));
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
        if self.names[piece.slot()].is_some() {
            // It went back to the hand, and keeps its number.
            return;
        }
        let count = &mut self.placed[piece.color() as usize][piece.bug() as usize];
        *count += 1;
        self.names[piece.slot()] = Some(piece.numbered(*count));
    }

    /// The pieces that were placed under another name, each with the new one.
    pub fn renamed(&self) -> impl Iterator<Item = (Piece, Piece)> + '_ {
        let every = Color::BOTH.into_iter().flat_map(|color| {
            let of = move |&bug: &Bug| {
                (1..=bug.most()).map(move |number| Piece::new(color, bug, number))
            };
            Bug::ALL.iter().flat_map(of)
        });
        every.map(|piece| (piece, self.name(piece))).filter(|(piece, name)| piece != name)
    }

    /// The new name of a piece; one that was never placed keeps its own.
    pub fn name(&self, piece: Piece) -> Piece {
        match self.names[piece.whole().slot()] {
            Some(name) if piece.is_half() => name.half().unwrap_or(piece),
            Some(name) => name,
            None => piece,
        }
    }

    /// Whether every piece keeps its name.
    pub fn is_identity(&self) -> bool {
        self.renamed().next().is_none()
    }
}
