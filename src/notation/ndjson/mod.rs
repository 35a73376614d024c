//! Our own notation: one game a line, as a JSON object that holds all that a [`Game`] holds. Its schema is
//! `docs/ndjson.schema.json`.
//!
//! A game that cannot be read, or is not legal, is kept as it stood in its notation, with what is wrong.
//!
//! The plies are move strings, told by the neighbour that the record names, with its numbers of equal pieces, so
//! that nothing of a record is lost. Blank lines are passed over; the reader lets pass, and reports, what
//! [`move_string`] lets pass.
mod shape;

use super::{
    Notation, Part, Records, Reference, Style, Unproven, json, line_starts_from_end, lines,
    move_string, offset_in, uhp,
};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::Production,
    record::{Claimed, Origin, Record, Remark, Variation},
    source::Source,
};
use nom::{Parser, combinator::all_consuming};
use serde_json::value::RawValue;
use shape::{Branch, End, Fault, Kept, Line, Said, Tags, Word, raw};
use std::{
    borrow::Cow,
    io::{self, Write},
    ops::Range,
};

/// The notation of this program.
#[derive(Debug)]
pub struct Ndjson;

/// The version of the notation that is written, and the only one that is read.
const VERSION: u32 = 1;

/// The lines that hold games, with their places in the text.
fn game_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text)
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| (offset_in(text, line), line))
}

/// The game in a line that begins at a place of the source.
fn record(line: &str, at: usize) -> Result<Record, Finding> {
    let whole = at..at + line.len();
    if let Ok(kept) = serde_json::from_str::<Kept<'_>>(line)
        && kept.hivekit == VERSION
    {
        return kept_record(&kept, whole);
    }
    let broken =
        |span: Range<usize>, message: String| Finding::new(&finding::SYNTAX, span, message);
    let read: Line<'_> = serde_json::from_str(line).map_err(|error| {
        // Only the line counts here: the column is told by the span.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        let mut start = error.column().saturating_sub(1).min(line.len());
        while !line.is_char_boundary(start) {
            start -= 1;
        }
        broken(at + start..whole.end, message)
    })?;
    if read.hivekit != VERSION {
        let message =
            format!("version {} of the notation is not known: this is {VERSION}", read.hivekit);
        return Err(broken(whole, message));
    }
    let game_type = all_consuming(uhp::game_type).parse(&read.game_type).map_err(|_| {
        broken(whole.clone(), "expected a game type such as `Base` or `Base+MLP`".to_owned())
    })?;
    let mut record = Record {
        game_type: Some(game_type.1),
        tags: read.tags.0,
        origin: read.origin,
        span: whole.clone(),
        ..Record::default()
    };
    read_plies(line, at, &read.plies, &mut record)?;
    let wrong = |message: &str| broken(whole.clone(), message.to_owned());
    record.remarks = remarks(read.remarks, 0, record.plies.len()).map_err(wrong)?;
    for branch in read.variations {
        read_variation(line, at, branch, &mut record)?;
    }
    variations_are_sound(&record).map_err(wrong)?;
    let is_sound =
        |origin: &Origin| matches!(origin.lines, [first, last] if 1 <= first && first <= last);
    if record.origin.as_ref().is_some_and(|origin| !is_sound(origin)) {
        return Err(wrong("the `lines` of an `origin` are a first and a last one, from 1"));
    }
    let outcome = read.outcome.map(|end| Claimed::Outcome(end.outcome()));
    let cause = read.cause.map(|Word(cause)| Claimed::Cause(cause));
    outcome.into_iter().chain(cause).for_each(|claimed| record.claim(claimed, whole.clone()));
    Ok(record)
}

/// Reads plies into a record, from a line that begins at a place of the source.
fn read_plies(
    line: &str,
    at: usize,
    plies: &[&RawValue],
    record: &mut Record,
) -> Result<(), Finding> {
    plies.iter().try_for_each(|raw| {
        let start = at + offset_in(line, raw.get());
        let text = json::text(raw).unwrap_or_else(|| raw.get().to_owned());
        json::read_move(&text, start..start + raw.get().len(), record)
    })
}

