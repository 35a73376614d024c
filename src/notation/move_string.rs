//! Moves such as `wA1 -bG2`: what the Universal Hive Protocol and the PGN of Hive have in common.
//! Grammar: `grammar/move-string.ebnf`.
//!
//! The reader lets pass, and reports: letters in the wrong case, a number on a piece that comes once, more or
//! fewer blanks, a full stop for the place of the first piece, a direction on both sides.
use crate::{
    finding::{self, Code, Finding},
    game::Numbering,
    hex::Direction,
    parse::{Expected, Parsed, Production, productions},
    record::{Action, Ply, PlySource, Spot},
    rules::{Bug, Color, Piece, Position, Turn},
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::tag_no_case,
    character::complete::{char, one_of, space0},
    combinator::{cut, map, opt, value},
    error::context,
    sequence::{pair, preceded, terminated},
};
use std::{fmt, ops::Range};

/// What a reader let pass in one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Leniencies(u8);

/// Each leniency with its bit, its finding and what it says.
static LENIENCIES: [(Leniencies, &Code, &str); 5] = [
    (Leniencies::CASE, &finding::LETTER_CASE, "letters are in the wrong case"),
    (Leniencies::NUMBERED, &finding::NUMBERED_UNIQUE, "a piece that comes once bears a number"),
    (Leniencies::BLANKS, &finding::BLANKS, "there are blanks too many or too few"),
    (Leniencies::DOT, &finding::DOT_SPOT, "a full stop stands for a place"),
    (
        Leniencies::TWO_SIDED,
        &finding::TWO_SIDED_SPOT,
        "the place has a direction on both sides; the first one is taken",
    ),
];

impl Leniencies {
    const NONE: Leniencies = Leniencies(0);
    const CASE: Leniencies = Leniencies(1);
    const NUMBERED: Leniencies = Leniencies(2);
    const BLANKS: Leniencies = Leniencies(4);
    const DOT: Leniencies = Leniencies(8);
    const TWO_SIDED: Leniencies = Leniencies(16);

    fn or(self, other: Leniencies) -> Leniencies {
        Leniencies(self.0 | other.0)
    }

    fn when(self, holds: bool) -> Leniencies {
        if holds { self } else { Leniencies::NONE }
    }
}

/// `color`
fn color(s: &str) -> Parsed<'_, (Color, Leniencies)> {
    context(
        "a colour, `w` or `b`",
        map(one_of("wbWB"), |letter| {
            let color = if matches!(letter, 'w' | 'W') { Color::White } else { Color::Black };
            (color, Leniencies::CASE.when(letter.is_ascii_uppercase()))
        }),
    )
    .parse(s)
}

/// `bug`
fn bug(s: &str) -> Parsed<'_, (Bug, Leniencies)> {
    let letter = s.chars().next().unwrap_or(' ');
    let upper = letter.to_ascii_uppercase();
    match Bug::from_code(upper.encode_utf8(&mut [0; 4])) {
        Some(bug) => Ok((&s[1..], (bug, Leniencies::CASE.when(letter != upper)))),
        None => Err(nom::Err::Error(Expected { rest: s, what: "a bug, one of QSBGAMLP" })),
    }
}

/// `number`
fn number(s: &str) -> Parsed<'_, u8> {
    let digit = one_of("1234");
    context("the number of the piece, from 1 to 4", map(digit, |digit| digit as u8 - b'0')).parse(s)
}

/// `piece`
fn piece(s: &str) -> Parsed<'_, (Piece, Leniencies)> {
    let (rest, ((color, wrong_color), (bug, wrong_bug))) =
        context("the name of a piece", pair(color, bug)).parse(s)?;
    let unique = bug.count() == 1;
    let (rest, number) =
        if unique { opt(number).parse(rest)? } else { map(number, Some).parse(rest)? };
    let leniencies =
        wrong_color.or(wrong_bug).or(Leniencies::NUMBERED.when(unique && number == Some(1)));
    Ok((rest, (Piece::new(color, bug, number.unwrap_or(1)), leniencies)))
}

