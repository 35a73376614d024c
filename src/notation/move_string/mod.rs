//! Moves such as `wA1 -bG2`: what the Universal Hive Protocol and the PGN of Hive have in common.
//! Grammar: `grammar/move-string.ebnf`. What fan pieces do has words of its own, with a sign that no other move has.
//!
//! The reader lets pass, and reports: letters in the wrong case, a number on a piece that comes once, more or
//! fewer blanks, a full stop for the place of the first piece, a direction on both sides.
mod special;
mod strict;
mod write;

use crate::{
    finding::{self, Code, Finding},
    hex::Direction,
    parse::{Expected, Parsed, Production, productions},
    record::{Action, Ply, PlySource, Spot},
    rules::{Bug, Color, Piece},
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::tag_no_case,
    character::complete::{char, one_of, space0},
    combinator::{all_consuming, cut, map, opt, value},
    error::context,
    sequence::{pair, preceded, terminated},
};
use std::ops::Range;

pub use write::MoveString;
pub(crate) use write::each;

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

/// `bug`: two letters, a capital and a small one, or one letter in either case.
fn bug(s: &str) -> Parsed<'_, (Bug, Leniencies)> {
    if let Some(bug) = fan_bug(s) {
        return Ok((&s[bug.code().len()..], (bug, Leniencies::NONE)));
    }
    let letter = s.chars().next().unwrap_or(' ');
    let upper = letter.to_ascii_uppercase();
    match Bug::from_code(upper.encode_utf8(&mut [0; 4])) {
        Some(bug) => Ok((&s[1..], (bug, Leniencies::CASE.when(letter != upper)))),
        None => Err(nom::Err::Error(Expected { rest: s, what: A_BUG })),
    }
}

/// What stands where a bug should.
const A_BUG: &str = "a bug, one of QSBGAMLP, or the two letters of a fan piece";

/// The kind with a name of two letters at the beginning of a text.
fn fan_bug(s: &str) -> Option<Bug> {
    s.get(..2).and_then(Bug::from_code)
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
    let (after, number) =
        if unique { opt(number).parse(rest)? } else { map(number, Some).parse(rest)? };
    if number.is_some_and(|number| number > bug.most()) {
        return Err(nom::Err::Error(Expected { rest, what: "the number of the piece, 1 or 2" }));
    }
    let leniencies = wrong_color.or(wrong_bug);
    let whole = Piece::new(color, bug, number.unwrap_or(1));
    if let (Some(half), Some(after)) = (whole.half(), after.strip_prefix('\'')) {
        return Ok((after, (half, leniencies)));
    }
    // Of fan pieces a game may have several, which are numbered then.
    let is_numbered = unique && number == Some(1) && bug.is_official();
    Ok((after, (whole, leniencies.or(Leniencies::NUMBERED.when(is_numbered)))))
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
        context("a move", preceded(space0, alt((pass, special::special, put)))).parse(s)?;
    let blank = s.starts_with([' ', '\t']);
    Ok((rest, (action, leniencies.or(Leniencies::BLANKS.when(blank)))))
}

/// `move-string`
fn move_string(s: &str) -> Parsed<'_, Action> {
    map(terminated(lenient, space0), |(action, _)| action).parse(s)
}

/// The productions of `grammar/move-string.ebnf`, leaves first, each with its parser.
pub const PRODUCTIONS: &[Production] = productions! {
    "color" = color, "bug" = bug, "number" = number, "piece" = piece, "side-before" = side_before,
    "side-after" = side_after, "spot" = spot, "pass" = pass, "put" = put,
    "agent" = special::agent, "toward" = special::toward, "deed" = special::deed, "special" = special::special,
    "move-string" = move_string, "piece-export" = strict::piece_export, "spot-export" = strict::spot_export,
    "move-string-export" = strict::move_string_export,
};

/// A piece as the reader takes it: `wA1`, and also `wa1` or `wM1`.
///
/// # Errors
///
/// Fails where the text is not the name of a piece.
pub fn read_piece(text: &str) -> Result<Piece, String> {
    match all_consuming(piece).parse(text) {
        Ok((_, (piece, _))) => Ok(piece),
        Err(error) => Err(format!("expected {}", Expected::of(error).what)),
    }
}

