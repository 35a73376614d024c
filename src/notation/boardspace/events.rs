//! From the events of a BoardSpace game to plies.
//!
//! Column and row are the move. The last word of a node tells a neighbour, for people, and differs
//! from year to year; it is not read. A turn counts when it is confirmed by `Done`, and of several
//! placements before that the last one.
use super::sgf::{Event, column, row};
use crate::{
    finding::{self, Finding},
    hex::{Direction, Hex},
    parse::Expected,
    record::{Action, Claimed, Ply, PlySource, Record, Spot},
    rules::{Bug, Color, Outcome, Piece},
};
use nom::{Parser, combinator::all_consuming};
use std::{collections::BTreeMap, ops::Range};

/// What awaits its confirmation.
#[derive(Clone, Debug)]
enum Pending {
    Put(Piece, Hex),
    Pass,
    Resign,
    AcceptDraw,
    /// An offer of a draw, or its refusal: no turn.
    Talk,
}

/// A game while its events are read.
#[derive(Debug, Default)]
pub(super) struct Events {
    pending: Option<(Pending, Range<usize>)>,
    /// The piece that was picked up, from a hand or from the table.
    picked: Option<Piece>,
    table: Table,
    pub(super) starts: usize,
}

/// One event of a player, with its place in the source.
pub(super) struct PlayerEvent<'s> {
    pub(super) player: Color,
    pub(super) event: Event<'s>,
    pub(super) span: Range<usize>,
}

impl Events {
    /// Takes one event into the record.
    ///
    /// # Errors
    ///
    /// Fails where the words of a move cannot be read.
    pub(super) fn take(
        &mut self,
        event: &PlayerEvent<'_>,
        record: &mut Record,
    ) -> Result<(), Finding> {
        let verb = event.event.verb.to_ascii_lowercase();
        let words = event.event.words.as_slice();
        let broken = |what: &str| {
            let message = format!("expected {what} after `{}`", event.event.verb);
            Finding::new(&finding::SYNTAX, event.span.clone(), message)
                .at_ply(record.plies.len() + 1)
        };
        match verb.as_str() {
            "start" => self.starts += 1,
            "pick" => {
                self.picked = self.piece(words.get(2), color_word(words.first()), event.player);
            }
            "pickb" => self.picked = self.piece(words.get(2), None, event.player),
            "dropb" | "pdropb" => {
                let piece = self.piece(words.first(), None, event.player);
                let piece = piece.ok_or_else(|| broken("the name of a piece"))?;
                let cell = self.cell(words.get(1..), piece).map_err(broken)?;
                self.pending = Some((Pending::Put(piece, cell), event.span.clone()));
            }
            "move" | "pmove" | "movedone" | "pmovedone" => {
                let piece = self.piece(words.get(1), color_word(words.first()), event.player);
                let piece = piece.ok_or_else(|| broken("a colour and the name of a piece"))?;
                let cell = self.cell(words.get(2..), piece).map_err(broken)?;
                self.pending = Some((Pending::Put(piece, cell), event.span.clone()));
            }
            "pass" | "passdone" => self.pending = Some((Pending::Pass, event.span.clone())),
            "resign" => self.toggle_resign(event),
            "acceptdraw" => self.pending = Some((Pending::AcceptDraw, event.span.clone())),
            "offerdraw" | "declinedraw" => self.pending = Some((Pending::Talk, event.span.clone())),
            "winontime" | "gameoverontime" => {
                record.claim(Claimed::Outcome(Outcome::win(event.player)), event.span.clone());
            }
            "drop" | "reset" | "undo" => self.pending = None,
            _ => {}
        }
        if verb.ends_with("done") {
            self.confirm(event, record);
        }
        Ok(())
    }

    /// Takes what was resigned or agreed and never confirmed.
    pub(super) fn finish(&mut self, player: Color, record: &mut Record) {
        if let Some((Pending::Resign | Pending::AcceptDraw, span)) = &self.pending {
            let event = Event { verb: "Done", words: Vec::new() };
            self.confirm(&PlayerEvent { player, event, span: span.clone() }, record);
        }
    }