/// The remarks beside plies of which these stand before the first and after the last.
fn remarks(said: Vec<Said>, first: usize, last: usize) -> Result<Vec<Remark>, &'static str> {
    let mut remarks = Vec::with_capacity(said.len());
    for said in said {
        let what = "a remark has a `comment`, or a `player` with `clock_ms` or `control`";
        remarks.push(said.remark().ok_or(what)?);
    }
    remarks.sort_by_key(|remark| remark.after);
    match (remarks.first(), remarks.last()) {
        (Some(remark), _) if remark.after < first => Err("a remark stands before its variation"),
        (_, Some(remark)) if remark.after > last => Err("a remark stands after the last ply"),
        _ => Ok(remarks),
    }
}

/// Reads another line of play into a record.
fn read_variation(
    line: &str,
    at: usize,
    branch: Branch<'_>,
    record: &mut Record,
) -> Result<(), Finding> {
    let whole = record.span.clone();
    let mut side = Record::default();
    let after = branch.after;
    read_plies(line, at, &branch.plies, &mut side).map_err(|found| Finding {
        ply: found.ply.map(|ply| after.saturating_add(ply)),
        ..found.in_variation()
    })?;
    let last = after.saturating_add(side.plies.len());
    side.remarks = remarks(branch.remarks, after, last)
        .map_err(|message| Finding::new(&finding::SYNTAX, whole, message))?;
    record.add_variation(branch.of, after, side);
    Ok(())
}

/// Whether every variation leaves a line that comes before it, where that has come to, and not too deep.
fn variations_are_sound(record: &Record) -> Result<(), &'static str> {
    let mut lines = vec![(record.plies.len(), 0)];
    for other in &record.variations {
        let of = other.of.map_or(Some(0), |of| of.checked_add(1));
        let Some(&(plies, depth)) = of.and_then(|of| lines.get(of)) else {
            return Err("`of` is the number, from 0, of a variation that stands before");
        };
        if other.after > plies {
            return Err("a variation stands after the last ply of the line that it leaves");
        }
        if depth == Variation::DEEPEST {
            return Err("expected variations that are not nested as deep");
        }
        lines.push((other.after + other.plies.len(), depth + 1));
    }
    Ok(())
}

/// The texts of the plies of a game after the first ones.
fn plies_from(game: &Game, first: usize) -> io::Result<Vec<Box<RawValue>>> {
    let mut plies = Vec::with_capacity(game.turns().len() - first);
    move_string::each(game, Reference::Keep, None, |number, text| {
        if number > first {
            plies.push(serde_json::value::to_raw_value(&text.to_string())?);
        }
        Ok(())
    })?;
    Ok(plies)
}

/// Reads a game that was kept as it stood: what is wrong with it now is found anew, and told of the whole line.
fn kept_record(kept: &Kept<'_>, whole: Range<usize>) -> Result<Record, Finding> {
    let broken = |message: String| Finding::new(&finding::SYNTAX, whole.clone(), message);
    let notation = super::named(&kept.notation)
        .filter(|notation| notation.name() != Ndjson.name())
        .ok_or_else(|| broken(format!("no notation is named `{}`", kept.notation)))?;
    let source = Source::new(kept.notation.clone(), kept.text.clone());
    let read = notation.read(&source).next();
    let read = read.unwrap_or_else(|| Err(broken("expected a game".to_owned())));
    let mut record = read.map_err(|finding| Finding { span: whole.clone(), ..finding })?;
    record.plies.iter_mut().for_each(|ply| ply.span = whole.clone());
    record.findings.iter_mut().for_each(|finding| finding.span = whole.clone());
    record.claims.iter_mut().for_each(|claim| claim.span = whole.clone());
    record.span = whole;
    record.origin.clone_from(&kept.origin);
    Ok(record)
}

