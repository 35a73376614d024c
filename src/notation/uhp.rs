//! Game strings of the Universal Hive Protocol, one a line. Grammar: `grammar/uhp.ebnf`.
//!
//! Blank lines and lines that begin with `#` are passed over. The reader lets pass, and reports: a
//! separator at the end, a header that lacks fields, expansions in another order or twice, letters in the
//! wrong case, and what [`move_string`] lets pass. State and turn are claims, which
//! are held against the board.
use super::{Notation, Part, Records, Style, line_starts_from_end, move_string, offset_in};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::{Expected, Parsed, Production, productions},
    record::{Claimed, Record},
    rules::{Bug, Color, GameType, Outcome},
    source::Source,
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, tag_no_case, take_while, take_while_m_n},
    character::complete::{char, one_of, u32 as number},
    combinator::{all_consuming, cut, map, map_opt, opt, recognize, success, value, verify},
    error::context,
    multi::{fold_many1, many0},
    sequence::{delimited, pair, preceded, terminated},
};
use std::io::{self, Write};

/// The notation of engines.
#[derive(Debug)]
pub struct Uhp;

/// What stands where an expansion should.
const AN_EXPANSION: &str = "an expansion, one of MLP, or the two letters of a fan piece";

/// `expansion`: a kind, and how many there are of it.
fn expansion(s: &str) -> Parsed<'_, (Bug, Option<u8>)> {
    let letter = |letter, bug| value(bug, tag_no_case(letter));
    let official =
        alt((letter("M", Bug::Mosquito), letter("L", Bug::Ladybug), letter("P", Bug::Pillbug)));
    let fan = map_opt(take_while_m_n(2, 2, |c: char| c.is_ascii_alphabetic()), Bug::from_code);
    let count = map(one_of("1234"), |digit| digit as u8 - b'0');
    let counted = verify(pair(alt((fan, official)), opt(count)), |(bug, count)| {
        count.is_none_or(|count| count <= bug.most())
    });
    context(AN_EXPANSION, counted).parse(s)
}

/// `game-type`: the plus sign can have become a blank, in the address of a page.
pub(super) fn game_type(s: &str) -> Parsed<'_, GameType> {
    let add = |game_type: GameType, (bug, count): (Bug, Option<u8>)| match count {
        Some(count) => game_type.with_count(bug, count),
        None => game_type.with(bug),
    };
    let expansions = context(AN_EXPANSION, fold_many1(expansion, || GameType::BASE, add));
    let all = value(GameType::all(), tag("All"));
    context(
        "a game type",
        preceded(
            tag_no_case("Base"),
            alt((
                preceded(one_of("+ "), cut(context(AN_EXPANSION, alt((all, expansions))))),
                success(GameType::BASE),
            )),
        ),
    )
    .parse(s)
}

/// `game-state`
pub(super) fn game_state(s: &str) -> Parsed<'_, Claimed> {
    context(
        "a game state",
        alt((
            value(Claimed::NotStarted, tag("NotStarted")),
            value(Claimed::InProgress, tag("InProgress")),
            value(Claimed::Outcome(Outcome::Draw), tag("Draw")),
            value(Claimed::Outcome(Outcome::WhiteWins), tag("WhiteWins")),
            value(Claimed::Outcome(Outcome::BlackWins), tag("BlackWins")),
        )),
    )
    .parse(s)
}

/// `turn-string`
fn turn_string(s: &str) -> Parsed<'_, Claimed> {
    let color =
        alt((value(Color::White, tag_no_case("White")), value(Color::Black, tag_no_case("Black"))));
    let number =
        delimited(char('['), cut(context("the number of the turn", number)), cut(char(']')));
    map((color, number), |(color, number)| Claimed::Turn(color, number)).parse(s)
}

/// The fields of a game string before its moves.
#[derive(Clone, Copy, Debug, Default)]
struct Header<'s> {
    game_type: Option<(GameType, &'s str)>,
    state: Option<(Claimed, &'s str)>,
    turn: Option<(Claimed, &'s str)>,
    /// How many fields there are.
    fields: usize,
}

/// A parser that also gives the text that it took.
fn with_text<'s, T>(
    parser: impl Parser<&'s str, Output = T, Error = Expected<'s>>,
) -> impl Parser<&'s str, Output = (T, &'s str), Error = Expected<'s>> {
    map(nom::combinator::consumed(parser), |(text, value)| (value, text))
}

