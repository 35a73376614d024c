//! Boards of lihive: `~0.0QbB~1.0bQ-1A`. Each `~` begins a column (q), then come a row (r) and the tiles of its stack,
//! from the bottom to the top; black ones bear a `b`. Nothing else of a position is told.
use super::{
    Form, ReadError, Setup, fan_pieces_in, filled_lines, first_line, integer, last_line_end,
    number_in_order, read_line, spread,
};
use crate::{
    hex::Hex,
    parse::{Parsed, Production, productions},
    rules::{Bug, Color, Options, Piece, Position},
};
use nom::{
    Parser,
    branch::alt,
    character::complete::{char, one_of},
    combinator::{cut, map, map_opt, opt, recognize, value},
    error::context,
    multi::{many1, many1_count},
    sequence::{pair, preceded, terminated},
};
use std::{collections::BTreeMap, fmt::Write as _};

/// The boards of lihive.
pub(super) struct Lihive;

/// `tile`
fn tile(s: &str) -> Parsed<'_, (Color, Bug)> {
    let bug = map_opt(recognize(one_of("QSBGAMLP")), Bug::from_code);
    let color = map(opt(char('b')), |b| if b.is_some() { Color::Black } else { Color::White });
    context("a tile, one of ABGLMPQS after `b` or nothing", pair(color, bug)).parse(s)
}

/// `stack`
fn stack(s: &str) -> Parsed<'_, (i32, Vec<(Color, Bug)>)> {
    pair(context("a row", integer), many1(tile)).parse(s)
}

/// A column with its stacks.
type Column = (i32, Vec<(i32, Vec<(Color, Bug)>)>);

/// `column`
fn column(s: &str) -> Parsed<'_, Column> {
    let q = terminated(context("a column", integer), context("`.`", char('.')));
    preceded(char('~'), cut(pair(q, many1(stack)))).parse(s)
}

/// `board`
fn board(s: &str) -> Parsed<'_, Vec<Column>> {
    let empty = value(Vec::new(), nom::bytes::complete::tag("~."));
    context("a board, such as `~0.0Q`", alt((empty, many1(column)))).parse(s)
}

/// `board`, to be held against the grammar.
fn whole(s: &str) -> Parsed<'_, &str> {
    recognize(alt((value(0, nom::bytes::complete::tag("~.")), many1_count(column)))).parse(s)
}

const PRODUCTIONS: &[Production] = productions! {
    "tile" = tile, "integer" = integer, "stack" = stack, "column" = column, "board" = whole,
};

impl Form for Lihive {
    fn name(&self) -> &'static str {
        "lihive-board"
    }

    fn sniff(&self, text: &str) -> bool {
        let text = first_line(text);
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '~' | '.' | '-');
        text.starts_with('~') && text.chars().all(is_part)
    }

    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        filled_lines(text)
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        last_line_end(bytes)
    }

    fn read(&self, text: &str, options: Options) -> Result<Position, ReadError> {
        let columns = read_line(text, board, "the end")?;
        let stacks = columns.into_iter().flat_map(|(q, stacks)| {
            stacks.into_iter().map(move |(r, tiles)| (Hex { q, r }, tiles))
        });
        let setup = Setup { stacks: number_in_order(stacks)?, ..Setup::default() };
        Ok(setup.compose(options)?)
    }

    fn why_not(&self, position: &Position) -> Option<String> {
        fan_pieces_in(position, self.name())
    }

    fn write(&self, position: &mut Position) -> String {
        let hive = position.hive();
        let mut columns: BTreeMap<i32, Vec<(i32, Vec<Piece>)>> = BTreeMap::new();
        for (Hex { q, r }, cell) in spread(hive) {
            columns.entry(q).or_default().push((r, hive.stack(cell)));
        }
        let mut text = String::new();
        for (q, stacks) in &columns {
            // What is written to a string always arrives.
            let _ = write!(text, "~{q}.");
            for (r, stack) in stacks {
                let _ = write!(text, "{r}");
                for piece in stack {
                    let black = if piece.color() == Color::Black { "b" } else { "" };
                    let _ = write!(text, "{black}{}", piece.bug().code());
                }
            }
        }
        if text.is_empty() { "~.\n".to_owned() } else { text + "\n" }
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}
