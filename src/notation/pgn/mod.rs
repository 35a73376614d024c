//! The PGN of Hive, which is not that of chess. Grammar: `grammar/pgn.ebnf`.
//!
//! Three programs write it, each in its own dialect, and all are read as one: tags, then moves with the
//! number of their ply, then perhaps the result. Comments in braces may stand anywhere between
//! moves; several games may follow each other. The reader lets pass, and reports: plies not
//! numbered from 1 on, a tag that comes twice, and what [`move_string`] lets pass.
//!
//! [`move_string`]: super::move_string
mod frame;
mod write;

pub(super) use write::{changes_comments, within_braces};

use super::{Notation, Part, Records, Style, move_string, offset_in, uhp};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::{Expected, Parsed, Production, productions},
    record::{Aside, Cause, Claimed, Record, Tag},
    rules::Outcome,
    source::Source,
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_until, take_while},
    character::complete::{anychar, char, multispace0, one_of, space0},
    combinator::{all_consuming, cut, map, opt, peek, recognize, value, verify},
    error::context,
    sequence::{delimited, pair, preceded, terminated},
};
use std::{
    collections::BTreeMap,
    io::{self, Write},
    ops::Range,
};

/// The notation of viewers and game sites.
#[derive(Debug)]
pub struct Pgn;

/// A part of a file.
#[derive(Clone, Debug)]
enum Item<'s> {
    Tag(&'s str, &'s str),
    Comment(&'s str),
    /// The number before a move, if it is one that fits.
    Number(Option<usize>),
    Result(Option<Claimed>),
    /// A move begins here; it is read by its own reader.
    Move,
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn is_line_end_byte(byte: u8) -> bool {
    is_line_end(char::from(byte))
}

/// Whether the name of a tag may hold the character.
fn is_in_tag_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `tag-line`: the value is what stands between the first and the last quotation mark, so that a
/// name may hold any character; only where another tag follows on the line does it end before that.
fn tag_line(s: &str) -> Parsed<'_, Item<'_>> {
    let (s, _) = char('[').parse(s)?;
    let name = take_while(is_in_tag_name);
    let name = context("the name of a tag", verify(name, |name: &str| !name.is_empty()));
    let body = context("a tag that ends with `]`", tag_body);
    let (rest, (name, body)) = cut(pair(terminated(name, space0), body)).parse(s)?;
    let body = body.trim_end();
    let begins_tag = |after: &&str| {
        let tag = after.trim_start().strip_prefix('[');
        tag.is_some_and(|tag| {
            let value = tag.trim_start_matches(is_in_tag_name);
            value.len() < tag.len() && value.trim_start_matches(' ').starts_with('"')
        })
    };
    let next = body.match_indices("\"]").map(|(at, _)| &body[at + 2..]).find(begins_tag);
    let (body, rest) = match next {
        Some(next) => (&body[..body.len() - next.len()], &s[offset_in(s, next)..]),
        None => (body, rest),
    };
    let value = body.strip_suffix(']').unwrap_or(body).trim_end();
    let value = value.strip_prefix('"').unwrap_or(value);
    Ok((rest, Item::Tag(name, value.strip_suffix('"').unwrap_or(value).trim())))
}

/// How long a tag may be if another one follows on its line.
const LONGEST_TAG: usize = 4096;

/// What follows the name of a tag on its line. A line without an end in sight is one of many tags: then only
/// the first of them, so that nothing is looked at as often as there are tags.
fn tag_body(s: &str) -> Parsed<'_, &str> {
    let mut near = LONGEST_TAG.min(s.len());
    while !s.is_char_boundary(near) {
        near -= 1;
    }
    let end = s[..near].find(is_line_end).or((near == s.len()).then_some(near));
    let end = match end {
        Some(end) => Some(end).filter(|&end| s[..end].trim_end().ends_with(']')),
        None => s[..near].find("\"]").map(|at| at + 2),
    };
    let end = end.ok_or(nom::Err::Error(Expected { rest: s, what: "`]`" }))?;
    Ok((&s[end..], &s[..end]))
}

/// `comment`
fn comment(s: &str) -> Parsed<'_, Item<'_>> {
    let body = context("a comment that ends with `}`", take_until("}"));
    map(delimited(char('{'), cut(body), char('}')), Item::Comment).parse(s)
}

