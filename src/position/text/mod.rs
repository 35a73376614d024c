//! The position notation: one line without blanks. Specification: `docs/position-notation.md`.
//!
//! ```text
//! BaseMLP.w4.-wQwA1bA1~.wB1_bB1bQ.o-1_0
//! ```
mod read;
mod write;

use super::{Form, ReadError, filled_lines, first_line, last_line_end, read_line};
use crate::{
    parse::Production,
    rules::{Options, Position, Sign},
};

pub(super) use write::{Unnumbered, exact_in_turn};
pub use write::{canonical, exact};

/// The position notation.
pub(super) struct Text;

/// The letters of [`Sign::ALL`]. None is a `w` or a `b`, which begin the next piece.
const SIGNS: [char; Sign::ALL.len()] =
    ['d', 's', 'o', 'a', 'c', 'p', 'x', 'm', 't', 'n', 'v', 'y', 'z'];

/// A piece was moved: the only sign that may be left out after the `~`.
const MOVED: char = 'm';

/// A piece lies beneath its stack.
const UNDER: char = 'u';

/// Where the other half of a stick insect lies: by places in [`Direction::ALL`], which begins in the north-west.
const PARTNERS: [char; 6] = ['i', 'j', 'e', 'f', 'g', 'h'];

impl Form for Text {
    fn name(&self) -> &'static str {
        "position"
    }

    fn sniff(&self, text: &str) -> bool {
        let line = first_line(text);
        let head = line.split('.').nth(1);
        let side = head.is_some_and(|side| side.starts_with(['w', 'b']));
        line.starts_with("Base") && side && !line.contains([';', ' '])
    }

    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        filled_lines(text)
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        last_line_end(bytes)
    }

    fn read(&self, text: &str, options: Options) -> Result<Position, ReadError> {
        let parts = read_line(text, read::position, "`.`, a piece, or the end")?;
        Ok(parts.setup()?.compose(options)?)
    }

    fn write(&self, position: &mut Position) -> String {
        exact(position) + "\n"
    }

    fn productions(&self) -> &'static [Production] {
        read::PRODUCTIONS
    }
}
