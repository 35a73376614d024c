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
mod draw;
mod read;

use super::{Form, ReadError};
use crate::rules::{OpeningRule, Position};

pub use draw::{Drawing, draw};
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

    fn read(&self, text: &str, opening: OpeningRule) -> Result<Position, ReadError> {
        read(text, opening)
    }

    fn write(&self, position: &mut Position) -> String {
        draw(position).to_string()
    }
}

/// The width of a cell.
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
        let position = read(text, OpeningRule::Any).unwrap();
        let drawn = draw(&position).to_string();
        let again = read(&drawn, OpeningRule::Any).unwrap();
        assert_eq!(draw(&again).to_string(), drawn);
        assert_eq!(position.hive().cells().count(), 5);
        assert_eq!(drawn.lines().last(), text.lines().last());
    }

    #[test]
    fn a_drawing_typed_by_hand_needs_no_header() {
        let text = "> wQ  bG1\n>   wA1 bQ\n";
        let mut position = read(text, OpeningRule::Any).unwrap();
        assert_eq!((position.to_move(), position.turn_number()), (Color::White, 3));
        assert!(position.has_turn());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str| read(text, OpeningRule::Any).unwrap_err().to_string();
        assert_eq!(error("wQ bX"), "line 1, column 5: expected a bug, one of QSBGAMLP");
        assert_eq!(error("wQ    .    bQ"), "the pieces do not hang together");
        assert_eq!(error("wQ    wQ"), "`wQ` stands in two places");
        assert_eq!(
            error("Base, turn White[0]\nwQ    bQ"),
            "the number of a turn is from 1 to 1000000"
        );
        assert_eq!(error(&format!("wQ{}bQ", " ".repeat(766))), "the pieces do not hang together");
        assert_eq!(error("> wQ bX"), "line 1, column 7: expected a bug, one of QSBGAMLP");
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