/// `side-before`
fn side_before(s: &str) -> Parsed<'_, Direction> {
    alt((
        value(Direction::NorthWest, char('\\')),
        value(Direction::West, char('-')),
        value(Direction::SouthWest, char('/')),
    ))
    .parse(s)
}

/// `side-after`
fn side_after(s: &str) -> Parsed<'_, Direction> {
    alt((
        value(Direction::NorthEast, char('/')),
        value(Direction::East, char('-')),
        value(Direction::SouthEast, char('\\')),
    ))
    .parse(s)
}

/// `spot`
fn spot(s: &str) -> Parsed<'_, (Spot, Leniencies)> {
    let beside =
        |(before, (piece, leniencies), after): (Option<_>, (Piece, Leniencies), Option<_>)| {
            let spot = match before.or(after) {
                Some(direction) => Spot::Beside(piece, direction),
                None => Spot::OnTopOf(piece),
            };
            (spot, leniencies.or(Leniencies::TWO_SIDED.when(before.is_some() && after.is_some())))
        };
    context(
        "a place, such as `-bG2`",
        alt((
            value((Spot::Alone, Leniencies::DOT), char('.')),
            map((opt(side_before), piece, opt(side_after)), beside),
        )),
    )
    .parse(s)
}

/// `pass`
fn pass(s: &str) -> Parsed<'_, (Action, Leniencies)> {
    let (rest, _) = tag_no_case("pass").parse(s)?;
    Ok((rest, (Action::Pass, Leniencies::CASE.when(!s.starts_with("pass")))))
}

/// `put`
fn put(s: &str) -> Parsed<'_, (Action, Leniencies)> {
    let (after, (piece, leniencies)) = piece(s)?;
    let (at, blanks) = space0(after)?;
    if !starts_spot(at) {
        return Ok((after, (Action::Put(piece, Spot::Alone), leniencies)));
    }
    let (rest, (spot, more)) = cut(spot).parse(at)?;
    let leniencies = leniencies.or(more).or(Leniencies::BLANKS.when(blanks != " "));
    Ok((rest, (Action::Put(piece, spot), leniencies)))
}

/// Whether a text begins as a place does, so that it is meant as one.
fn starts_spot(s: &str) -> bool {
    s.starts_with(['w', 'b', 'W', 'B', '\\', '-', '/', '.'])
}

/// `move-string`: as read, with any leniency.
fn lenient(s: &str) -> Parsed<'_, (Action, Leniencies)> {
    let (rest, (action, leniencies)) =
        context("a move", preceded(space0, alt((pass, put)))).parse(s)?;
    let blank = s.starts_with([' ', '\t']);
    Ok((rest, (action, leniencies.or(Leniencies::BLANKS.when(blank)))))
}

/// `move-string`
fn move_string(s: &str) -> Parsed<'_, Action> {
    map(terminated(lenient, space0), |(action, _)| action).parse(s)
}

/// `piece-export`: byte by byte, since most of an archive is made of these.
#[inline]
fn piece_export(s: &str) -> Parsed<'_, Piece> {
    let fail = || nom::Err::Error(Expected { rest: s, what: "the name of a piece" });
    let [color, bug, rest @ ..] = s.as_bytes() else { return Err(fail()) };
    let color = match color {
        b'w' => Color::White,
        b'b' => Color::Black,
        _ => return Err(fail()),
    };
    let (bug, most) = match bug {
        b'Q' => (Bug::Queen, 0),
        b'S' => (Bug::Spider, b'2'),
        b'B' => (Bug::Beetle, b'2'),
        b'G' => (Bug::Grasshopper, b'3'),
        b'A' => (Bug::Ant, b'3'),
        b'M' => (Bug::Mosquito, 0),
        b'L' => (Bug::Ladybug, 0),
        b'P' => (Bug::Pillbug, 0),
        _ => return Err(fail()),
    };
    if most == 0 {
        return Ok((&s[2..], Piece::new(color, bug, 1)));
    }
    match rest {
        [digit, ..] if (b'1'..=most).contains(digit) => {
            Ok((&s[3..], Piece::new(color, bug, digit - b'0')))
        }
        _ => Err(fail()),
    }
}

