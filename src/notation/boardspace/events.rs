//! From the events of a BoardSpace game to plies.
//!
//! Column and row are the move. The last word of a node tells a neighbour, for people, and differs
//! from year to year; it is not read. A turn counts when it is confirmed by `Done`, and of several
//! placements before that the last one.
use super::sgf::{Event, column, row, unescaped};
use crate::{
    finding::{self, Finding},
    hex::{Direction, Hex},
    notation::move_string,
    parse::Expected,
    record::{Action, Aside, Cause, Claimed, Control, Ply, PlySource, Record, Spot},
    rules::{Bug, Color, Outcome, Piece},
};
use nom::{Parser, combinator::all_consuming};
use std::{collections::BTreeMap, ops::Range};

/// A turn that awaits its confirmation.
#[derive(Clone, Debug)]
enum Pending {
    /// A piece on a column and a row, and the neighbour that is named.
    Put(Piece, (i32, i32), Option<Spot>),
    Pass,
}

/// A game while its events are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    pending: Option<(Pending, Color, Range<usize>)>,
    /// Words about the end of the game, which cost no turn and await their confirmation, too.
    talk: Option<(Control, Color, Range<usize>)>,
    /// The piece that was picked up, from a hand or from the table.
    picked: Option<Piece>,
    table: Table,
}

/// One event of a player, with its place in the source.
pub(super) struct PlayerEvent<'s> {
    pub(super) player: Color,
    pub(super) event: Event<'s>,
    pub(super) span: Range<usize>,
}

/// Verbs of the interface, which change nothing in the game.
const IGNORED: [&str; 11] = [
    "start",
    "done",
    "edit",
    "nullmove",
    "peek",
    "pop",
    "allowundo",
    "dontundo",
    "playwhite",
    "playblack",
    "pleaseundo",
];

impl Events {
    /// Takes one event into the record; whether it ended a turn or confirmed something else.
    ///
    /// # Errors
    ///
    /// Fails where the words of a move cannot be read.
    pub(super) fn take(
        &mut self,
        event: &PlayerEvent<'_>,
        record: &mut Record,
    ) -> Result<bool, Finding> {
        let verb = event.event.verb.to_ascii_lowercase();
        let words = event.event.words.as_slice();
        let span = event.span.clone();
        match verb.as_str() {
            "pick" => {
                self.picked = self.piece(words.get(2), color_word(words.first()), event.player);
            }
            "pickb" => self.picked = self.piece(words.get(2), None, event.player),
            "dropb" | "pdropb" => self.put(event, None, words, record)?,
            "move" | "pmove" | "movedone" | "pmovedone" => {
                let color = color_word(words.first());
                self.put(event, color, words.get(1..).unwrap_or_default(), record)?;
            }
            "pass" | "passdone" => self.pending = Some((Pending::Pass, event.player, span)),
            // A second resignation takes back the first.
            "resign" if matches!(self.talk, Some((Control::Resign, ..))) => self.talk = None,
            "resign" => self.talk = Some((Control::Resign, event.player, span)),
            "acceptdraw" => self.talk = Some((Control::AcceptDraw, event.player, span)),
            "offerdraw" => self.talk = Some((Control::OfferDraw, event.player, span)),
            "declinedraw" => self.talk = Some((Control::DeclineDraw, event.player, span)),
            "winontime" | "gameoverontime" => {
                record.claim(Claimed::Outcome(Outcome::win(event.player)), span.clone());
                record.claim(Claimed::Cause(Cause::Time), span);
            }
            "drop" | "reset" | "undo" => self.pending = None,
            verb if IGNORED.contains(&verb) || verb.starts_with("vcr") => {}
            _ => {
                let message =
                    format!("the event `{}` is not known, and is skipped", event.event.verb);
                record.findings.push(Finding::new(&finding::UNKNOWN_EVENT, span, message));
            }
        }
        let is_confirmed = verb.ends_with("done");
        if is_confirmed {
            self.confirm(event, record);
        }
        Ok(is_confirmed)
    }

