//! Moves such as `wA1 -bG2`: what the Universal Hive Protocol and the PGN of Hive have in common.
//! Grammar: `grammar/move-string.ebnf`.
//!
//! The reader lets pass, and reports: letters in the wrong case, a number on a piece that comes once, more or
//! fewer blanks, a full stop for the place of the first piece, a direction on both sides.
use super::Reference;
use crate::{
    finding::{self, Code, Finding},
    game::{Game, Numbering},
    hex::Direction,
    parse::{Expected, Parsed, Production, productions},
    record::{Action, Ply, PlySource, Spot},
    rules::{Bug, Cell, Color, Piece, Position, Turn},
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
use std::{fmt, io, ops::Range};

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

/// What a byte can mean in a move.
#[derive(Clone, Copy)]
struct Sign {
    /// The kind that the letter names.
    bug: Bug,
    /// The highest number of the kind; 1 for a kind that bears none, 0 if the byte names no kind.
    most: u8,
    /// The side that the sign tells before a piece, and after one.
    before: Option<Direction>,
    after: Option<Direction>,
}

/// All bytes.
static SIGNS: [Sign; 256] = {
    let none = Sign { bug: Bug::Queen, most: 0, before: None, after: None };
    let mut signs = [none; 256];
    let mut at = 0;
    while at < Bug::COUNT {
        let bug = Bug::ALL[at];
        if let [letter] = bug.code().as_bytes() {
            signs[*letter as usize].bug = bug;
            signs[*letter as usize].most = bug.count();
        }
        at += 1;
    }
    signs[b'\\' as usize].before = Some(Direction::NorthWest);
    signs[b'-' as usize].before = Some(Direction::West);
    signs[b'/' as usize].before = Some(Direction::SouthWest);
    signs[b'/' as usize].after = Some(Direction::NorthEast);
    signs[b'-' as usize].after = Some(Direction::East);
    signs[b'\\' as usize].after = Some(Direction::SouthEast);
    signs
};

/// The byte at a place; 0, which means nothing in a move, behind the end.
#[inline(always)]
fn byte_at(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// The piece at a place in `bytes`, and how many bytes name it.
///
/// Most of an archive is made of moves that are strictly spelled, so they are tried before any
/// other, byte by byte. Which letters come is chance, so a branch on one is guessed wrong as often as not: what
/// can be computed is computed, and one test at the end tells whether it was a piece. That made
/// reading twice as fast.
#[inline(always)]
fn piece_at(bytes: &[u8], at: usize) -> Option<(Piece, usize)> {
    let (color, letter) = (byte_at(bytes, at), byte_at(bytes, at + 1));
    let Sign { bug, most, .. } = SIGNS[usize::from(letter)];
    let is_numbered = most > 1;
    let digit = byte_at(bytes, at + 2).wrapping_sub(b'1');
    let index = if is_numbered { digit } else { 0 };
    let is_color = matches!(color, b'w' | b'b');
    let color = if color == b'b' { Color::Black } else { Color::White };
    (is_color && index < most)
        .then(|| (Piece::new(color, bug, index + 1), 2 + usize::from(is_numbered)))
}

/// The spot at a place in `bytes`, and how many bytes tell it.
#[inline(always)]
fn spot_at(bytes: &[u8], at: usize) -> Option<(Spot, usize)> {
    let before = SIGNS[usize::from(byte_at(bytes, at))].before;
    let shift = usize::from(before.is_some());
    let (piece, length) = piece_at(bytes, at + shift)?;
    let after = SIGNS[usize::from(byte_at(bytes, at + shift + length))].after;
    let direction = if before.is_some() { before } else { after };
    let spot = match direction {
        Some(direction) => Spot::Beside(piece, direction),
        None => Spot::OnTopOf(piece),
    };
    Some((spot, length + usize::from(direction.is_some())))
}

/// The move at the beginning of `bytes`, and how many bytes it has.
#[inline(always)]
fn move_at(bytes: &[u8]) -> Option<(Action, usize)> {
    let Some((piece, length)) = piece_at(bytes, 0) else {
        return bytes.starts_with(b"pass").then_some((Action::Pass, 4));
    };
    if byte_at(bytes, length) != b' ' {
        return Some((Action::Put(piece, Spot::Alone), length));
    }
    let (spot, more) = spot_at(bytes, length + 1)?;
    Some((Action::Put(piece, spot), length + 1 + more))
}

/// A reader of bytes as a parser: only letters that are one byte long are ever read.
fn parser_of<T>(
    read: impl Fn(&[u8]) -> Option<(T, usize)>,
    what: &'static str,
) -> impl Fn(&str) -> Parsed<'_, T> {
    move |s| match read(s.as_bytes()) {
        Some((value, length)) => Ok((&s[length..], value)),
        None => Err(nom::Err::Error(Expected { rest: s, what })),
    }
}

/// `piece-export`
fn piece_export(s: &str) -> Parsed<'_, Piece> {
    parser_of(|bytes| piece_at(bytes, 0), "the name of a piece")(s)
}