/// `spot-export`
#[inline]
fn spot_export(s: &str) -> Parsed<'_, Spot> {
    if let Ok((rest, direction)) = side_before(s) {
        let (rest, piece) = piece_export(rest)?;
        return Ok((rest, Spot::Beside(piece, direction)));
    }
    let (rest, piece) = piece_export(s)?;
    Ok(match side_after(rest) {
        Ok((rest, direction)) => (rest, Spot::Beside(piece, direction)),
        Err(_) => (rest, Spot::OnTopOf(piece)),
    })
}

/// `move-string-export`: only what we write ourselves.
#[inline]
fn move_string_export(s: &str) -> Parsed<'_, Action> {
    let Ok((rest, piece)) = piece_export(s) else {
        return map(nom::bytes::complete::tag("pass"), |_| Action::Pass).parse(s);
    };
    match rest.strip_prefix(' ') {
        Some(after) => spot_export(after).map(|(rest, spot)| (rest, Action::Put(piece, spot))),
        None => Ok((rest, Action::Put(piece, Spot::Alone))),
    }
}

/// The productions of `grammar/move-string.ebnf`, leaves first, each with its parser.
pub const PRODUCTIONS: &[Production] = productions! {
    "color" = color, "bug" = bug, "number" = number, "piece" = piece, "side-before" = side_before,
    "side-after" = side_after, "spot" = spot, "pass" = pass, "put" = put,
    "move-string" = move_string, "piece-export" = piece_export, "spot-export" = spot_export,
    "move-string-export" = move_string_export,
};

/// A move exactly as we write it.
pub(super) fn strict(s: &str) -> Parsed<'_, ()> {
    value((), move_string_export).parse(s)
}

/// Whether a text begins with nothing that a move could begin with.
pub(super) fn starts_none(s: &str) -> bool {
    lenient(s).is_err_and(|error| Expected::of(error).rest.len() == s.trim_start().len())
}

/// Whether the whole text is a move.
pub(super) fn reads_all(s: &str) -> bool {
    move_string(s).is_ok_and(|(rest, _)| rest.is_empty())
}

/// Reads the move at the beginning of `s`, up to one of `ends`, and appends what it let pass to
/// `findings`. `at` is the place of `s` in the source, `ply` counts from 1.
///
/// # Errors
///
/// Fails where there is no move.
#[inline]
pub(super) fn read_ply<'s>(
    s: &'s str,
    at: usize,
    ply: usize,
    ends: &[char],
    findings: &mut Vec<Finding>,
) -> Parsed<'s, Ply> {
    if let Ok((rest, action)) = move_string_export(s)
        && (rest.is_empty() || rest.starts_with(ends))
    {
        return Ok((rest, written(action, at..at + s.len() - rest.len())));
    }
    let (after, (action, leniencies)) = lenient(s)?;
    let rest = after.trim_start_matches([' ', '\t']);
    if !(rest.is_empty() || rest.starts_with(ends)) {
        return Err(nom::Err::Failure(Expected { rest, what: "the end of the move" }));
    }
    let start = s.len() - s.trim_start_matches([' ', '\t']).len();
    let span = at + start..at + s.len() - after.len();
    // Blanks before the end of a line are no part of the move, and every editor leaves some.
    let trailing = Leniencies::BLANKS.when(after.len() != rest.len());
    let leniencies = leniencies.or(trailing);
    findings.extend(
        LENIENCIES
            .iter()
            .filter(|(bit, ..)| leniencies.0 & bit.0 != 0)
            .map(|(_, code, message)| Finding::new(code, span.clone(), *message).at_ply(ply)),
    );
    Ok((rest, written(action, span)))
}

fn written(action: Action, span: Range<usize>) -> Ply {
    Ply { action, source: PlySource::Written, span }
}

/// A turn as the Universal Hive Protocol writes it.
///
/// The piece is thought to be lifted; the reference is the top of the first occupied neighbour of its
/// new place, clockwise from north-west, and a climb names the piece that is covered.
#[derive(Clone, Copy, Debug)]
pub struct MoveString<'p> {
    position: &'p Position,
    turn: Turn,
    numbering: Option<&'p Numbering>,
}

