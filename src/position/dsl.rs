//! Boards as the engine of hivegame.com writes them in its tests: rows of tokens, of which every second one is shifted,
//! and the stacks below, by numbers. The side to move, the hands and the previous turn are not told.
//!
//! ```text
//! board:
//!
//!  *   *   *   *   *   *
//!    *  wQ   *   *   *   *
//!  *   1  bS1 bQ  bA1  *
//!    *   *   *   *   *   *
//!
//! stack:
//!
//! 1: bottom -> [ wS1 wB1 ] <- top
//! ```
use super::{Form, ReadError, Setup, fan_pieces_in, last_start, split_before, spread};
use crate::{
    hex::Hex,
    rules::{Options, Piece, Position},
};
use std::{collections::BTreeMap, fmt::Write as _};

/// The boards of hivegame.com's tests.
pub(super) struct Dsl;

/// What stands on a cell.
#[derive(Clone, Copy, Debug)]
enum Token {
    Empty,
    Piece(Piece),
    /// The number of a stack.
    Stack(u32),
}

/// A line of a text, and the text, to tell a place in it.
#[derive(Clone, Copy)]
struct Line<'t> {
    whole: &'t str,
    text: &'t str,
}

impl<'t> Line<'t> {
    /// What was expected where a part of the line stands.
    fn expected(self, part: &str, expected: &str) -> ReadError {
        ReadError::at(part.as_ptr().addr() - self.whole.as_ptr().addr(), expected)
    }

    fn words(self) -> impl Iterator<Item = &'t str> {
        self.text.split_whitespace()
    }

    fn token(self, word: &str) -> Result<Token, ReadError> {
        if word == "*" {
            return Ok(Token::Empty);
        }
        if let Ok(number) = word.parse() {
            return Ok(Token::Stack(number));
        }
        let expected = "`*`, the name of a piece, or the number of a stack";
        word.parse().map(Token::Piece).map_err(|_| self.expected(word, expected))
    }

    /// Whether a row is shifted by half a cell.
    fn is_shifted(self) -> bool {
        self.text.starts_with("  ")
    }

    /// The stack of a line such as `1: bottom -> [ wS1 wB1 ] <- top`.
    fn stack(self) -> Result<(u32, Vec<Piece>), ReadError> {
        let expected = "a stack such as `1: bottom -> [ wS1 wB1 ] <- top`";
        let wrong = || self.expected(self.text, expected);
        let (number, rest) = self.text.split_once(':').ok_or_else(wrong)?;
        let number = number.trim().parse().map_err(|_| wrong())?;
        let (_, rest) = rest.split_once('[').ok_or_else(wrong)?;
        let (pieces, _) = rest.split_once(']').ok_or_else(wrong)?;
        let piece =
            |word: &str| word.parse().map_err(|_| self.expected(word, "the name of a piece"));
        Ok((number, pieces.split_whitespace().map(piece).collect::<Result<_, _>>()?))
    }
}

/// The rows and the stacks of a text.
#[derive(Default)]
struct Board {
    /// Whether the first row is shifted, and so every second one.
    begins_shifted: bool,
    rows: Vec<Vec<Token>>,
    stacks: BTreeMap<u32, Vec<Piece>>,
}

impl Board {
    fn read(text: &str) -> Result<Board, ReadError> {
        let mut board = Board::default();
        let mut in_stacks = false;
        let lines = text.lines().map(|line| Line { whole: text, text: line });
        let mut lines = lines.filter(|line| !line.text.trim().is_empty());
        match lines.next() {
            Some(line) if begins(line.text) => {}
            _ => return Err(ReadError::at(0, "`board:`")),
        }
        for line in lines {
            if line.text.trim() == "stack:" {
                in_stacks = true;
            } else if in_stacks {
                let (number, stack) = line.stack()?;
                board.stacks.insert(number, stack);
            } else {
                board.add_row(line)?;
            }
        }
        Ok(board)
    }

    fn add_row(&mut self, line: Line<'_>) -> Result<(), ReadError> {
        if self.rows.is_empty() {
            self.begins_shifted = line.is_shifted();
        } else if line.is_shifted() != (self.begins_shifted ^ (self.rows.len() % 2 == 1)) {
            let expected = "a row that is shifted if the one above is not";
            return Err(line.expected(line.text, expected));
        }
        let row = line.words().map(|word| line.token(word)).collect::<Result<Vec<_>, _>>()?;
        if self.rows.first().is_some_and(|first| first.len() != row.len()) {
            return Err(line.expected(line.text, "as many cells as in the row above"));
        }
        self.rows.push(row);
        Ok(())
    }

    fn stacks(&self) -> Result<Vec<(Hex, Vec<Piece>)>, ReadError> {
        let mut placed = Vec::new();
        for (row, tokens) in (i32::from(self.begins_shifted)..).zip(&self.rows) {
            for (column, token) in (0..).zip(tokens) {
                let stack = match token {
                    Token::Empty => continue,
                    Token::Piece(piece) => vec![*piece],
                    Token::Stack(number) => self.stacks.get(number).cloned().ok_or_else(|| {
                        let expected = format!("a stack with the number {number}");
                        ReadError::at(0, expected)
                    })?,
                };
                // Odd rows are the shifted ones.
                placed.push((Hex { q: column - row.div_euclid(2), r: row }, stack));
            }
        }
        Ok(placed)
    }
}

/// Whether a line begins a board.
fn begins(line: &str) -> bool {
    line.trim() == "board:"
}

impl Form for Dsl {
    fn name(&self) -> &'static str {
        "dsl"
    }

    fn sniff(&self, text: &str) -> bool {
        text.lines().find(|line| !line.trim().is_empty()).is_some_and(|l| l.trim() == "board:")
    }

    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        split_before(text, begins)
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        last_start(bytes, begins)
    }

    fn separator(&self) -> &'static str {
        "\n"
    }

    fn read(&self, text: &str, options: Options) -> Result<Position, ReadError> {
        let setup = Setup { stacks: Board::read(text)?.stacks()?, ..Setup::default() };
        Ok(setup.compose(options)?)
    }

    fn why_not(&self, position: &Position) -> Option<String> {
        fan_pieces_in(position, self.name())
    }

    fn write(&self, position: &mut Position) -> String {
        let hive = position.hive();
        let cells: BTreeMap<(i32, i32), _> = spread(hive)
            .into_iter()
            .map(|(Hex { q, r }, cell)| ((r, q + r.div_euclid(2)), hive.stack(cell)))
            .collect();
        let (mut text, mut stacks) = ("board:\n\n".to_owned(), String::new());
        let columns = cells.keys().map(|(_, column)| *column);
        let (west, east) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
        let rows = cells.keys().map(|(row, _)| *row);
        let (north, south) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
        let mut number = 0;
        for row in north - 1..=south + 1 {
            let mut line = if row.rem_euclid(2) == 1 { "  ".to_owned() } else { String::new() };
            for column in west - 1..=east + 1 {
                let token = match cells.get(&(row, column)).map(Vec::as_slice) {
                    None => " * ".to_owned(),
                    Some([piece]) => format!("{piece:<3}", piece = piece.to_string()),
                    Some(stack) => {
                        number += 1;
                        let names: Vec<String> = stack.iter().map(Piece::to_string).collect();
                        // What is written to a string always arrives.
                        let _ =
                            writeln!(stacks, "{number}: bottom -> [ {} ] <- top", names.join(" "));
                        format!(" {number:<2}")
                    }
                };
                line.push_str(&token);
                line.push(' ');
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text + "\nstack:\n\n" + &stacks
    }
}