/// A move exactly as we write it.
pub(super) fn strict(s: &str) -> Parsed<'_, ()> {
    let special = |s| match special::special(s) {
        Ok((rest, (_, Leniencies::NONE))) => Ok((rest, ())),
        _ => Err(nom::Err::Error(Expected { rest: s, what: "a move" })),
    };
    alt((special, value((), strict::move_string_export))).parse(s)
}

/// A place as the reader takes it, alone; `None` if it is not one.
pub(super) fn read_spot(text: &str) -> Option<Spot> {
    all_consuming(spot).parse(text).ok().map(|(_, (spot, _))| spot)
}

/// Whether a text begins with nothing that a move could begin with.
pub(super) fn starts_none(s: &str) -> bool {
    lenient(s).is_err_and(|error| Expected::of(error).rest.len() == s.trim_start().len())
}

/// Whether the whole text is a move.
pub(super) fn reads_all(s: &str) -> bool {
    move_string(s).is_ok_and(|(rest, _)| rest.is_empty())
}

/// Reads the move at the beginning of `s`, up to `end` or the end of the text, appends it to `plies` and
/// what it let pass to `findings`. `at` is the place of `s` in the source. Returns what is left.
///
/// # Errors
///
/// Fails where there is no move.
#[inline(always)]
pub(super) fn read_ply<'s>(
    s: &'s str,
    at: usize,
    end: Option<u8>,
    plies: &mut Vec<Ply>,
    findings: &mut Vec<Finding>,
) -> Result<&'s str, nom::Err<Expected<'s>>> {
    match read_strict(s, at, |next| end == Some(next), plies) {
        Some(rest) => Ok(rest),
        None => read_lenient(s, at, end, plies, findings),
    }
}

/// The same for a move that is strictly spelled, and followed by the end of the text or a byte that ends
/// it; `None` for any other.
#[inline(always)]
pub(super) fn read_strict<'s>(
    s: &'s str,
    at: usize,
    ends: impl Fn(u8) -> bool,
    plies: &mut Vec<Ply>,
) -> Option<&'s str> {
    let (action, length) = strict::move_at(s.as_bytes())?;
    let is_whole = s.as_bytes().get(length).is_none_or(|&next| ends(next));
    is_whole.then(|| {
        plies.push(written(action, at..at + length));
        &s[length..]
    })
}

/// The same for a move that is not strictly spelled.
#[cold]
fn read_lenient<'s>(
    s: &'s str,
    at: usize,
    end: Option<u8>,
    plies: &mut Vec<Ply>,
    findings: &mut Vec<Finding>,
) -> Result<&'s str, nom::Err<Expected<'s>>> {
    let (after, (action, leniencies)) = lenient(s)?;
    let rest = after.trim_start_matches([' ', '\t']);
    if !rest.is_empty() && rest.bytes().next() != end {
        return Err(nom::Err::Failure(Expected { rest, what: "the end of the move" }));
    }
    let start = s.len() - s.trim_start_matches([' ', '\t']).len();
    let span = at + start..at + s.len() - after.len();
    // Blanks before the end of a line are no part of the move, and every editor leaves some.
    let trailing = Leniencies::BLANKS.when(after.len() != rest.len());
    let leniencies = leniencies.or(trailing);
    plies.push(written(action, span.clone()));
    let ply = plies.len();
    findings.extend(
        LENIENCIES
            .iter()
            .filter(|(bit, ..)| leniencies.0 & bit.0 != 0)
            .map(|(_, code, message)| Finding::new(code, span.clone(), *message).at_ply(ply)),
    );
    Ok(rest)
}

fn written(action: Action, span: Range<usize>) -> Ply {
    Ply { action, told: None, source: PlySource::Written, span }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(s: &str) -> (Action, Vec<&'static str>) {
        let mut findings = Vec::new();
        let mut plies = Vec::new();
        read_ply(s, 0, None, &mut plies, &mut findings).unwrap();
        (plies[0].action, findings.into_iter().map(|finding| finding.code).collect())
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
            ("wX1", 1, A_BUG),
            ("wA1 -bX", 6, A_BUG),
            ("wA1 x", 4, "the end of the move"),
            ("hello", 0, "a move"),
            ("wA1 bM-x", 7, "the end of the move"),
        ];
        for (text, at, what) in cases {
            let error = Expected::of(
                read_ply(text, 0, None, &mut Vec::new(), &mut Vec::new()).unwrap_err(),
            );
            assert_eq!((text.len() - error.rest.len(), error.what), (at, what), "{text:?}");
        }
    }
}
