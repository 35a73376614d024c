//! The PGN of Hive, which is not that of chess. Grammar: `grammar/pgn.ebnf`.
//!
//! Three programs write it, each in its own dialect, and all are read as one: tags, then moves with the
//! number of their ply, then perhaps the result. Comments in braces may stand anywhere between
//! moves; several games may follow each other. The reader lets pass, and reports: plies not
//! numbered from 1 on, a tag that comes twice, and what [`move_string`] lets pass.
//!
//! [`move_string`]: super::move_string
use super::{
    Loss, Notation, Records,
    move_string::{self, MoveString},
    offset_in, uhp,
};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::{Expected, Parsed, Production, productions},
    record::{Claimed, Record},
    rules::{Outcome, Position},
    source::Source,
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_till, take_until, take_while},
    character::complete::{char, digit1, multispace0, space0},
    combinator::{all_consuming, cut, map, opt, peek, recognize, value, verify},
    error::context,
    sequence::{delimited, pair, preceded, terminated},
};
use std::io::{self, Write};

/// The notation of viewers and game sites.
#[derive(Debug)]
pub struct Pgn;

/// The tags that every file has, in their order.
const ROSTER: [&str; 8] =
    ["GameType", "Date", "Event", "Site", "Round", "White", "Black", "Result"];

/// A part of a file.
#[derive(Clone, Debug)]
enum Item<'s> {
    Tag(&'s str, &'s str),
    Comment,
    /// The number before a move, if it is one that fits.
    Number(Option<usize>),
    Result(Option<Claimed>),
    /// A move begins here; it is read by its own reader.
    Move,
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// `tag-line`: the value is what stands between the first and the last quotation mark, so that a
/// name may hold any character.
fn tag_line(s: &str) -> Parsed<'_, Item<'_>> {
    let (s, _) = char('[').parse(s)?;
    let name = take_while(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let name = context("the name of a tag", verify(name, |name: &str| !name.is_empty()));
    let body = verify(take_till(is_line_end), |body: &str| body.trim_end().ends_with(']'));
    let body = context("a tag that ends with `]`", body);
    let (s, (name, body)) = cut(pair(terminated(name, space0), body)).parse(s)?;
    let body = body.trim_end();
    let value = body.strip_suffix(']').unwrap_or(body).trim_end();
    let value = value.strip_prefix('"').unwrap_or(value);
    Ok((s, Item::Tag(name, value.strip_suffix('"').unwrap_or(value).trim())))
}

/// `comment`
fn comment(s: &str) -> Parsed<'_, Item<'_>> {
    let body = context("a comment that ends with `}`", take_until("}"));
    value(Item::Comment, delimited(char('{'), cut(body), char('}'))).parse(s)
}

/// `ply-number`: `12.`, and any number of further full stops.
fn ply_number(s: &str) -> Parsed<'_, Item<'_>> {
    let number = terminated(digit1, pair(char('.'), take_while(|c| c == '.')));
    map(number, |digits: &str| Item::Number(digits.parse().ok())).parse(s)
}

/// `result`
fn result(s: &str) -> Parsed<'_, Option<Claimed>> {
    let outcome = |outcome| Some(Claimed::Outcome(outcome));
    let unknown = alt((
        tag("Unkown"),
        tag("Unknown"),
        tag("Adjudicated"),
        tag("error parsing result"),
        tag("*"),
    ));
    alt((
        map(uhp::game_state, Some),
        value(outcome(Outcome::WhiteWins), tag("1-0")),
        value(outcome(Outcome::BlackWins), tag("0-1")),
        value(outcome(Outcome::Draw), alt((tag("1/2-1/2"), tag("½-½")))),
        value(None, unknown),
    ))
    .parse(s)
}

/// `result-line`
fn result_line(s: &str) -> Parsed<'_, Item<'_>> {
    let end = peek(alt((
        recognize(nom::combinator::eof),
        recognize(nom::character::complete::line_ending),
    )));
    map(terminated(result, pair(space0, end)), Item::Result).parse(s)
}

/// One part of a file, after the blanks before it.
fn item(s: &str) -> Parsed<'_, Item<'_>> {
    alt((
        tag_line,
        comment,
        result_line,
        ply_number,
        value(Item::Move, peek(nom::character::complete::anychar)),
    ))
    .parse(s)
}

/// Reads a text game by game.
struct Reader<'s> {
    text: &'s str,
    rest: &'s str,
}

/// What of a game has been read.
#[derive(Default)]
struct Draft {
    record: Record,
    /// Whether tags belong to the next game: something other than a tag has come.
    has_moves: bool,
    has_result: bool,
    was_misnumbered: bool,
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, Finding>;