impl Notation for Ndjson {
    fn name(&self) -> &'static str {
        "ndjson"
    }

    fn about(&self) -> &'static str {
        "one JSON object a game, one a line: holds all that is known of a game"
    }

    fn sniff(&self, head: &str) -> u8 {
        let head = head.trim_start();
        let line = head.lines().next().unwrap_or_default();
        if head.starts_with('{') && line.contains("\"hivekit\"") { 100 } else { 0 }
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
        &[
            Part::Tags,
            Part::Rules,
            Part::Comments,
            Part::Clocks,
            Part::Controls,
            Part::Cause,
            Part::Outcome,
            Part::Expansions,
            Part::Orientation,
            Part::Numbers,
            Part::Variations,
            Part::Origin,
        ]
    }

    fn write(&self, game: &Game, _: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let own = plies_from(game, 0)?;
        let others = (0..game.variations().len()).zip(game.variations());
        let others = others.map(|(at, other)| plies_from(&game.line(at), other.after));
        let others = others.collect::<io::Result<Vec<_>>>()?;
        let line = Line {
            hivekit: VERSION,
            game_type: Cow::Owned(game.game_type().to_string()),
            tags: Tags(game.tags().to_vec()),
            outcome: game.outcome().map(End::of),
            cause: game.cause().map(Word),
            plies: raw(&own),
            remarks: game.remarks().iter().map(Said::of).collect(),
            variations: game
                .variations()
                .iter()
                .zip(&others)
                .map(|(other, plies)| Branch::of(other, plies))
                .collect(),
            origin: game.origin().cloned(),
        };
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)?;
        Ok(Part::lost(game, self.holds(), &[]))
    }

    fn keeps_unproven(&self) -> bool {
        true
    }

    fn write_unproven(&self, game: &Unproven<'_>, out: &mut dyn Write) -> io::Result<()> {
        if game.notation == self.name() {
            // It is kept already.
            return writeln!(out, "{}", game.text.trim());
        }
        let fault = Fault {
            code: Cow::Borrowed(game.fault.code),
            ply: game.fault.ply,
            message: Cow::Borrowed(&game.fault.message),
        };
        let kept = Kept {
            hivekit: VERSION,
            notation: Cow::Borrowed(game.notation),
            text: Cow::Borrowed(game.text),
            fault,
            origin: game.origin.cloned(),
        };
        serde_json::to_writer(&mut *out, &kept)?;
        writeln!(out)
    }

    fn productions(&self) -> &'static [Production] {
        // The plies are those of `grammar/move-string.ebnf`, the rest is JSON.
        &[]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_game_says_where_and_why() {
        for (line, at, message) in [
            ("{\"hivekit\":1,\"type\":\"Base\"", "", "EOF while parsing an object"),
            ("{\"hivekit\":2,\"type\":\"Base\",\"plies\":[]}", "{\"hivekit\":2", "version 2 of"),
            ("{\"hivekit\":1,\"type\":\"Bass\",\"plies\":[]}", "{\"hivekit\":1", "expected a game"),
            ("{\"hivekit\":1,\"type\":\"Base\",\"plies\":[\"wX\"]}", "\"wX\"", "expected a bug"),
            ("{\"hivekit\":1,\"type\":\"Base\",\"plies\":[7]}", "7", "expected a move"),
            ("{\"hivekit\":1,\"type\":\"Base\",\"plies\":[],\"x\":1}", ":1}", "unknown field `x`"),
            (
                "{\"hivekit\":1,\"type\":\"Base\",\"plies\":[],\"cause\":\"boredom\"}",
                "",
                "`boredom` is none of board",
            ),
            (
                "{\"hivekit\":1,\"type\":\"Base\",\"plies\":[],\"remarks\":[{\"after\":0}]}",
                "{",
                "a remark has a `comment`",
            ),
        ] {
            let finding = record(line, 0).unwrap_err();
            assert!(line[finding.span.clone()].contains(at), "{line}: {finding:?}");
            assert!(finding.message.starts_with(message), "{line}: {}", finding.message);
        }
    }

    #[test]
    fn places_are_those_of_the_source() {
        let line = r#"{"hivekit":1,"type":"Base","plies":["wS1","bS1 \\wS1"]}"#;
        let record = record(line, 10).unwrap();
        let spans: Vec<_> = record.plies.iter().map(|ply| ply.span.clone()).collect();
        assert_eq!(&line[spans[1].start - 10..spans[1].end - 10], r#""bS1 \\wS1""#);
        assert_eq!(spans[0], 46..51);
    }
}