/// `spot-export`
fn spot_export(s: &str) -> Parsed<'_, Spot> {
    parser_of(|bytes| spot_at(bytes, 0), "a place")(s)
}

/// `move-string-export`: only what we write ourselves.
fn move_string_export(s: &str) -> Parsed<'_, Action> {
    parser_of(move_at, "a move")(s)
}

/// The productions of `grammar/move-string.ebnf`, leaves first, each with its parser.
pub const PRODUCTIONS: &[Production] = productions! {
    "color" = color, "bug" = bug, "number" = number, "piece" = piece, "side-before" = side_before,
    "side-after" = side_after, "spot" = spot, "pass" = pass, "put" = put,
    "move-string" = move_string, "piece-export" = piece_export, "spot-export" = spot_export,
    "move-string-export" = move_string_export,
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

/// A place as the reader takes it, alone; `None` if it is not one.
pub(super) fn read_spot(text: &str) -> Option<Spot> {
    all_consuming(spot).parse(text).ok().map(|(_, (spot, _))| spot)
}

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
    let (action, length) = move_at(s.as_bytes())?;
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

/// A turn as the Universal Hive Protocol writes it.
///
/// A place is told by the top of a neighbouring stack, chosen as a [`Reference`] says; a climb names the piece
/// that is covered.
#[derive(Clone, Copy, Debug)]
pub struct MoveString<'p> {
    position: &'p Position,
    turn: Turn,
    numbering: Option<&'p Numbering>,
    reference: Reference,
    /// The spot in the words of the record.
    told: Option<Spot>,
}

impl<'p> MoveString<'p> {
    /// The text of `turn`, which is legal in `position`.
    pub fn new(position: &'p Position, turn: Turn) -> MoveString<'p> {
        MoveString { position, turn, numbering: None, reference: Reference::default(), told: None }
    }

    /// The same with other numbers for equal pieces.
    #[must_use]
    pub fn with_numbering(self, numbering: &'p Numbering) -> MoveString<'p> {
        MoveString { numbering: Some(numbering), ..self }
    }

    fn name(&self, piece: Piece) -> Piece {
        self.numbering.map_or(piece, |numbering| numbering.name(piece))
    }

    /// The top of a cell with the piece lifted.
    fn top_without(&self, piece: Piece, cell: Cell) -> Option<Piece> {
        let hive = self.position.hive();
        match hive.top(cell) {
            Some(top) if top == piece => hive.below(piece),
            top => top,
        }
    }

    /// The piece that tells an empty place, and its side where the place is.
    fn beside(&self, piece: Piece, to: Cell) -> Option<(Piece, Direction)> {
        use Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest, West};
        if let (Reference::Keep, Some(Spot::Beside(told, side))) = (self.reference, self.told)
            && self.position.hive().cell_of(told).map(|cell| cell.step(side)) == Some(to)
        {
            return Some((told, side));
        }
        let order = match self.reference {
            Reference::Hivegame => [NorthWest, SouthEast, NorthEast, SouthWest, West, East],
            _ => Direction::ALL,
        };
        order.into_iter().find_map(|direction| {
            let near = to.step(direction);
            let top = match self.reference {
                Reference::Nokamute => self.position.hive().top(near),
                _ => self.top_without(piece, near),
            };
            top.map(|top| (top, direction.opposite()))
        })
    }
}

impl fmt::Display for MoveString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((piece, to)) = self.turn.goes() else { return f.write_str("pass") };
        write!(f, "{}", self.name(piece))?;
        if let Some(covered) = self.top_without(piece, to) {
            return write!(f, " {}", self.name(covered));
        }
        let Some((reference, side)) = self.beside(piece, to) else { return Ok(()) };
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

/// Calls `write` with the number of each ply of a game, from 1, and its text, in which equal pieces have the numbers
/// that `numbering` gives them, or their own.
pub(crate) fn each(
    game: &Game,
    reference: Reference,
    numbering: Option<&Numbering>,
    mut write: impl FnMut(usize, MoveString<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut position = Position::new(game.game_type(), game.opening());
    for ((number, &turn), &told) in (1..).zip(game.turns()).zip(game.spots()) {
        let text = MoveString { numbering, reference, told, ..MoveString::new(&position, turn) };
        write(number, text)?;
        position.make(turn);
    }
    Ok(())
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
            ("wX1", 1, "a bug, one of QSBGAMLP"),
            ("wA1 -bX", 6, "a bug, one of QSBGAMLP"),
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