/// The end of a field: a separator, or the end of the line.
fn field_end(s: &str) -> Parsed<'_, &str> {
    context("`;` or the end", alt((tag(";"), nom::combinator::eof))).parse(s)
}

/// `header`: each field may be missing or, except for the first, empty.
fn header(s: &str) -> Parsed<'_, Header<'_>> {
    let (s, game_type) = opt(terminated(with_text(game_type), cut(field_end))).parse(s)?;
    let Some(game_type) = game_type else { return Ok((s, Header::default())) };
    let mut header = Header { game_type: Some(game_type), fields: 1, ..Header::default() };
    let (s, state) = opt(terminated(opt(with_text(game_state)), char(';'))).parse(s)?;
    let (s, state) = match state {
        None => opt(map(terminated(with_text(game_state), nom::combinator::eof), Some)).parse(s)?,
        found => (s, found),
    };
    let (s, turn) = opt(terminated(opt(with_text(turn_string)), char(';'))).parse(s)?;
    let (s, turn) = match turn {
        None => {
            opt(map(terminated(with_text(turn_string), nom::combinator::eof), Some)).parse(s)?
        }
        found => (s, found),
    };
    header.fields += usize::from(state.is_some()) + usize::from(turn.is_some());
    header.state = state.flatten();
    header.turn = turn.flatten();
    Ok((s, header))
}

/// The header that nearly every game string has, without the detours of a tolerant reader.
fn strict_header(line: &str) -> Option<(&str, Header<'_>)> {
    let mut fields = line.splitn(4, ';');
    let (game_type, state, turn) = (fields.next()?, fields.next()?, fields.next()?);
    let (_, claimed) = all_consuming(game_state).parse(state).ok()?;
    let (color, number) = match (turn.strip_prefix("White["), turn.strip_prefix("Black[")) {
        (Some(number), _) => (Color::White, number),
        (_, Some(number)) => (Color::Black, number),
        _ => return None,
    };
    let number =
        number.strip_suffix(']').filter(|number| !number.starts_with('+'))?.parse().ok()?;
    let header = Header {
        game_type: Some((official(game_type)?, game_type)),
        state: Some((claimed, state)),
        turn: Some((Claimed::Turn(color, number), turn)),
        fields: 3,
    };
    Some((fields.next().unwrap_or_default(), header))
}

/// The official game type that is spelled exactly so.
fn official(text: &str) -> Option<GameType> {
    let mut rest = match text.strip_prefix("Base")? {
        "" => return Some(GameType::BASE),
        rest => rest.strip_prefix('+').filter(|rest| !rest.is_empty())?,
    };
    let mut game_type = GameType::BASE;
    for (letter, bug) in [("M", Bug::Mosquito), ("L", Bug::Ladybug), ("P", Bug::Pillbug)] {
        if let Some(after) = rest.strip_prefix(letter) {
            (rest, game_type) = (after, game_type.with(bug));
        }
    }
    rest.is_empty().then_some(game_type)
}