    fn next(&mut self) -> Option<Result<Record, Finding>> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() {
            return None;
        }
        let start = self.at();
        let mut draft = Draft::default();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.ends_here(&draft) {
                break;
            }
            if let Err(finding) = self.read_item(&mut draft) {
                self.skip_game();
                return Some(Err(finding));
            }
        }
        draft.record.span = start..self.at();
        Some(Ok(draft.record))
    }
}

impl<'s> Reader<'s> {
    fn at(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    /// Whether the next game begins: with a tag after moves, with a tag that its game has already in
    /// a new block of tags, or with anything after a result.
    fn ends_here(&self, draft: &Draft) -> bool {
        let begins_tag = self.rest.starts_with('[');
        begins_tag && (draft.has_moves || draft.has_result || self.begins_block(&draft.record))
            || draft.has_result && !self.rest.starts_with('{')
    }

    /// Whether a blank line and then the first tag of the game stand here again.
    fn begins_block(&self, record: &Record) -> bool {
        let before = &self.text[..self.at()];
        let gap = &before[before.trim_end().len()..];
        gap.matches('\n').count() > 1
            && record.tags.first().is_some_and(|tag| {
                self.rest[1..]
                    .strip_prefix(tag.name.as_str())
                    .is_some_and(|rest| rest.starts_with(' '))
            })
    }

    fn read_item(&mut self, draft: &mut Draft) -> Result<(), Finding> {
        let before = self.rest;
        let ply = draft.record.plies.len() + 1;
        let (rest, item) = item(before).map_err(|error| self.broken(error, None))?;
        let span = self.at()..self.at() + before.len() - rest.len();
        self.rest = rest;
        match item {
            Item::Tag(name, value) => self.add_tag(name, value, span, draft)?,
            Item::Comment => draft.record.unread.comments = true,
            Item::Number(number) => {
                if number != Some(ply) && !draft.was_misnumbered {
                    draft.was_misnumbered = true;
                    let message = format!("this is ply {ply}");
                    draft
                        .record
                        .findings
                        .push(Finding::new(&finding::PLY_NUMBER, span, message).at_ply(ply));
                }
                self.read_move(draft)?;
            }
            Item::Result(claimed) => {
                draft.has_result = true;
                claimed.into_iter().for_each(|claimed| draft.record.claim(claimed, span.clone()));
            }
            Item::Move => self.read_move(draft)?,
        }
        Ok(())
    }

    fn read_move(&mut self, draft: &mut Draft) -> Result<(), Finding> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let ply = draft.record.plies.len() + 1;
        let (line, after) =
            self.rest.split_at(self.rest.find(is_line_end).unwrap_or(self.rest.len()));
        // More moves may stand on the line, each after its number.
        let end = end_of_move(line);
        let (text, here) = (&line[..end], self.at());
        // Blanks at the end of a line mean nothing: one of the dialects leaves them after a first piece.
        let text = text.trim_end();
        let Record { plies, findings, .. } = &mut draft.record;
        move_string::read_ply(text, here, None, plies, findings)
            .map_err(|error| self.broken(widened(error, text, self.rest), Some(ply)))?;
        draft.has_moves = true;
        self.rest = if end == line.len() { after } else { &self.rest[end..] };
        Ok(())
    }

    fn add_tag(
        &self,
        name: &str,
        value: &str,
        span: std::ops::Range<usize>,
        draft: &mut Draft,
    ) -> Result<(), Finding> {
        let record = &mut draft.record;
        if record.tag(name).is_some() {
            let message = format!("the tag `{name}` comes twice; the last one counts");
            record.findings.push(Finding::new(&finding::DUPLICATE_TAG, span.clone(), message));
            record.tags.retain(|tag| tag.name != name);
        }
        match name {
            "GameType" => {
                let start = offset_in(self.text, value);
                let read = all_consuming(uhp::game_type).parse(value);
                let (_, game_type) = read.map_err(|_| {
                    let message = "expected a game type such as `Base` or `Base+MLP`";
                    Finding::new(&finding::SYNTAX, start..start + value.len(), message)
                })?;
                if game_type.to_string() != value {
                    let message = format!("the game type is spelled `{game_type}`");
                    record.findings.push(Finding::new(&finding::GAME_TYPE_SPELLING, span, message));
                }
                record.game_type = Some(game_type);
            }
            "Result" => {
                if let Ok((_, Some(claimed))) = all_consuming(result).parse(value) {
                    record.claim(claimed, span);
                }
                record.set_tag(name, value);
            }
            _ => record.set_tag(name, value),
        }
        Ok(())
    }