/// `ply-number`: `12.`, and any number of further full stops.
fn ply_number(s: &str) -> Parsed<'_, Item<'_>> {
    let bytes = s.as_bytes();
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let stops = bytes[digits..].iter().take_while(|byte| **byte == b'.').count();
    if digits == 0 || stops == 0 {
        return Err(nom::Err::Error(Expected { rest: s, what: "the number of a ply" }));
    }
    Ok((&s[digits + stops..], Item::Number(s[..digits].parse().ok())))
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

/// The result that a text tells, if it is one.
pub(super) fn read_result(text: &str) -> Option<Claimed> {
    all_consuming(result).parse(text).ok().and_then(|(_, claimed)| claimed)
}

/// `result-line`
fn result_line(s: &str) -> Parsed<'_, Item<'_>> {
    let end = peek(alt((recognize(nom::combinator::eof), recognize(one_of("\r\n{")))));
    map(terminated(result, pair(space0, end)), Item::Result).parse(s)
}

/// One part of a file, after the blanks before it: its first character tells which.
fn item(s: &str) -> Parsed<'_, Item<'_>> {
    let a_move = value(Item::Move, peek(anychar));
    match s.as_bytes().first() {
        Some(b'[') => tag_line(s),
        Some(b'{') => comment(s),
        // Most parts are the number of a ply.
        Some(b'0'..=b'9') => alt((ply_number, result_line, a_move)).parse(s),
        // Pieces and passes; no result begins so.
        Some(b'w' | b'b' | b'p') => Ok((s, Item::Move)),
        _ => alt((result_line, a_move)).parse(s),
    }
}

/// Reads a text game by game.
struct Reader<'s> {
    text: &'s str,
    /// What follows the last game.
    rest: &'s str,
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, Finding>;

    fn next(&mut self) -> Option<Result<Record, Finding>> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() {
            return None;
        }
        // Whatever is wrong in a game, the next one begins where it begins.
        let (game, rest) = self.rest.split_at(frame::first_game(self.rest));
        self.rest = rest;
        let mut draft = Draft { text: self.text, rest: game, ..Draft::default() };
        Some(draft.read().map(|()| draft.record))
    }
}

/// One game while it is read.
#[derive(Default)]
struct Draft<'s> {
    /// The whole text, to know where things stand.
    text: &'s str,
    /// What is left of the game.
    rest: &'s str,
    record: Record,
    /// The tags so far, and where those stand that are kept.
    names: BTreeMap<&'s str, Option<usize>>,
    was_misnumbered: bool,
}

