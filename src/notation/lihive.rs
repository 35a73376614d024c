//! Games of lihive: cells in axial coordinates and tiles without numbers, one game a line. Grammar:
//! `grammar/lihive.ebnf`.
//!
//! `(0,0)[wQ]` places a tile, `(0,0)(1,-1)` moves the top of a cell, `x` is a pass, `#` ends the game. Versions of the
//! program disagree on what separates plies: commas, semicolons, blanks and nothing are all read.
use super::{Notation, Part, Plane, Records, Style, line_starts_from_end, lines, offset_in};
use crate::{
    finding::{self, Finding},
    game::Game,
    hex::Hex,
    parse::{Expected, Parsed, Production, productions},
    record::{Action, Ply, PlySource, Record, Spot},
    rules::{Bug, Color, Piece, Position},
    source::Source,
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{take, take_while_m_n},
    character::complete::{char, one_of},
    combinator::{map, map_opt, opt, recognize, value},
    error::context,
    multi::many0,
    sequence::{delimited, pair, preceded, separated_pair, terminated},
};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// The notation of lihive.
#[derive(Debug)]
pub struct Lihive;

/// A ply as it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Placed(Hex, (Color, Bug)),
    Moved(Hex, Hex),
    Pass,
}

/// `coordinate`
fn coordinate(s: &str) -> Parsed<'_, i32> {
    let digits = take_while_m_n(1, 4, |c: char| c.is_ascii_digit());
    let number =
        map_opt(recognize(pair(opt(char('-')), digits)), |number: &str| number.parse().ok());
    context("a coordinate", number).parse(s)
}

/// `cell`
fn cell(s: &str) -> Parsed<'_, Hex> {
    let pair = separated_pair(coordinate, char(','), coordinate);
    context(
        "a cell, such as `(0,-1)`",
        map(delimited(char('('), pair, char(')')), |(q, r)| Hex { q, r }),
    )
    .parse(s)
}

/// `tile`
fn tile(s: &str) -> Parsed<'_, (Color, Bug)> {
    let color = alt((value(Color::White, char('w')), value(Color::Black, char('b'))));
    context(
        "a tile, such as `wQ`",
        pair(color, context("the letter of a piece", map_opt(take(1usize), Bug::from_code))),
    )
    .parse(s)
}

/// `ply`
fn ply(s: &str) -> Parsed<'_, Told> {
    let placed =
        map(pair(cell, delimited(char('['), tile, char(']'))), |(at, tile)| Told::Placed(at, tile));
    let moved = map(pair(cell, cell), |(from, to)| Told::Moved(from, to));
    context("a ply", alt((value(Told::Pass, char('x')), placed, moved))).parse(s)
}

/// `separator`
fn separator(s: &str) -> Parsed<'_, char> {
    one_of(";, ").parse(s)
}

/// A ply with the text from its beginning on.
fn spanned_ply(s: &str) -> Parsed<'_, (&str, Told)> {
    let (rest, told) = ply(s)?;
    Ok((rest, (&s[..s.len() - rest.len()], told)))
}

/// `game`
fn game(s: &str) -> Parsed<'_, Vec<(&str, Told)>> {
    if let Some(rest) = s.strip_prefix('#') {
        return Ok((rest, Vec::new()));
    }
    let more = many0(preceded(opt(separator), spanned_ply));
    let (rest, (first, more)) = terminated(pair(spanned_ply, more), opt(char('#'))).parse(s)?;
    Ok((rest, [vec![first], more].concat()))
}

/// The productions of `grammar/lihive.ebnf`, leaves first, each with its parser.
const PRODUCTIONS: &[Production] = productions! {
    "coordinate" = coordinate, "cell" = cell, "tile" = tile, "ply" = ply, "separator" = separator,
    "game" = game,
};

/// What stands on the cells, bottom to top, so that the top of one can be named.
#[derive(Default)]
struct Table {
    stacks: BTreeMap<(i32, i32), Vec<Piece>>,
    placed: BTreeMap<(Color, Bug), u8>,
}