/// `game-string`, the game that it tells; `at` is its place in the source.
pub(super) fn record(line: &str, at: usize) -> Result<Record, Finding> {
    let broken = |error: nom::Err<Expected<'_>>, ply: Option<usize>| {
        let Expected { rest, what } = Expected::of(error);
        let start = at + line.len() - rest.len();
        let end = start + rest.find(';').unwrap_or(rest.len());
        let finding = Finding::new(&finding::SYNTAX, start..end, format!("expected {what}"));
        Finding { ply, ..finding }
    };
    let (mut rest, header) = match strict_header(line) {
        Some(found) => found,
        None => header(line).map_err(|error| broken(error, None))?,
    };
    let mut record = Record { span: at..at + line.len(), ..Record::default() };
    // A move takes at least four bytes with its separator, and about eight in real games.
    record.plies.reserve(rest.len() / 8 + 1);
    note_header(line, at, header, &mut record);
    if header.fields == 1 && !rest.is_empty() && move_string::starts_none(rest) {
        let what = "a game state, a turn or a move";
        return Err(broken(nom::Err::Error(Expected { rest, what }), None));
    }
    while !rest.is_empty() {
        let here = at + line.len() - rest.len();
        let (plies, findings) = (&mut record.plies, &mut record.findings);
        rest = match move_string::read_ply(rest, here, Some(b';'), plies, findings) {
            Ok(rest) => rest,
            Err(error) => return Err(broken(error, Some(record.plies.len() + 1))),
        };
        let Some(next) = rest.strip_prefix(';') else { break };
        if next.is_empty() {
            let end = at + line.len();
            let message = "nothing follows the last separator";
            record.findings.push(Finding::new(&finding::TRAILING_SEPARATOR, end - 1..end, message));
        }
        rest = next;
    }
    Ok(record)
}

/// Takes what the header says into the record, and reports how it is written.
fn note_header(line: &str, at: usize, header: Header<'_>, record: &mut Record) {
    let span = |text: &str| {
        let start = at + offset_in(line, text);
        start..start + text.len()
    };
    if header.fields < 3 || header.state.is_none() || header.turn.is_none() {
        let message = "the game string lacks a game type, a state or a turn";
        record.findings.push(Finding::new(&finding::MISSING_HEADER, at..at, message));
    }
    if let Some((game_type, text)) = header.game_type {
        record.game_type = Some(game_type);
        if official(text).is_none() && game_type.to_string() != text {
            let message = format!("the game type is spelled `{game_type}`");
            record.findings.push(Finding::new(&finding::GAME_TYPE_SPELLING, span(text), message));
        }
    }
    if let Some((claimed, text)) = header.state {
        record.claim(claimed, span(text));
    }
    if let Some((claimed, text)) = header.turn {
        if !text.starts_with(['W', 'B']) {
            let message = "the turn begins with a capital letter";
            record.findings.push(Finding::new(&finding::LETTER_CASE, span(text), message));
        }
        record.claim(claimed, span(text));
    }
}

/// `game-string`
fn game_string(s: &str) -> Parsed<'_, ()> {
    let (s, line) =
        verify(take_while(|c| !matches!(c, '\n' | '\r')), |line: &str| !line.is_empty())
            .parse(s)?;
    match record(line, 0) {
        Ok(_) => Ok((s, ())),
        Err(_) => Err(nom::Err::Failure(Expected { rest: line, what: "a game string" })),
    }
}

/// `game-type-export`
fn game_type_export(s: &str) -> Parsed<'_, ()> {
    let (rest, text) = recognize(game_type).parse(s)?;
    match official(text) {
        Some(_) => Ok((rest, ())),
        None => Err(nom::Err::Error(Expected { rest: s, what: "a game type" })),
    }
}

/// `turn-string-export`
fn turn_string_export(s: &str) -> Parsed<'_, ()> {
    value(
        (),
        verify(recognize(turn_string), |text: &str| {
            text.starts_with(['W', 'B']) && text[1..5] == text[1..5].to_lowercase()
        }),
    )
    .parse(s)
}

/// `game-string-export`: only what we write ourselves.
fn game_string_export(s: &str) -> Parsed<'_, ()> {
    let moves = many0(preceded(char(';'), move_string::strict));
    value((), (game_type_export, char(';'), game_state, char(';'), turn_string_export, moves))
        .parse(s)
}

/// The productions of `grammar/uhp.ebnf`, leaves first, each with its parser.
const PRODUCTIONS: &[Production] = productions! {
    "expansion" = expansion, "game-type" = game_type, "game-state" = game_state,
    "turn-string" = turn_string, "game-string" = game_string,
    "game-type-export" = game_type_export, "turn-string-export" = turn_string_export,
    "game-string-export" = game_string_export,
};

/// The lines of a text that hold games, with their places.
fn game_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n')
        .flat_map(|line| line.split('\r'))
        .map(|line| line.trim_matches([' ', '\t', '\u{feff}']))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(move |line| (offset_in(text, line), line))
}

