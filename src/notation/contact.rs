//! The contact notation: a tile, the edge where it touches another one, and that one, as in `bA1*|wA1` (east of it).
//! Grammar: `grammar/contact.ebnf`.
//!
//! The stroke is the edge between the two tiles, so the slashes lean the other way than in move strings. One ply a line, a
//! blank line between two games; lines that begin with `#` are comments.
use super::{Notation, Part, Records, Style, offset_in, plies};
use crate::{
    finding::{self, Finding},
    game::Game,
    hex::Direction,
    parse::{Expected, Parsed, Production, productions},
    record::{Action, Ply, PlySource, Record, Spot},
    rules::{Bug, Color, Piece, Position},
    sketch::Lifted,
    source::Source,
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take},
    character::complete::{char, one_of},
    combinator::{all_consuming, cut, eof, map, map_opt, value},
    error::context,
    sequence::pair,
};
use std::io::{self, Write};

/// The notation of edges.
#[derive(Debug)]
pub struct Contact;

/// The sides of the second tile, as the edges are drawn.
const EDGES: [(&str, Direction); 6] = [
    ("/*", Direction::NorthWest),
    ("|*", Direction::West),
    ("\\*", Direction::SouthWest),
    ("*\\", Direction::NorthEast),
    ("*|", Direction::East),
    ("*/", Direction::SouthEast),
];

/// `letter`
fn letter(s: &str) -> Parsed<'_, Bug> {
    context("the letter of a piece", map_opt(take(1usize), Bug::from_code)).parse(s)
}

/// `number`
fn number(s: &str) -> Parsed<'_, u8> {
    context("the number of the piece", map(one_of("1234"), |digit| digit as u8 - b'0')).parse(s)
}

/// `tile`
fn tile(s: &str) -> Parsed<'_, Piece> {
    let color = alt((value(Color::White, char('w')), value(Color::Black, char('b'))));
    let tile = map((color, letter, number), |(color, bug, number)| Piece::new(color, bug, number));
    context("a tile, such as `wQ1`", tile).parse(s)
}

/// `contact`; `None` is on top.
fn contact(s: &str) -> Parsed<'_, Option<Direction>> {
    let (rest, sign) = context("an edge, such as `*|`", take(2usize)).parse(s)?;
    if sign == "=*" {
        return Ok((rest, None));
    }
    match EDGES.iter().find(|(edge, _)| *edge == sign) {
        Some((_, side)) => Ok((rest, Some(*side))),
        None => Err(nom::Err::Error(Expected { rest: s, what: "an edge, such as `*|`" })),
    }
}

/// `line`
fn line(s: &str) -> Parsed<'_, Action> {
    let place = alt((value(None, eof), map(cut(pair(contact, tile)), Some)));
    let put = map(pair(tile, place), |(piece, place)| {
        let spot = match place {
            None => Spot::Alone,
            Some((Some(side), beside)) => Spot::Beside(beside, side),
            Some((None, below)) => Spot::OnTopOf(below),
        };
        Action::Put(piece, spot)
    });
    alt((value(Action::Pass, tag("pass")), put)).parse(s)
}

/// The productions of `grammar/contact.ebnf`, leaves first, each with its parser.
const PRODUCTIONS: &[Production] = productions! {
    "letter" = letter, "number" = number, "tile" = tile, "contact" = contact, "line" = line,
};

fn record(text: &str, at: usize) -> Result<Record, Finding> {
    let mut record = Record { span: at..at + text.trim_end().len(), ..Record::default() };
    let take_line = |text_line: &str, record: &mut Record| {
        let start = at + offset_in(text, text_line);
        let span = start..start + text_line.len();
        let read = all_consuming(line).parse(text_line).map_err(|error| {
            let Expected { rest, what } = Expected::of(error);
            let what = if what == "the end" { "the end of the move" } else { what };
            let span = start + offset_in(text_line, rest)..span.end;
            Finding::new(&finding::SYNTAX, span, format!("expected {what}"))
                .at_ply(record.plies.len() + 1)
        });
        let action = read?.1;
        record.plies.push(Ply { action, told: None, source: PlySource::Written, span });
        Ok(())
    };
    plies::told(text, take_line, &mut record)?;
    Ok(record)
}

impl Notation for Contact {
    fn name(&self) -> &'static str {
        "contact"
    }

    fn about(&self) -> &'static str {
        "tiles and the edges where they touch, one ply a line"
    }

    fn extension(&self) -> &'static str {
        "log"
    }

    fn sniff(&self, head: &str) -> u8 {
        let lines = super::lines(head).map(str::trim);
        let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut reads = || lines.next().and_then(|next| line(next).ok());
        let is_alone = matches!(reads(), Some((_, Action::Put(_, Spot::Alone))));
        let is_beside = matches!(reads(), Some((_, Action::Put(_, Spot::Beside(..)))));
        if is_alone && is_beside { 80 } else { 0 }
    }

    fn separator(&self) -> &'static str {
        "\n"
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        plies::Plies.last_cut(bytes)
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        Box::new(plies::games(source.text()).map(|(at, text)| record(text, at)))
    }

    fn holds(&self) -> &'static [Part] {
        &[Part::Comments, Part::Numbers, Part::Orientation]
    }

    fn write(&self, game: &Game, _: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let mut position = Position::new(game.game_type(), game.options());
        if game.turns().is_empty() {
            writeln!(out, "{}", plies::NO_PLIES)?;
        }
        plies::write_comments(game, 0, out)?;
        for (ply, &turn) in (1..).zip(game.turns()) {
            match turn.goes() {
                None => writeln!(out, "pass")?,
                Some((piece, to)) => {
                    let lifted = Lifted::new(position.hive(), piece);
                    write!(out, "{}", name(piece))?;
                    if let Some(below) = lifted.top(to) {
                        write!(out, "=*{}", name(below))?;
                    } else if let Some((side, beside)) = lifted.around(to).next() {
                        let side = Direction::ALL[side].opposite();
                        let edge = EDGES.iter().find(|(_, known)| *known == side);
                        write!(out, "{}{}", edge.map_or("", |(edge, _)| edge), name(beside))?;
                    }
                    writeln!(out)?;
                }
            }
            position.make(turn);
            plies::write_comments(game, ply, out)?;
        }
        Ok(Part::lost(game, self.holds(), &[(Part::Comments, plies::changes_comments(game))]))
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}

fn name(piece: Piece) -> String {
    format!("{}{}{}", piece.color().letter(), piece.bug().code(), piece.number())
}
