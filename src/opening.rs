//! Names of openings: by the shape of the first tiles and queens, or by positions, as a table says.
//!
//! The shape looks at a chain of four tiles, when both queens have come down: the white queen, White's first tile, Black's
//! first tile, the black queen. Each is a step from the one before, and the shape is how the chain bends: by how many times
//! 60 degrees at White's first tile, and at Black's. Mirror images are one shape. (The shapes are those of Randy Ingersoll's
//! "Play Hive Like a Champion".)
use crate::{
    game::Game,
    hex::Direction,
    notation, position,
    replay::{Replayer, RuleOptions},
    rules::{Bug, Cell, Color, Key, Options, Piece, Position, Turn},
    source::Source,
};
use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

/// The table that is used where no other one is given.
pub const SHAPES: &str = include_str!("opening.tsv");

/// Names of openings.
#[derive(Clone, Debug, Default)]
pub struct Table {
    shapes: HashMap<Shape, Opening>,
    positions: HashMap<Key, Opening>,
}

/// An opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// A short name.
    pub code: String,
    /// A name in words.
    pub name: String,
}

/// How the chain of the first tiles lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shape {
    /// It bends by so many times 60 degrees at the second tile, and at the third.
    Bends(i32, i32),
    /// A queen is not beside the first tile of her side.
    Apart,
    /// A queen came first, or the tiles lie on each other.
    Other,
    /// A queen was not placed within the first ten plies.
    Unplaced,
}

/// A line that is none of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TableError {}

/// Within how many plies both queens have to be placed for a shape.
const PLIES: usize = 10;

impl FromStr for Shape {
    type Err = ();

    fn from_str(text: &str) -> Result<Shape, ()> {
        match text {
            "apart" => return Ok(Shape::Apart),
            "other" => return Ok(Shape::Other),
            "unplaced" => return Ok(Shape::Unplaced),
            _ => {}
        }
        let (first, second) =
            text.strip_prefix("bends ").and_then(|b| b.split_once(' ')).ok_or(())?;
        let bend = |text: &str| text.parse().ok().filter(|bend| (-2..=3).contains(bend)).ok_or(());
        Ok(Shape::bends(bend(first)?, bend(second)?))
    }
}

impl Shape {
    /// The shape with these bends: of it and its mirror image the one that bends to the right first.
    fn bends(first: i32, second: i32) -> Shape {
        let mirrored = |bend: i32| if bend == 3 { 3 } else { -bend };
        let (a, b) = ((first, second), (mirrored(first), mirrored(second)));
        let (first, second) = a.max(b);
        Shape::Bends(first, second)
    }

    /// The shape of a game.
    fn of(game: &Game) -> Shape {
        let placed = |color: Color, bug: Option<Bug>| {
            game.turns().iter().take(PLIES).position(|turn| {
                matches!(turn, Turn::Place { piece, .. }
                    if piece.color() == color && bug.is_none_or(|bug| piece.bug() == bug))
            })
        };
        let queens = Color::BOTH.map(|color| placed(color, Some(Bug::Queen)));
        let [Some(white), Some(black)] = queens else { return Shape::Unplaced };
        let firsts = Color::BOTH.map(|color| placed(color, None));
        if firsts == queens || firsts[0] == queens[0] || firsts[1] == queens[1] {
            return Shape::Other;
        }
        let position = game.position(white.max(black) + 1);
        let cell = |ply: Option<usize>| {
            let turn = game.turns()[ply?];
            position.hive().cell_of(turn.goes()?.0)
        };
        let chain = [queens[0], firsts[0], firsts[1], queens[1]].map(cell);
        let [Some(a), Some(b), Some(c), Some(d)] = chain else { return Shape::Other };
        match [step(a, b), step(b, c), step(c, d)] {
            [Some(one), Some(two), Some(three)] => Shape::bends(turn(one, two), turn(two, three)),
            [None, ..] | [.., None] if a != b && c != d => Shape::Apart,
            _ => Shape::Other,
        }
    }
}

