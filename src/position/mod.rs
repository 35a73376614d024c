//! Ways to write positions down. Each is a file here, and a line in [`ALL`].
//!
//! A form shows pieces, the side to move, and more or less of the rest; what it leaves out is taken to be as simple as
//! can be ([`Setup`]).
pub mod diagram;
mod dsl;
mod error;
mod json;
mod lihive;
mod same;
mod setup;
mod text;

use crate::{
    hex::{Direction, Hex},
    parse::{Expected, Parsed, Production},
    rules::{Bug, Cell, Color, Hive, Options, Piece, Position},
};

use nom::{
    Parser,
    bytes::complete::take_while_m_n,
    character::complete::char,
    combinator::{all_consuming, map, map_opt, opt},
    error::context,
    sequence::pair,
};

pub use error::ReadError;
pub use same::{Same, Sought};
pub use setup::{Setup, SetupError};
pub use text::{canonical, exact};

/// A way to write a position.
pub trait Form: Sync {
    /// The name on the command line, and of the grammar file.
    fn name(&self) -> &'static str;

    /// Whether a text could be a position in this form.
    fn sniff(&self, text: &str) -> bool;

    /// The texts of the positions that a file holds.
    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        vec![text]
    }

    /// The last place where the bytes of a file can be cut so that no position is divided; `None` where it has to be read
    /// as a whole.
    fn last_cut(&self, _bytes: &[u8]) -> Option<usize> {
        None
    }

    /// What stands between two texts of a file.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Reads a position.
    ///
    /// # Errors
    ///
    /// Fails where the text is none, and where what it shows cannot be a position.
    fn read(&self, text: &str, options: Options) -> Result<Position, ReadError>;

    /// Why a position cannot be said in the form; `None` if it can.
    fn why_not(&self, _position: &Position) -> Option<String> {
        None
    }

    /// The text of a position, with the end of its last line.
    fn write(&self, position: &mut Position) -> String;

    /// The productions of the grammar, leaves first, each with its parser.
    fn productions(&self) -> &'static [Production] {
        &[]
    }
}

/// Every form that can be read. To add one: a file beside this one, its `mod` line, and a line here.
pub static ALL: &[&dyn Form] =
    &[&text::Text, &json::Json, &dsl::Dsl, &lihive::Lihive, &diagram::Ascii];

/// The form with this name.
pub fn named(name: &str) -> Option<&'static dyn Form> {
    ALL.iter().copied().find(|form| form.name() == name)
}

/// The form that a text is probably in.
pub fn detect(text: &str) -> Option<&'static dyn Form> {
    ALL.iter().copied().find(|form| form.sniff(text))
}

/// The occupied cells with coordinates that hang together, row by row.
pub fn spread(hive: &Hive) -> Vec<(Hex, Cell)> {
    let Some(first) = hive.cells().next() else { return Vec::new() };
    let mut placed = vec![(first.hex(), first)];
    let mut next = 0;
    while let Some(&(hex, cell)) = placed.get(next) {
        next += 1;
        for side in Direction::ALL {
            let neighbour = cell.step(side);
            if hive.is_occupied(neighbour) && placed.iter().all(|&(_, known)| known != neighbour) {
                placed.push((hex.step(side), neighbour));
            }
        }
    }
    placed.sort_by_key(|(hex, _)| (hex.r, hex.q));
    placed
}

/// Reads the only line of a text; `end` is what may follow where nothing has to.
fn read_line<'t, T>(
    text: &'t str,
    parser: impl Parser<&'t str, Output = T, Error = Expected<'t>>,
    end: &str,
) -> Result<T, ReadError> {
    let line = text.trim();
    let start = text.len() - text.trim_start().len();
    let (_, read) = all_consuming(parser).parse(line).map_err(|error| {
        let Expected { rest, what } = Expected::of(error);
        let expected = if what == "the end" { end } else { what };
        ReadError::at(start + line.len() - rest.len(), expected)
    })?;
    Ok(read)
}

/// Why a form of another program cannot say a position: it has fan pieces.
fn fan_pieces_in(position: &Position, name: &str) -> Option<String> {
    let game_type = position.game_type();
    (!game_type.is_official()).then(|| format!("{name} has no words for `{game_type}`"))
}

/// Holds the kinds that a text tells to be in a hand against those that are.
fn check_hand(position: &Position, color: Color, told: &[Bug]) -> Result<(), ReadError> {
    let count = |bug| told.iter().filter(|told| **told == bug).count();
    let is_right = |&bug: &Bug| count(bug) == usize::from(position.in_hand(color, bug));
    if Bug::ALL.iter().all(is_right) { Ok(()) } else { Err(ReadError::Hand(color)) }
}

/// The pieces of a text that begin with such lines; what stands before the first belongs to the first.
fn split_before(text: &str, begins: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut at, mut has_begun) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        if begins(line) && std::mem::replace(&mut has_begun, true) {
            pieces.push(&text[start..at]);
            start = at;
        }
        at += line.len();
    }
    pieces.push(&text[start..]);
    pieces
}

/// Where the last such piece begins, of several.
fn last_start(bytes: &[u8], begins: impl Fn(&str) -> bool) -> Option<usize> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    let last = *split_before(text, begins).last()?;
    Some(last.as_ptr().addr() - text.as_ptr().addr()).filter(|&start| start > 0)
}

/// The end of the last line that is whole.
fn last_line_end(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|&byte| byte == b'\n').map(|at| at + 1)
}

/// The lines of a text that hold something, but for comments.
fn filled_lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !is_skipped(line)).collect()
}

/// Whether a line holds nothing, or begins with `#`.
fn is_skipped(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// The first line that is not skipped.
fn first_line(text: &str) -> &str {
    text.lines().find(|line| !is_skipped(line)).unwrap_or_default().trim()
}

/// Stacks of kinds without numbers as stacks of pieces: equal ones are numbered as they come.
fn number_in_order(
    stacks: impl IntoIterator<Item = (Hex, Vec<(Color, Bug)>)>,
) -> Result<Vec<(Hex, Vec<Piece>)>, ReadError> {
    let mut counts = [[0; Bug::COUNT]; 2];
    let mut numbered = |(color, bug): (Color, Bug)| {
        let count: &mut u8 = &mut counts[color as usize][bug as usize];
        *count += 1;
        if *count > Piece::MAX_NUMBER {
            return Err(ReadError::TooMany(Piece::new(color, bug, 1)));
        }
        Ok(Piece::new(color, bug, *count))
    };
    let mut placed = Vec::new();
    for (hex, kinds) in stacks {
        placed.push((hex, kinds.into_iter().map(&mut numbered).collect::<Result<_, _>>()?));
    }
    Ok(placed)
}

/// One digit or two: no hive is longer than that says.
fn short_number(s: &str) -> Parsed<'_, i32> {
    let digits = take_while_m_n(1, 2, |c: char| c.is_ascii_digit());
    context("a number below 100", map_opt(digits, |digits: &str| digits.parse().ok())).parse(s)
}

/// `integer`
fn integer(s: &str) -> Parsed<'_, i32> {
    let sign = map(opt(char('-')), |sign| if sign.is_some() { -1 } else { 1 });
    map(pair(sign, short_number), |(sign, number)| sign * number).parse(s)
}