impl Notation for Uhp {
    fn name(&self) -> &'static str {
        "uhp"
    }

    fn about(&self) -> &'static str {
        "game strings of the Universal Hive Protocol, one a line"
    }

    fn sniff(&self, head: &str) -> u8 {
        let Some((_, line)) = game_lines(head).next() else { return 0 };
        let first = line.split(';').next().unwrap_or_default();
        let is_base = first.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("base"));
        if is_base && line.contains(';') {
            100
        } else if line.contains(';') && move_string::reads_all(first) {
            // A game without a header; a move alone could as well be a row of a drawing.
            50
        } else {
            0
        }
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        line_starts_from_end(bytes).next()
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        Box::new(game_lines(source.text()).map(|(at, line)| record(line, at)))
    }

    fn has_fan_pieces(&self) -> bool {
        true
    }

    fn holds(&self) -> &'static [Part] {
        &[Part::Outcome, Part::Expansions, Part::Orientation]
    }

    fn remark_sign(&self) -> Option<&'static str> {
        Some("# ")
    }

    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let end = game.position(game.turns().len());
        write!(
            out,
            "{};{};{}[{}]",
            game.game_type(),
            game.state(),
            end.to_move(),
            end.turn_number()
        )?;
        move_string::each(game, style.reference, Some(&game.numbering()), |_, text| {
            write!(out, ";{text}")
        })?;
        writeln!(out)?;
        Ok(Part::lost(game, self.holds(), &[]))
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(line: &str) -> Vec<&'static str> {
        match record(line, 0) {
            Ok(record) => record.findings.into_iter().map(|finding| finding.code).collect(),
            Err(finding) => vec![finding.code],
        }
    }

    #[test]
    fn a_strict_game_string_is_read_without_a_finding() {
        let read = record("Base+M;InProgress;White[2];wS1;bM wS1-", 0).unwrap();
        assert_eq!((read.plies.len(), read.findings), (2, vec![]));
        assert_eq!(read.game_type.unwrap().to_string(), "Base+M");
        assert_eq!(read.claims.len(), 2);
    }

    #[test]
    fn headers_may_lack_fields() {
        for (line, plies) in [
            ("Base", 0),
            ("Base;NotStarted", 0),
            ("Base;NotStarted;White[1]", 0),
            ("Base;;;wS1;bS1 wS1-", 2),
            ("Base;wS1;bS1 wS1-", 2),
            ("Base;InProgress;wS1", 1),
            ("wS1;bS1 wS1-", 2),
        ] {
            assert_eq!(record(line, 0).map(|record| record.plies.len()), Ok(plies), "{line}");
        }
        assert_eq!(codes("wS1;bS1 wS1-"), ["missing-header"]);
        assert_eq!(codes("Base;NotStarted;White[1]"), [""; 0]);
    }

    #[test]
    fn other_spellings_are_reported() {
        for (line, code) in [
            ("base;InProgress;Black[1];wS1", "game-type-spelling"),
            ("Base+PLM;InProgress;Black[1];wS1", "game-type-spelling"),
            ("Base+MM;InProgress;Black[1];wS1", "game-type-spelling"),
            ("Base;InProgress;black[1];wS1", "letter-case"),
            ("Base;InProgress;Black[1];wS1;", "trailing-separator"),
            ("Base;InProgress;Black[1]; wS1", "blanks"),
        ] {
            assert_eq!(codes(line), [code], "{line}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_ply() {
        for (line, ply, at) in [
            ("Base;InProgress;White[2];wS1;bX wS1-", Some(2), "X wS1-"),
            ("Base;InProgress;White[2];wS1;;bS1 wS1-", Some(2), ""),
            ("Base+X;NotStarted;White[1]", None, "X"),
            ("Base;Foo;White[1];wS1", None, "Foo"),
            ("Base;InProgress;White[x];wS1", None, "x]"),
        ] {
            let finding = record(line, 0).unwrap_err();
            assert_eq!((finding.code, finding.ply), ("syntax", ply), "{line}");
            assert_eq!(&line[finding.span], at, "{line}");
        }
    }
}