    /// A second resignation takes back the first.
    fn toggle_resign(&mut self, event: &PlayerEvent<'_>) {
        self.pending = match self.pending.take() {
            Some((Pending::Resign, _)) => None,
            _ => Some((Pending::Resign, event.span.clone())),
        };
    }

    /// Commits what is pending.
    fn confirm(&mut self, event: &PlayerEvent<'_>, record: &mut Record) {
        let pending = self.pending.take();
        self.picked = None;
        match pending {
            Some((Pending::Put(piece, hex), span)) => {
                self.table.pieces.insert(piece, hex);
                commit(
                    event.player,
                    Action::Put(piece, Spot::At(hex)),
                    PlySource::Written,
                    span,
                    record,
                );
            }
            Some((Pending::Pass, span)) => {
                commit(event.player, Action::Pass, PlySource::Written, span, record);
            }
            Some((Pending::Resign, span)) => {
                record.claim(Claimed::Outcome(Outcome::win(event.player.other())), span);
            }
            Some((Pending::AcceptDraw, span)) => {
                record.claim(Claimed::Outcome(Outcome::Draw), span);
            }
            None if event.player == side_to_move(record) => {
                let span = event.span.clone();
                commit(event.player, Action::Pass, PlySource::Confirmed, span, record);
            }
            Some((Pending::Talk, _)) | None => {}
        }
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

    /// The cell that a column and a row name.
    fn cell(&mut self, words: Option<&[&str]>, piece: Piece) -> Result<Hex, &'static str> {
        let [column_word, row_word, ..] = words.unwrap_or_default() else {
            return Err("a column and a row");
        };
        let expected = |error: nom::Err<Expected<'_>>| Expected::of(error).what;
        let (_, column) = all_consuming(column).parse(*column_word).map_err(expected)?;
        let (_, row) = all_consuming(row).parse(*row_word).map_err(expected)?;
        Ok(self.table.unwrap(column, row, piece))
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

/// Adds a ply of `player`, after a pass of the other side if it was the other side's turn.
fn commit(
    player: Color,
    action: Action,
    source: PlySource,
    span: Range<usize>,
    record: &mut Record,
) {
    if player != side_to_move(record) {
        let implied = Ply { action: Action::Pass, source: PlySource::Implied, span: span.clone() };
        record.plies.push(implied);
    }
    record.plies.push(Ply { action, source, span });
}

/// Where the pieces stand, counted from the first one.
#[derive(Debug, Default)]
struct Table {
    /// Column and row of the first piece.
    origin: Option<(i32, i32)>,
    pieces: BTreeMap<Piece, Hex>,
}

impl Table {
    /// The cell of a column and a row. The board of older files is a torus of 26 by 26 cells: of the
    /// copies of a cell it is the one that touches the hive.
    fn unwrap(&mut self, column: i32, row: i32, mover: Piece) -> Hex {
        const SIZE: i32 = 26;
        let (first_column, first_row) = *self.origin.get_or_insert((column, row));
        let plain = Hex { q: column - first_column, r: first_row - row };
        let touches = |hex: Hex| {
            let near =
                |at: Hex| at == hex || Direction::ALL.iter().any(|&side| at.step(side) == hex);
            self.pieces.iter().any(|(&piece, &at)| piece != mover && near(at))
        };
        // A hive can wander around the torus more than once.
        (0..4i32)
            .flat_map(|far| (-far..=far).flat_map(move |q| (-far..=far).map(move |r| (far, q, r))))
            .filter(|&(far, q, r)| q.abs().max(r.abs()) == far)
            .map(|(_, q, r)| Hex { q: plain.q + q * SIZE, r: plain.r + r * SIZE })
            .find(|&hex| touches(hex))
            .unwrap_or(plain)
    }
}
