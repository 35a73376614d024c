//! Our own notation: one game a line, as a JSON object that holds all that a [`Game`] holds. Its schema is
//! `docs/ndjson.schema.json`.
//!
//! A game that cannot be read, or is not legal, is kept as it stood in its notation, with what is wrong.
//!
//! The plies are move strings, told by the neighbour that the record names, with its numbers of equal pieces, so
//! that nothing of a record is lost. Blank lines are passed over; the reader lets pass, and reports, what
//! [`move_string`] lets pass.
use super::{
    Notation, Part, Records, Reference, Style, Unproven, json, line_starts_from_end, lines,
    move_string, offset_in, uhp,
};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::Production,
    record::{Aside, Cause, Claimed, Control, Record, Remark, Tag},
    rules::{Color, Outcome},
    source::Source,
};
use nom::{Parser, combinator::all_consuming};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
    ser::SerializeMap,
};
use serde_json::value::RawValue;
use std::{
    borrow::Cow,
    collections::BTreeSet,
    fmt,
    io::{self, Write},
    ops::Range,
};

/// The notation of this program.
#[derive(Debug)]
pub struct Ndjson;

/// The version of the notation that is written, and the only one that is read.
const VERSION: u32 = 1;

/// A game as it stands in a line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    hivekit: u32,
    #[serde(rename = "type", borrow)]
    game_type: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    tags: Tags,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<End>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cause: Option<Word<Cause>>,
    #[serde(borrow)]
    plies: Vec<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Said>,
}

/// A game that is kept as it stood in another notation, because it cannot be read or is not legal.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Kept<'a> {
    hivekit: u32,
    #[serde(borrow)]
    notation: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
    #[serde(borrow)]
    fault: Fault<'a>,
}

/// What was wrong with it when it was kept.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Fault<'a> {
    code: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    message: Cow<'a, str>,
}

/// A remark as it stands in a line: of the last three one is there.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Said {
    after: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<Player>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    control: Option<Word<Control>>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Player {
    White,
    Black,
}

impl Player {
    fn of(color: Color) -> Player {
        if color == Color::White { Player::White } else { Player::Black }
    }

    fn color(self) -> Color {
        match self {
            Player::White => Color::White,
            Player::Black => Color::Black,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
enum End {
    WhiteWins,
    BlackWins,
    Draw,
}

impl End {
    fn of(outcome: Outcome) -> End {
        match outcome {
            Outcome::WhiteWins => End::WhiteWins,
            Outcome::BlackWins => End::BlackWins,
            Outcome::Draw => End::Draw,
        }
    }

    fn outcome(self) -> Outcome {
        match self {
            End::WhiteWins => Outcome::WhiteWins,
            End::BlackWins => Outcome::BlackWins,
            End::Draw => Outcome::Draw,
        }
    }
}

/// One of a table of words.
#[derive(Clone, Copy, Debug)]
struct Word<T>(T);

macro_rules! word {
    ($type:ident) => {
        impl Serialize for Word<$type> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.word())
            }
        }

        impl<'de> Deserialize<'de> for Word<$type> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = Cow::<str>::deserialize(deserializer)?;
                $type::from_word(&word).map(Word).ok_or_else(|| {
                    let known: Vec<_> = $type::ALL.iter().map(|known| known.word()).collect();
                    serde::de::Error::custom(format!("`{word}` is none of {}", known.join(", ")))
                })
            }
        }
    };
}

word!(Cause);
word!(Control);

/// Names and values in their order.
#[derive(Debug, Default)]
struct Tags(Vec<Tag>);

impl Tags {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for Tag { name, value } in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tags, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of names and texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tags, A::Error> {
                let mut tags = Tags::default();
                let mut names = BTreeSet::new();
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    if !names.insert(name.clone()) {
                        return Err(serde::de::Error::custom(format!(
                            "the tag `{name}` comes twice"
                        )));
                    }
                    tags.0.push(Tag { name, value });
                }
                Ok(tags)
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

impl Said {
    fn of(remark: &Remark) -> Said {
        let said = Said { after: remark.after, ..Said::default() };
        match &remark.what {
            Aside::Comment(text) => Said { comment: Some(text.clone()), ..said },
            Aside::Clock(player, milliseconds) => {
                Said { player: Some(Player::of(*player)), clock_ms: Some(*milliseconds), ..said }
            }
            Aside::Control(player, control) => {
                Said { player: Some(Player::of(*player)), control: Some(Word(*control)), ..said }
            }
        }
    }

    fn remark(self) -> Option<Remark> {
        let player = self.player.map(Player::color);
        let what = match (self.comment, self.clock_ms, self.control) {
            (Some(text), None, None) => Aside::Comment(text),
            (None, Some(milliseconds), None) => Aside::Clock(player?, milliseconds),
            (None, None, Some(Word(control))) => Aside::Control(player?, control),
            _ => return None,
        };
        Some(Remark { after: self.after, what })
    }
}

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
        span: whole.clone(),
        ..Record::default()
    };
    for raw in &read.plies {
        let start = at + offset_in(line, raw.get());
        let text = json::text(raw).unwrap_or_else(|| raw.get().to_owned());
        json::read_move(&text, start..start + raw.get().len(), &mut record)?;
    }
    for said in read.remarks {
        let remark = said.remark().ok_or_else(|| {
            let what = "a remark has a `comment`, or a `player` with `clock_ms` or `control`";
            broken(whole.clone(), what.to_owned())
        })?;
        record.remarks.push(remark);
    }
    record.remarks.sort_by_key(|remark| remark.after);
    if record.remarks.iter().any(|remark| remark.after > record.plies.len()) {
        return Err(broken(whole, "a remark stands after the last ply".to_owned()));
    }
    let outcome = read.outcome.map(|end| Claimed::Outcome(end.outcome()));
    let cause = read.cause.map(|Word(cause)| Claimed::Cause(cause));
    outcome.into_iter().chain(cause).for_each(|claimed| record.claim(claimed, whole.clone()));
    Ok(record)
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

    fn holds(&self) -> &'static [Part] {
        &[
            Part::Tags,
            Part::Comments,
            Part::Clocks,
            Part::Controls,
            Part::Cause,
            Part::Outcome,
            Part::Expansions,
            Part::Orientation,
            Part::Numbers,
        ]
    }

    fn write(&self, game: &Game, _: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let mut plies = Vec::with_capacity(game.turns().len());
        move_string::each(game, Reference::Keep, None, |_, text| {
            plies.push(serde_json::value::to_raw_value(&text.to_string())?);
            Ok(())
        })?;
        let line = Line {
            hivekit: VERSION,
            game_type: Cow::Owned(game.game_type().to_string()),
            tags: Tags(game.tags().to_vec()),
            outcome: game.outcome().map(End::of),
            cause: game.cause().map(Word),
            plies: plies.iter().map(|ply| &**ply).collect(),
            remarks: game.remarks().iter().map(Said::of).collect(),
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
        let (notation, text) = (Cow::Borrowed(game.notation), Cow::Borrowed(game.text));
        serde_json::to_writer(&mut *out, &Kept { hivekit: VERSION, notation, text, fault })?;
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
