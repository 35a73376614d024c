//! Positions drawn with letters: one drawing for people, for tests and for documents, which can be read
//! again. Grammar: `grammar/diagram.ebnf`.
//!
//! ```text
//! Base+MLP, turn White[4], moved bA1
//!
//!    .     .     .     o
//! .    wQ    wA1  *bA1   .
//!    .    bB1^1  bQ    .
//!       .     .     .
//!
//! stack: wB1 < bB1
//! white hand: S1 S2 B2 G1 G2 G3 A2 A3 M L P
//! black hand: S1 S2 B2 G1 G2 G3 A2 A3 M L P
//! ```
//!
//! Each cell is six characters wide, and each row stands three further right than the one above.
//! A piece shows as its name, a stack as its top with the number of pieces beneath it; the piece of
//! the last turn bears a star, and the cell it left is an `o`. The first line holds what the drawing cannot
//! show; `moved` is the piece that rests. Without that line a drawing is read as a position of the smallest
//! game type that has its pieces, with White to move.
//!
//! Fan pieces add: `(bA1)` lies face down, `wSi'` is the second cell of a stick insect, `wHv:b` a beehive that shows black,
//! `wCo:L` a cockroach that shows its back, `wCi:a` a cicada that has come out; `wQ_` has a nymph beneath it, which
//! begins its list: `stack: _wCi < wQ`. The first line then tells the piece that was used, how, and all that were moved or
//! turned; lines at the end tell what cannot be seen: `spent:`, `resting:`, `no poison:` and `removed:`.
mod draw;
mod read;

use super::{Form, ReadError, last_start, split_before};
use crate::rules::{How, Mark, Options, Position};

pub use draw::{Drawing, Marks, draw, draw_marked};
pub use read::{PRODUCTIONS, read, sniff};

/// Drawings.
pub(super) struct Ascii;

impl Form for Ascii {
    fn name(&self) -> &'static str {
        "ascii"
    }

    fn sniff(&self, text: &str) -> bool {
        sniff(text)
    }

    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        split_before(text, read::begins)
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        last_start(bytes, read::begins)
    }

    fn separator(&self) -> &'static str {
        "\n"
    }

    fn read(&self, text: &str, options: Options) -> Result<Position, ReadError> {
        read(text, options)
    }

    fn write(&self, position: &mut Position) -> String {
        draw(position).to_string()
    }
}

/// Lines that tell what cannot be seen on the table.
const LISTS: [(&str, Mark); 4] = [
    ("spent", Mark::Spent),
    ("resting", Mark::Cooling),
    ("no poison", Mark::PoisonSpent),
    ("removed", Mark::Removed),
];

/// How the piece of the previous turn was used, where fan pieces make that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Used(How);

impl Used {
    const ALL: [Used; 4] =
        [Used(How::Placed), Used(How::Moved), Used(How::Ability), Used(How::Flipped)];

    fn of(how: How) -> Option<Used> {
        Used::ALL.into_iter().find(|used| used.0 == how)
    }

    fn word(self) -> &'static str {
        match self.0 {
            How::Placed => "placed",
            How::Ability => "used",
            How::Flipped => "flipped",
            How::Moved | How::Pass | How::Unknown => "walked",
        }
    }
}

/// The width of a cell, if no label is wider.
const PITCH: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Color;

    #[test]
    fn a_drawing_survives_reading() {
        let text = "\
Base+MLP, turn White[5], moved bA1

         .     .     o
    .    wQ    wA1  *bA1   .
       .    bB1^1 bQ     .
          .     .     .

stack: wB1 < bB1
white hand: S1 S2 B2 G1 G2 G3 A2 A3 M L P
black hand: S1 S2 B2 G1 G2 G3 A2 A3 M L P
";
        let position = read(text, Options::default()).unwrap();
        let drawn = draw(&position).to_string();
        let again = read(&drawn, Options::default()).unwrap();
        assert_eq!(draw(&again).to_string(), drawn);
        assert_eq!(position.hive().cells().count(), 5);
        assert_eq!(drawn.lines().last(), text.lines().last());
    }

    #[test]
    fn a_drawing_typed_by_hand_needs_no_header() {
        let text = "> wQ  bG1\n>   wA1 bQ\n";
        let mut position = read(text, Options::default()).unwrap();
        assert_eq!((position.to_move(), position.turn_number()), (Color::White, 3));
        assert!(position.has_turn());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str| read(text, Options::default()).unwrap_err().to_string();
        let bug = "a bug, one of QSBGAMLP, or the two letters of a fan piece";
        for (text, offset) in [("wQ bX", 4), ("> wQ bX", 6), ("wQ bQ\n> wA1 bX", 13)] {
            let error = read(text, Options::default()).unwrap_err();
            assert_eq!(error, ReadError::Syntax { offset, expected: bug.to_owned() }, "{text}");
        }
        assert_eq!(error("wQ    .    bQ"), "the pieces do not hang together");
        assert_eq!(error("wQ    wQ"), "`wQ` stands in two places");
        assert_eq!(
            error("Base, turn White[0]\nwQ    bQ"),
            "the number of a turn is from 1 to 1000000"
        );
        assert_eq!(error(&format!("wQ{}bQ", " ".repeat(766))), "the pieces do not hang together");
        assert!(error("wQ bQ\nwA1 bA1\nwA2 wA3").starts_with("`wA1` stands between two cells"));
        assert_eq!(
            error("Base\nwQ    bQ\nwhite hand: Q A1"),
            "White's hand is not what is missing on the table"
        );
        assert_eq!(
            error("Base, turn White[2], WhiteWins\nwQ    bQ"),
            "the text tells another end of the game than the table"
        );
        assert_eq!(error("wB1^1 wQ"), "the stack under `wB1` is not as the drawing shows it");
        assert_eq!(
            error("Base, turn White[1]\nwQ    bQ"),
            "more pieces are on the table than turns were played"
        );
    }
}