    /// Sets a piece on a cell, until it is confirmed or set elsewhere: the words are its name, the column
    /// and the row, and perhaps a neighbour.
    fn put(
        &mut self,
        event: &PlayerEvent<'_>,
        color: Option<Color>,
        words: &[&str],
        record: &Record,
    ) -> Result<(), Finding> {
        let broken = |what: &str| {
            let message = format!("expected {what} after `{}`", event.event.verb);
            Finding::new(&finding::SYNTAX, event.span.clone(), message)
                .at_ply(record.plies.len() + 1)
        };
        let piece = self.piece(words.first(), color, event.player);
        let piece = piece.ok_or_else(|| broken("the name of a piece"))?;
        let [_, column_word, row_word, after @ ..] = words else {
            return Err(broken("a column and a row"));
        };
        if after.len() > 1 {
            return Err(broken("no more than a column, a row and a neighbour"));
        }
        let expected = |error: nom::Err<Expected<'_>>| broken(Expected::of(error).what);
        let (_, column) = all_consuming(column).parse(*column_word).map_err(expected)?;
        let (_, row) = all_consuming(row).parse(*row_word).map_err(expected)?;
        let told = after.first().and_then(|word| move_string::read_spot(&unescaped(word)));
        let put = Pending::Put(piece, (column, row), told);
        self.pending = Some((put, event.player, event.span.clone()));
        Ok(())
    }

    /// How many plies the turn is that awaits its confirmation: two, if the other side passes before it.
    pub(super) fn plies_to_come(&self, record: &Record) -> usize {
        match self.pending {
            None => 0,
            Some((_, player, _)) => 1 + usize::from(player != side_to_move(record)),
        }
    }

    /// Takes what was resigned or agreed and never confirmed, and tells of a turn that was not.
    pub(super) fn finish(mut self, record: &mut Record) {
        self.conclude(record);
        if let Some((Pending::Put(piece, ..), _, span)) = self.pending.take() {
            let message =
                format!("`{piece}` was moved and the turn never confirmed: it does not count");
            record.findings.push(Finding::new(&finding::UNCONFIRMED, span, message));
        }
        let plies = record.plies.len();
        record.remarks.iter_mut().for_each(|remark| remark.after = remark.after.min(plies));
    }

    /// Takes the words about the end of the game; `false` if there were none.
    fn conclude(&mut self, record: &mut Record) -> bool {
        let Some((talk, player, span)) = self.talk.take() else { return false };
        let end = match talk {
            Control::Resign => Some((Outcome::win(player.other()), Cause::Resignation)),
            Control::AcceptDraw => Some((Outcome::Draw, Cause::Agreement)),
            _ => None,
        };
        if let Some((outcome, cause)) = end {
            record.claim(Claimed::Outcome(outcome), span.clone());
            record.claim(Claimed::Cause(cause), span);
        }
        record.remark(Aside::Control(player, talk));
        true
    }

    /// Commits what is pending.
    fn confirm(&mut self, event: &PlayerEvent<'_>, record: &mut Record) {
        self.picked = None;
        let has_concluded = self.conclude(record);
        let pass = |source, span| Ply { action: Action::Pass, told: None, source, span };
        let ply = match self.pending.take() {
            Some((Pending::Put(piece, (column, row), told), _, span)) => {
                let hex = self.table.put(piece, column, row);
                let action = Action::Put(piece, Spot::At(hex));
                Ply { action, told, source: PlySource::Written, span }
            }
            Some((Pending::Pass, _, span)) => pass(PlySource::Written, span),
            None if has_concluded || event.player != side_to_move(record) => return,
            None => pass(PlySource::Confirmed, event.span.clone()),
        };
        // The other side did not take its turn, so it must have passed.
        if event.player != side_to_move(record) {
            record.plies.push(pass(PlySource::Implied, ply.span.clone()));
        }
        record.plies.push(ply);
    }

