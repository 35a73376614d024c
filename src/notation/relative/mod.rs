//! The relative notation: free of orientation and of the numbers of pieces, and as short as legality allows. Grammar:
//! `grammar/relative.ebnf`.
//!
//! Tags as in PGN, then turns with their numbers, the ply of each side in each. Capitals are White's, and whoever begins is
//! White: where the record has Black begin, the colours are exchanged, and the tag `FirstColour` tells so. What a ply
//! means is found among the legal turns. Comments stand in braces, or after a semicolon up to the end of the line.
mod write;

use super::{Notation, Part, Records, Style, offset_in, pgn};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::{Expected, Parsed, Production, productions},
    record::{Action, Aside, Cause, Claimed, Ply, PlySource, Record},
    rules::{Bug, Color, GameType},
    sketch::{Bearing, Kind, Locus, Sketch},
    source::Source,
};
use nom::{
    Parser,
    bytes::complete::take,
    character::complete::{char, one_of},
    combinator::{map, map_opt, opt, peek},
    error::context,
    sequence::{delimited, preceded, terminated},
};
use std::io::{self, Write};

/// The notation for talking about games.
#[derive(Debug)]
pub struct Relative;

/// A pass. The notation leaves passes out, which is not enough for one at the end; so we write them all.
const PASS: &str = "pass";

/// The tag that tells that Black begins in the record.
const FIRST: &str = "FirstColour";

/// The tag that tells the expansions, as letters in both cases.
const EXPANSIONS: &str = "ExpansionPieces";

/// `kind`
fn kind(s: &str) -> Parsed<'_, Kind> {
    let letter = map_opt(take(1usize), |letter: &str| {
        let color = if letter.bytes().all(|byte| byte.is_ascii_uppercase()) {
            Color::White
        } else {
            Color::Black
        };
        Some(Kind { color, bug: Bug::from_code(&letter.to_ascii_uppercase())? })
    });
    context("the letter of a piece", letter).parse(s)
}

/// `angle`
fn angle(s: &str) -> Parsed<'_, u8> {
    map(one_of("12345"), |digit| digit as u8 - b'0').parse(s)
}

/// How deep bearings may stand in each other.
const DEEPEST: usize = 50;

/// `bearing`
fn bearing(s: &str) -> Parsed<'_, Bearing> {
    bearing_within(s, DEEPEST)
}

fn bearing_within(s: &str, depth: usize) -> Parsed<'_, Bearing> {
    if depth == 0 {
        let what = "places that are not nested as deep";
        return Err(nom::Err::Failure(Expected { rest: s, what }));
    }
    let within = delimited(char('('), |s| bearing_within(s, depth - 1), char(')'));
    map((kind, opt(within), opt(angle)), |(from, within, angle)| Bearing {
        from,
        within: within.map(Box::new),
        angle,
    })
    .parse(s)
}

/// `locus`
fn locus(s: &str) -> Parsed<'_, Locus> {
    map((kind, opt(bearing)), |(beside, bearing)| Locus { beside, bearing }).parse(s)
}

/// `ply`
fn ply(s: &str) -> Parsed<'_, Sketch> {
    let from = terminated(locus, char('-'));
    let onto = preceded(char('x'), kind);
    let places = (opt(from), peek(opt(kind)));
    let (rest, (placed, kind, onto, (from, has_place))) =
        context("a turn", (opt(char('+')), kind, opt(onto), places)).parse(s)?;
    let (rest, to) = if from.is_some() || has_place.is_some() {
        map(locus, Some).parse(rest)?
    } else {
        (rest, None)
    };
    let (rest, _) = opt(char('#')).parse(rest)?;
    Ok((rest, Sketch { kind, is_placement: placed.is_some(), onto, from, to }))
}

/// The productions of `grammar/relative.ebnf`, leaves first, each with its parser.
const PRODUCTIONS: &[Production] = productions! {
    "kind" = kind, "angle" = angle, "bearing" = bearing, "locus" = locus, "ply" = ply,
};