impl Table {
    fn piece(&mut self, told: Told) -> Option<Piece> {
        match told {
            Told::Placed(_, (color, bug)) => {
                let number = self.placed.entry((color, bug)).or_default();
                *number += 1;
                (*number <= Piece::MAX_NUMBER).then(|| Piece::new(color, bug, *number))
            }
            Told::Moved(from, _) => self.stacks.get_mut(&(from.q, from.r))?.pop(),
            Told::Pass => None,
        }
    }

    fn put(&mut self, piece: Piece, at: Hex) {
        self.stacks.entry((at.q, at.r)).or_default().push(piece);
    }
}

fn record(line: &str, at: usize) -> Result<Record, Finding> {
    let whole = at..at + line.len();
    let broken = |rest: &str, what: &str, ply: usize| {
        let start = at + offset_in(line, rest);
        Finding::new(&finding::SYNTAX, start..whole.end, format!("expected {what}")).at_ply(ply)
    };
    let (rest, plies) = game(line).map_err(|error| {
        let Expected { rest, what } = Expected::of(error);
        broken(rest, what, 1)
    })?;
    if !rest.is_empty() {
        let what = match ply(rest.trim_start_matches([';', ',', ' '])) {
            Err(error) => Expected::of(error).what,
            Ok(_) => "the end of the game",
        };
        return Err(broken(rest, what, plies.len() + 1));
    }
    let mut record = Record { span: whole.clone(), ..Record::default() };
    let mut table = Table::default();
    let mut origin = None;
    for (text, told) in plies {
        let action = match told {
            Told::Pass => Action::Pass,
            Told::Placed(to, _) | Told::Moved(_, to) => {
                let piece = table.piece(told);
                let piece = piece
                    .ok_or_else(|| broken(text, "a piece on that cell", record.plies.len() + 1))?;
                let origin = *origin.get_or_insert(to);
                table.put(piece, to);
                Action::Put(piece, Spot::At(Hex { q: to.q - origin.q, r: to.r - origin.r }))
            }
        };
        let start = at + offset_in(line, text);
        let span = start..start + text.len();
        record.plies.push(Ply { action, told: None, source: PlySource::Written, span });
    }
    Ok(record)
}

impl Notation for Lihive {
    fn name(&self) -> &'static str {
        "lihive"
    }

    fn about(&self) -> &'static str {
        "cells in coordinates, one game a line"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn sniff(&self, head: &str) -> u8 {
        let first =
            super::lines(head).map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        if matches!(ply(first), Ok((_, Told::Placed(..)))) { 95 } else { 0 }
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        line_starts_from_end(bytes).next()
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        let text = source.text();
        let lines = lines(text).map(str::trim).filter(|line| !line.is_empty());
        Box::new(lines.map(move |line| record(line, offset_in(text, line))))
    }

    fn holds(&self) -> &'static [Part] {
        &[Part::Orientation]
    }

    fn write(&self, game: &Game, _: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let mut position = Position::new(game.game_type(), game.options());
        let mut plane = Plane::default();
        for &turn in game.turns() {
            match turn.goes() {
                None => write!(out, "x")?,
                Some((piece, to)) => {
                    let from = position.hive().cell_of(piece).map(|from| plane.hex(from));
                    let to = plane.go_to(to);
                    if let Some(from) = from {
                        write!(out, "({},{})({},{})", from.q, from.r, to.q, to.r)?;
                    } else {
                        let (color, code) = (piece.color().letter(), piece.bug().code());
                        write!(out, "({},{})[{color}{code}]", to.q, to.r)?;
                    }
                }
            }
            position.make(turn);
        }
        // A game without plies is its end alone.
        writeln!(
            out,
            "{}",
            if game.ends_on_board() || game.turns().is_empty() { "#" } else { "" }
        )?;
        Ok(Part::lost(game, self.holds(), &[]))
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}