/// The side on which a neighbour lies.
fn step(from: Cell, to: Cell) -> Option<usize> {
    Direction::ALL.into_iter().position(|side| from.step(side) == to)
}

/// By how many times 60 degrees to the right a way turns from one side to another: from -2 to 3.
fn turn(from: usize, to: usize) -> i32 {
    let turns = (to + 6 - from) % 6;
    if turns > 3 {
        i32::try_from(turns).unwrap_or(0) - 6
    } else {
        i32::try_from(turns).unwrap_or(0)
    }
}

impl FromStr for Table {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Table, TableError> {
        let mut table = Table::default();
        for (line, row) in (1..).zip(text.lines()) {
            if row.trim().is_empty() || row.starts_with('#') {
                continue;
            }
            table.add(row).map_err(|message| TableError { line, message })?;
        }
        Ok(table)
    }
}

impl Table {
    /// The table of shapes.
    pub fn shapes() -> &'static Table {
        static SHAPES_TABLE: LazyLock<Table> = LazyLock::new(|| SHAPES.parse().unwrap_or_default());
        &SHAPES_TABLE
    }

    /// Adds a row: a code, a name, and what it names, with a tabulator between.
    fn add(&mut self, row: &str) -> Result<(), String> {
        let mut columns = row.split('\t').map(str::trim);
        let (Some(code), Some(name), Some(what), None) =
            (columns.next(), columns.next(), columns.next(), columns.next())
        else {
            return Err(
                "expected a code, a name and what it names, with tabulators between".to_owned()
            );
        };
        let opening = Opening { code: code.to_owned(), name: name.to_owned() };
        if let Ok(shape) = what.parse() {
            self.shapes.insert(shape, opening);
            return Ok(());
        }
        self.positions.insert(position_of(what)?.key(), opening);
        Ok(())
    }

    /// The opening of a game: the last of its positions that has a name, else its shape.
    pub fn opening(&self, game: &Game) -> Option<&Opening> {
        let mut last = None;
        if !self.positions.is_empty() {
            let mut position = game.position(0);
            game.each_key(&mut position, |_, key| {
                last = self.positions.get(&key).or(last);
                true
            });
        }
        last.or_else(|| self.shapes.get(&Shape::of(game)))
    }
}

/// The position that a row names: in any form, or as a game string.
fn position_of(text: &str) -> Result<Position, String> {
    if let Some(form) = position::detect(text).filter(|form| form.name() != "ascii") {
        return form.read(text, Options::default()).map_err(|error| error.to_string());
    }
    let source = Source::new("table", text);
    let wrong =
        || "expected `bends A B`, `apart`, `other`, `unplaced`, a position, or a game string";
    let uhp = notation::named("uhp").ok_or_else(wrong)?;
    let record = uhp.read(&source).next().ok_or_else(wrong)?.map_err(|found| found.message)?;
    let mut replayer = Replayer::new(RuleOptions::default());
    match replayer.replay(&record).fault {
        None => Ok(replayer.position().clone()),
        Some(fault) => Err(fault.message),
    }
}

/// The first tiles that a side moved or placed, each once a turn: `G1-A1-Q-A1`.
pub fn tiles(game: &Game, color: Color) -> String {
    /// How many turns are told.
    const TURNS: usize = 4;
    let numbering = game.numbering();
    let name = |piece: Piece| numbering.name(piece).to_string()[1..].to_owned();
    let side = usize::from(color == Color::Black);
    let own = game.turns().iter().skip(side).step_by(2).take(TURNS);
    own.map(|turn| turn.goes().map_or("pass".to_owned(), |(piece, _)| name(piece)))
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_shapes_can_be_read() {
        let table: Table = SHAPES.parse().unwrap();
        assert_eq!(table.shapes.len(), 6);
    }
}