/// Reads a text game by game.
struct Reader<'s> {
    text: &'s str,
    rest: &'s str,
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, Finding>;

    fn next(&mut self) -> Option<Result<Record, Finding>> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() {
            return None;
        }
        let start = offset_in(self.text, self.rest);
        let mut record = Record::default();
        let read = self.read(&mut record);
        if read.is_err() {
            self.skip_game();
        }
        record.span =
            start..start + self.text[start..offset_in(self.text, self.rest)].trim_end().len();
        exchange_colors(&mut record);
        Some(read.map(|()| record))
    }
}

impl Reader<'_> {
    /// Reads up to the next game.
    fn read(&mut self, record: &mut Record) -> Result<(), Finding> {
        let mut has_tags = false;
        loop {
            let rest = self.rest.trim_start();
            let blanks = &self.rest[..self.rest.len() - rest.len()];
            let is_apart = super::lines(blanks).count() > 1;
            self.rest = rest;
            let has_plies = !record.plies.is_empty();
            match rest.as_bytes().first() {
                None => return Ok(()),
                // Tags after a blank line, or after plies, are those of the next game.
                Some(b'[') if has_plies || is_apart && has_tags => return Ok(()),
                Some(b'[') => {
                    has_tags = true;
                    self.read_tag(record)?;
                }
                Some(b'{') => self.read_comment(1, "}", record)?,
                Some(b';') => self.read_comment(1, "\n", record)?,
                Some(b'0'..=b'9') => {
                    if has_plies && turn_number(self.rest) == Some(1) {
                        return Ok(());
                    }
                    self.read_number()?;
                }
                Some(_) => self.read_ply(record)?,
            }
        }
    }

    fn at(&self) -> usize {
        offset_in(self.text, self.rest)
    }

    fn broken(&self, what: &str) -> Finding {
        let start = self.at();
        let end = start + self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        Finding::new(&finding::SYNTAX, start..end, format!("expected {what}"))
    }

    /// Goes on where the next game may begin.
    fn skip_game(&mut self) {
        let begins = |at: &usize| {
            let line = &self.rest[at + 1..];
            line.starts_with('[') || turn_number(line) == Some(1)
        };
        let next = self.rest.match_indices(['\n', '\r']).map(|(at, _)| at).find(begins);
        self.rest = &self.rest[next.map_or(self.rest.len(), |at| at + 1)..];
    }

    fn read_tag(&mut self, record: &mut Record) -> Result<(), Finding> {
        let line = self.rest.split(['\n', '\r']).next().unwrap_or_default();
        let tag = line.trim_end().strip_prefix('[').and_then(|tag| tag.strip_suffix(']'));
        let parts = tag.and_then(|tag| tag.split_once(' '));
        let (name, value) = parts.ok_or_else(|| self.broken("a tag that ends with `]`"))?;
        let value = value.trim().trim_matches('"');
        let span = self.at()..self.at() + line.len();
        match name {
            EXPANSIONS => {
                let bugs = value
                    .chars()
                    .map(|letter| Bug::from_code(&letter.to_ascii_uppercase().to_string()));
                let bugs: Option<Vec<Bug>> = bugs.collect();
                let bugs = bugs.ok_or_else(|| self.broken("letters of pieces"))?;
                let new = bugs.into_iter().filter(|bug| GameType::BASE.count(*bug) == 0);
                record.game_type = Some(new.fold(GameType::BASE, GameType::with));
            }
            "Result" if pgn::read_result(value).is_some() => {
                let claimed = pgn::read_result(value);
                claimed.into_iter().for_each(|claimed| record.claim(claimed, span.clone()));
            }
            "Termination" if Cause::from_word(value).is_some() => {
                let cause = Cause::from_word(value).map(Claimed::Cause);
                cause.into_iter().for_each(|claimed| record.claim(claimed, span.clone()));
            }
            _ if value.is_empty() => {}
            _ => record.set_tag_once(name, value, span),
        }
        self.rest = &self.rest[line.len()..];
        Ok(())
    }

    fn read_comment(
        &mut self,
        begin: usize,
        end: &str,
        record: &mut Record,
    ) -> Result<(), Finding> {
        let body = &self.rest[begin..];
        let length = body.find(end).or((end == "\n").then_some(body.len()));
        let length = length.ok_or_else(|| self.broken("a comment that ends with `}`"))?;
        record.remark(Aside::Comment(body[..length].trim().to_owned()));
        let after = &body[length..];
        self.rest = after.strip_prefix(end).unwrap_or(after);
        Ok(())
    }

    fn read_number(&mut self) -> Result<(), Finding> {
        let after = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let after = after.strip_prefix('.').ok_or_else(|| self.broken("`.` after a number"))?;
        self.rest = after;
        Ok(())
    }

    fn read_ply(&mut self, record: &mut Record) -> Result<(), Finding> {
        let is_end = |c: char| c.is_whitespace() || matches!(c, '{' | ';');
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (text, after) = self.rest.split_at(end);
        let start = self.at();
        let number = record.plies.len() + 1;
        let broken = |rest: &str, what: &str| {
            let at = start + offset_in(text, rest);
            let message = format!("expected {what}");
            Finding::new(&finding::SYNTAX, at..start + text.len(), message).at_ply(number)
        };
        let action = match ply(text) {
            _ if text == PASS => Action::Pass,
            Ok(("", sketch)) => {
                record.sketches.push(sketch);
                Action::Like(record.sketches.len() - 1)
            }
            Ok((rest, _)) => return Err(broken(rest, "the end of the turn")),
            Err(error) => {
                let Expected { rest, what } = Expected::of(error);
                return Err(broken(rest, what));
            }
        };
        record.plies.push(Ply {
            action,
            told: None,
            source: PlySource::Written,
            span: start..start + text.len(),
        });
        self.rest = after;
        Ok(())
    }
}