impl<'p> MoveString<'p> {
    /// The text of `turn`, which is legal in `position`.
    pub fn new(position: &'p Position, turn: Turn) -> MoveString<'p> {
        MoveString { position, turn, numbering: None }
    }

    /// The same with other numbers for equal pieces.
    #[must_use]
    pub fn with_numbering(self, numbering: &'p Numbering) -> MoveString<'p> {
        MoveString { numbering: Some(numbering), ..self }
    }

    fn name(&self, piece: Piece) -> Piece {
        self.numbering.map_or(piece, |numbering| numbering.name(piece))
    }
}

impl fmt::Display for MoveString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((piece, to)) = self.turn.goes() else { return f.write_str("pass") };
        write!(f, "{}", self.name(piece))?;
        let hive = self.position.hive();
        // The top of a cell with the piece lifted.
        let top = |cell| match hive.top(cell) {
            Some(top) if top == piece => hive.below(piece),
            top => top,
        };
        if let Some(covered) = top(to) {
            return write!(f, " {}", self.name(covered));
        }
        let reference = Direction::ALL
            .into_iter()
            .find_map(|direction| top(to.step(direction)).map(|top| (top, direction.opposite())));
        let Some((reference, side)) = reference else { return Ok(()) };
        let reference = self.name(reference);
        match side {
            Direction::NorthWest => write!(f, " \\{reference}"),
            Direction::NorthEast => write!(f, " {reference}/"),
            Direction::East => write!(f, " {reference}-"),
            Direction::SouthEast => write!(f, " {reference}\\"),
            Direction::SouthWest => write!(f, " /{reference}"),
            Direction::West => write!(f, " -{reference}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(s: &str) -> (Action, Vec<&'static str>) {
        let mut findings = Vec::new();
        let (_, ply) = read_ply(s, 0, 1, &[], &mut findings).unwrap();
        (ply.action, findings.into_iter().map(|finding| finding.code).collect())
    }

    fn piece(name: &str) -> Piece {
        name.parse().unwrap()
    }

    #[test]
    fn a_strict_move_is_read_without_a_finding() {
        let beside = Action::Put(piece("wA1"), Spot::Beside(piece("bG2"), Direction::West));
        assert_eq!(read("wA1 -bG2"), (beside, vec![]));
        assert_eq!(read("pass"), (Action::Pass, vec![]));
        assert_eq!(read("wM"), (Action::Put(piece("wM"), Spot::Alone), vec![]));
    }

    #[test]
    fn each_leniency_is_reported() {
        let cases = [
            ("ws1", "letter-case"),
            ("WS1", "letter-case"),
            ("PASS", "letter-case"),
            ("wM1", "numbered-unique"),
            ("wA1 bM1-", "numbered-unique"),
            ("wA1  bM-", "blanks"),
            ("wA1bM-", "blanks"),
            (" wA1", "blanks"),
            ("wA1 ", "blanks"),
            ("wS1 .", "dot-spot"),
            ("wA1 -bM-", "two-sided-spot"),
        ];
        for (text, code) in cases {
            assert_eq!(read(text).1, [code], "{text:?}");
        }
    }

    #[test]
    fn a_broken_move_says_what_was_expected_and_where() {
        let cases = [
            ("wA", 2, "the number of the piece, from 1 to 4"),
            ("wA7", 2, "the number of the piece, from 1 to 4"),
            ("wX1", 1, "a bug, one of QSBGAMLP"),
            ("wA1 -bX", 6, "a bug, one of QSBGAMLP"),
            ("wA1 x", 4, "the end of the move"),
            ("hello", 0, "a move"),
            ("wA1 bM-x", 7, "the end of the move"),
        ];
        for (text, at, what) in cases {
            let error = Expected::of(read_ply(text, 0, 1, &[], &mut Vec::new()).unwrap_err());
            assert_eq!((text.len() - error.rest.len(), error.what), (at, what), "{text:?}");
        }
    }
}