    /// The piece that a word names: `wA1`, `wL1` and `wL` in newer files, `A1` or `a1` in older ones,
    /// where the colour is told elsewhere: by a word before it, by the piece that was picked up, or
    /// else it is the player's.
    fn piece(&self, word: Option<&&str>, color: Option<Color>, player: Color) -> Option<Piece> {
        let word = *word?;
        let letters: Vec<char> = word.chars().take_while(char::is_ascii_alphabetic).collect();
        let digits = &word[letters.len()..];
        let (own_color, letter) = match letters[..] {
            ['w' | 'W', letter] => (Some(Color::White), letter),
            ['b' | 'B', letter] => (Some(Color::Black), letter),
            [letter] => (None, letter),
            _ => return None,
        };
        let bug = Bug::from_code(letter.to_ascii_uppercase().encode_utf8(&mut [0; 4]))?;
        let number = if digits.is_empty() { 1 } else { digits.parse().ok()? };
        if number == 0 || number > Piece::MAX_NUMBER {
            return None;
        }
        let picked = self
            .picked
            .filter(|picked| (picked.bug(), picked.number()) == (bug, number))
            .map(Piece::color);
        Some(Piece::new(own_color.or(color).or(picked).unwrap_or(player), bug, number))
    }
}

/// The colour that a word such as `W` names.
fn color_word(word: Option<&&str>) -> Option<Color> {
    match *word? {
        "W" | "w" => Some(Color::White),
        "B" | "b" => Some(Color::Black),
        _ => None,
    }
}

/// The side whose turn it is after the plies so far.
fn side_to_move(record: &Record) -> Color {
    if record.plies.len().is_multiple_of(2) { Color::White } else { Color::Black }
}

/// Where the pieces stand, counted from the first one.
#[derive(Clone, Debug, Default)]
struct Table {
    /// Column and row of the first piece.
    origin: (i32, i32),
    pieces: BTreeMap<Piece, Hex>,
}

impl Table {
    /// Sets a piece on a column and a row, and returns the cell.
    fn put(&mut self, piece: Piece, column: i32, row: i32) -> Hex {
        if self.pieces.is_empty() {
            self.origin = (column, row);
        }
        let hex = self.unwrap(column, row, piece);
        self.pieces.insert(piece, hex);
        hex
    }

    /// The cell of a column and a row. The board of older files is a torus of 26 by 26 cells: of the
    /// copies of a cell it is the one that touches the hive.
    fn unwrap(&self, column: i32, row: i32, mover: Piece) -> Hex {
        const SIZE: i32 = 26;
        let plain = Hex { q: column - self.origin.0, r: self.origin.1 - row };
        let others = || self.pieces.iter().filter(|(piece, _)| **piece != mover);
        let touches = |hex: Hex| {
            let near =
                |at: Hex| at == hex || Direction::ALL.iter().any(|&side| at.step(side) == hex);
            others().any(|(_, &at)| near(at))
        };
        // A hive can wander around the torus more than once.
        let found = (0..4i32)
            .flat_map(|far| (-far..=far).flat_map(move |q| (-far..=far).map(move |r| (far, q, r))))
            .filter(|&(far, q, r)| q.abs().max(r.abs()) == far)
            .map(|(_, q, r)| Hex { q: plain.q + q * SIZE, r: plain.r + r * SIZE })
            .find(|&hex| touches(hex));
        match (found, others().map(|(_, hex)| hex.q).max()) {
            (Some(hex), _) => hex,
            (None, None) => plain,
            // Apart from the hive: how far does not matter, but the board of the rules is rolled up, so
            // it must not be so far that it comes near again.
            (None, Some(easternmost)) => {
                Hex { q: easternmost + 20, r: others().next().map_or(0, |(_, hex)| hex.r) }
            }
        }
    }
}