/// The number of the turn that a text begins with.
fn turn_number(text: &str) -> Option<u32> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    after.starts_with('.').then(|| text[..text.len() - after.len()].parse().ok())?
}

/// Makes whoever begins White.
fn exchange_colors(record: &mut Record) {
    if record.sketches.first().is_none_or(|first| first.kind.color == Color::White) {
        return;
    }
    for sketch in &mut record.sketches {
        write::exchange(sketch);
    }
    record.set_tag(FIRST, "black");
}

impl Notation for Relative {
    fn name(&self) -> &'static str {
        "relative"
    }

    fn about(&self) -> &'static str {
        "turns told by what is next to what, without numbers and directions"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn sniff(&self, head: &str) -> u8 {
        let is_turn = |line: &&str| !line.is_empty() && !line.starts_with(['[', ';']);
        let mut is_comment = false;
        let without_comments: String = head
            .chars()
            .filter(|sign| {
                is_comment = *sign == '{' || is_comment && *sign != '}';
                !is_comment && *sign != '}'
            })
            .collect();
        let first =
            super::lines(&without_comments).map(str::trim).find(is_turn).unwrap_or_default();
        let ply = first.strip_prefix("1.").map(str::trim_start).unwrap_or_default();
        if ply.starts_with('+') && ply[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            95
        } else {
            0
        }
    }

    fn separator(&self) -> &'static str {
        "\n"
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        // A tag after a blank line after a turn: within a comment nobody writes so.
        let is_turn = |line: &[u8]| {
            let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0 && line.get(digits) == Some(&b'.')
        };
        let (mut tag, mut tag_after_blank) = (None, None);
        let mut end = bytes.len();
        for start in super::line_starts_from_end(bytes).chain([0]) {
            let line = bytes[start..end].trim_ascii();
            if tag_after_blank.is_some() && is_turn(line) {
                return tag_after_blank;
            }
            tag_after_blank = tag.filter(|_| line.is_empty());
            tag = line.starts_with(b"[").then_some(start);
            end = start;
        }
        None
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        Box::new(Reader { text: source.text(), rest: source.text() })
    }

    fn holds(&self) -> &'static [Part] {
        &[Part::Tags, Part::Comments, Part::Cause, Part::Outcome, Part::Expansions]
    }

    fn write(&self, game: &Game, _: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let are_told = write::write(game, out)?;
        let also = [
            (Part::Turns, !are_told),
            (Part::Tags, !game.tags().iter().all(write::can_write)),
            (Part::Comments, pgn::changes_comments(game)),
        ];
        Ok(Part::lost(game, self.holds(), &also))
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}