    fn broken(&self, error: nom::Err<Expected<'s>>, ply: Option<usize>) -> Finding {
        let Expected { rest, what } = Expected::of(error);
        let start = self.text.len() - rest.len();
        let end = start + rest.find(is_line_end).unwrap_or(rest.len());
        let finding = Finding::new(&finding::SYNTAX, start..end, format!("expected {what}"));
        Finding { ply, ..finding }
    }

    /// Goes on to the next game: the next tag after a line that is none.
    fn skip_game(&mut self) {
        let mut tags_seen = false;
        let mut offset = 0;
        let mut in_tags = self.rest.starts_with('[');
        for line in self.rest.split_inclusive('\n') {
            let is_tag = line.trim_start().starts_with('[');
            if is_tag && !in_tags && tags_seen {
                break;
            }
            tags_seen = true;
            in_tags = is_tag || in_tags && line.trim().is_empty();
            offset += line.len();
        }
        self.rest = &self.rest[offset..];
    }
}

/// Where the move at the beginning of a line ends: before a comment, or before the number of the next ply.
fn end_of_move(line: &str) -> usize {
    let next_number =
        line.match_indices(' ').map(|(at, _)| at).find(|&at| ply_number(&line[at + 1..]).is_ok());
    let comment = line.find('{');
    [next_number, comment].into_iter().flatten().min().unwrap_or(line.len())
}

/// An error in a part of the text as one in all of it.
fn widened<'s>(
    error: nom::Err<Expected<'s>>,
    part: &'s str,
    whole: &'s str,
) -> nom::Err<Expected<'s>> {
    let Expected { rest, what } = Expected::of(error);
    let at = part.len() - rest.len();
    nom::Err::Failure(Expected { rest: &whole[at..], what })
}

/// `game`, to be held against the grammar: a whole text, whose last line ends.
fn game(s: &str) -> Parsed<'_, ()> {
    let mut reader = Reader { text: s, rest: s };
    let ends = s.trim_end_matches(' ').ends_with(['\n', '}']) || s.trim().is_empty();
    match (reader.next(), reader.next()) {
        (Some(Ok(_)) | None, None) if ends => Ok(("", ())),
        _ => Err(nom::Err::Failure(Expected { rest: s, what: "one game" })),
    }
}

/// The productions of `grammar/pgn.ebnf`, leaves first, each with its parser.
const PRODUCTIONS: &[Production] = productions! {
    "comment" = comment, "ply-number" = ply_number, "result" = result, "tag-line" = tag_line,
    "game" = game,
};

impl Notation for Pgn {
    fn name(&self) -> &'static str {
        "pgn"
    }

    fn about(&self) -> &'static str {
        "tags and numbered moves, as viewers and game sites write them"
    }

    fn sniff(&self, head: &str) -> u8 {
        let head = head.trim_start();
        let first = head.lines().next().unwrap_or_default();
        if tag_line(first).is_ok_and(|(rest, _)| rest.is_empty()) {
            90
        } else if preceded(multispace0, pair(ply_number, opt(space0)))
            .parse(first)
            .is_ok_and(|(rest, _)| move_string::reads_all(&rest[..end_of_move(rest)]))
        {
            60
        } else {
            0
        }
    }

    fn separator(&self) -> &'static str {
        "\n"
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        Box::new(Reader { text: source.text(), rest: source.text() })
    }

    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<Vec<Loss>> {
        let numbering = game.numbering();
        let state = match game.outcome() {
            Some(outcome) => outcome.to_string(),
            None if game.turns().is_empty() => "NotStarted".to_owned(),
            None => "InProgress".to_owned(),
        };
        for name in ROSTER {
            match name {
                "GameType" => writeln!(out, "[{name} \"{}\"]", game.game_type())?,
                "Result" => writeln!(out, "[{name} \"{state}\"]")?,
                _ => writeln!(out, "[{name} \"{}\"]", game.tag(name).unwrap_or_default())?,
            }
        }
        for tag in game.tags().iter().filter(|tag| !ROSTER.contains(&tag.name.as_str())) {
            writeln!(out, "[{} \"{}\"]", tag.name, tag.value)?;
        }
        let mut position = Position::new(game.game_type(), game.opening());
        for (number, &turn) in (1..).zip(game.turns()) {
            if number == 1 {
                writeln!(out)?;
            }
            writeln!(
                out,
                "{number}. {}",
                MoveString::new(&position, turn).with_numbering(&numbering)
            )?;
            position.make(turn);
        }
        if let Some(outcome) = game.outcome() {
            writeln!(out, "\n{outcome}")?;
        }
        Ok((!numbering.is_identity()).then_some(Loss::Numbers).into_iter().collect())
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}