impl<'s> Draft<'s> {
    fn read(&mut self) -> Result<(), Finding> {
        let start = self.at();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() {
                break;
            }
            self.read_item()?;
        }
        self.record.span = start..self.at();
        Ok(())
    }

    fn at(&self) -> usize {
        offset_in(self.text, self.rest)
    }

    fn read_item(&mut self) -> Result<(), Finding> {
        let before = self.rest;
        let start = self.at();
        let (rest, item) = item(before).map_err(|error| self.broken(error, None))?;
        let span = start..start + before.len() - rest.len();
        self.rest = rest;
        match item {
            Item::Tag(name, value) => self.add_tag(name, value, span)?,
            Item::Comment(text) => self.record.remark(Aside::Comment(text.trim().to_owned())),
            Item::Number(number) => {
                self.compare_number(number, span);
                self.read_move()?;
            }
            Item::Result(claimed) => {
                claimed.into_iter().for_each(|claimed| self.record.claim(claimed, span.clone()));
            }
            Item::Move => self.read_move()?,
        }
        Ok(())
    }

    /// Holds the number before a move against the plies so far; the first difference is told.
    fn compare_number(&mut self, number: Option<usize>, span: Range<usize>) {
        let ply = self.record.plies.len() + 1;
        if number == Some(ply) || self.was_misnumbered {
            return;
        }
        self.was_misnumbered = true;
        let message = format!("this is ply {ply}");
        let finding = Finding::new(&finding::PLY_NUMBER, span, message).at_ply(ply);
        self.record.findings.push(finding);
    }

    fn read_move(&mut self) -> Result<(), Finding> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let (here, plies) = (self.at(), &mut self.record.plies);
        if let Some(after) = move_string::read_strict(self.rest, here, is_line_end_byte, plies) {
            self.rest = after;
            return Ok(());
        }
        let (text, after) = self.rest.split_at(end_of_move(self.rest));
        // Blanks at the end of a line mean nothing: one of the dialects leaves them after a first piece.
        let text = text.trim_end();
        let Record { plies, findings, .. } = &mut self.record;
        if let Err(error) = move_string::read_ply(text, here, None, plies, findings) {
            let ply = plies.len() + 1;
            return Err(self.broken(widened(error, text, self.rest), Some(ply)));
        }
        self.rest = after;
        Ok(())
    }

    fn add_tag(
        &mut self,
        name: &'s str,
        value: &'s str,
        span: Range<usize>,
    ) -> Result<(), Finding> {
        let record = &mut self.record;
        let kept = self.names.get(name).copied();
        if kept.is_some() {
            let message = format!("the tag `{name}` comes twice; the last one counts");
            record.findings.push(Finding::new(&finding::DUPLICATE_TAG, span.clone(), message));
        }
        let kept = kept.flatten();
        self.names.insert(name, kept);
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
            "Result" => match all_consuming(result).parse(value) {
                Ok((_, claimed)) => {
                    claimed.into_iter().for_each(|claimed| record.claim(claimed, span.clone()));
                }
                Err(_) => self.keep_tag(name, value, kept),
            },
            "Termination" if Cause::from_word(value).is_some() => {
                let cause = Cause::from_word(value).map(Claimed::Cause);
                cause.into_iter().for_each(|claimed| record.claim(claimed, span.clone()));
            }
            // A tag that says nothing stands there because every file has it.
            _ if value.is_empty() && kept.is_none() => {}
            _ => self.keep_tag(name, value, kept),
        }
        Ok(())
    }

    /// Keeps a tag, in the place that it has already.
    fn keep_tag(&mut self, name: &'s str, value: &str, place: Option<usize>) {
        let tags = &mut self.record.tags;
        if let Some(tag) = place.and_then(|place| tags.get_mut(place)) {
            value.clone_into(&mut tag.value);
        } else {
            self.names.insert(name, Some(tags.len()));
            tags.push(Tag { name: name.to_owned(), value: value.to_owned() });
        }
    }

    fn broken(&self, error: nom::Err<Expected<'s>>, ply: Option<usize>) -> Finding {
        let Expected { rest, what } = Expected::of(error);
        let start = offset_in(self.text, rest);
        let end = start + rest.find(is_line_end).unwrap_or(rest.len());
        let finding = Finding::new(&finding::SYNTAX, start..end, format!("expected {what}"));
        Finding { ply, ..finding }
    }
}

/// Where the move at the beginning of a text ends: at the end of its line, before a comment, or before the
/// number of the next ply or the result.
fn end_of_move(text: &str) -> usize {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let is_end = match byte {
            b'\n' | b'\r' | b'{' => true,
            b' ' | b'\t' => match bytes.get(at + 1) {
                Some(b'0'..=b'9') => {
                    let after = &text[at + 1..];
                    ply_number(after).is_ok() || result_line(after).is_ok()
                }
                Some(b'W' | b'B' | b'D' | b'*') => result_line(&text[at + 1..]).is_ok(),
                _ => false,
            },
            _ => false,
        };
        if is_end {
            return at;
        }
    }
    text.len()
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
    let ends = s.trim_end_matches([' ', '\t']).ends_with(['\n', '}']) || s.trim().is_empty();
    let is_one = frame::first_game_by_tags(s.trim_start()) == s.trim_start().len();
    let is_read = Draft { text: s, rest: s, ..Draft::default() }.read().is_ok();
    if ends && is_one && is_read {
        Ok(("", ()))
    } else {
        Err(nom::Err::Failure(Expected { rest: s, what: "one game" }))
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
        let first = head.split(is_line_end).next().unwrap_or_default();
        if tag_line(first).is_ok() {
            90
        } else if first.starts_with('{') {
            // A comment, unless it is JSON.
            40
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

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        frame::last_cut(bytes)
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        Box::new(Reader { text: source.text(), rest: source.text() })
    }

    fn has_fan_pieces(&self) -> bool {
        true
    }

    fn holds(&self) -> &'static [Part] {
        &[
            Part::Tags,
            Part::Comments,
            Part::Cause,
            Part::Outcome,
            Part::Expansions,
            Part::Orientation,
        ]
    }

    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        write::write(game, style, out)
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}
