//! JSON of hivegame.com: games as the site sends them to its pages and to bots, and files saved on its page for analysis,
//! old and new.
//!
//! Of a tree of analysis the game is the line of first branches. Game strings and the stored text of a game
//! (`wL ;bL wL-;`) are read as `uhp`, downloads as `pgn`.
mod tree;

use super::{Notation, Part, Records, Style, json, move_string};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::Production,
    record::{Aside, Cause, Claimed, Control, Record, Remark},
    rules::{Color, GameType, Outcome},
    source::Source,
};
use nom::{Parser, combinator::all_consuming};
use serde_json::{Number, Value, json as document, value::RawValue};
use std::{
    io::{self, Write},
    ops::Range,
};

/// The notation of hivegame.com.
#[derive(Debug)]
pub struct Hivegame;

/// The words of the site for what a player does beside taking turns, and ours.
const CONTROLS: [(&str, Control); 8] = [
    ("Resign", Control::Resign),
    ("DrawOffer", Control::OfferDraw),
    ("DrawAccept", Control::AcceptDraw),
    ("DrawReject", Control::DeclineDraw),
    ("TakebackRequest", Control::OfferTakeback),
    ("TakebackAccept", Control::AcceptTakeback),
    ("TakebackReject", Control::DeclineTakeback),
    ("Abort", Control::Abort),
];

/// The words of the site for why a game ended, and ours.
const CONCLUSIONS: [(&str, Cause); 7] = [
    ("Board", Cause::Board),
    ("Resigned", Cause::Resignation),
    ("Timeout", Cause::Time),
    ("Draw", Cause::Agreement),
    ("Repetition", Cause::Repetition),
    ("Committee", Cause::Adjudication),
    ("Forfeit", Cause::Forfeit),
];

/// Properties that are tags, and the names of the tags.
const TAGS: [(&str, &str); 5] = [
    ("game_id", "HivegameId"),
    ("nanoid", "HivegameId"),
    ("created_at", "Created"),
    ("speed", "Speed"),
    ("time_mode", "TimeMode"),
];

/// How deep games may stand in lists and answers.
const DEEPEST: usize = 8;

/// Reads the games of a document.
fn records(source: &str, document: &RawValue) -> Vec<Result<Record, Finding>> {
    records_within(source, document, DEEPEST)
}

fn records_within(source: &str, document: &RawValue, depth: usize) -> Vec<Result<Record, Finding>> {
    let span = json::span(source, document);
    if depth == 0 {
        return vec![Err(broken(&span, "a game of hivegame.com"))];
    }
    let Some(object) = json::object(document) else {
        return match json::array(document) {
            Some(games) => {
                games.into_iter().flat_map(|game| records_within(source, game, depth - 1)).collect()
            }
            None => vec![Err(broken(&span, "a game of hivegame.com"))],
        };
    };
    // An answer to a bot wraps its games.
    if let Some(data) = object.get("data") {
        let inner = json::object(data);
        let games = inner.as_ref().and_then(|data| data.get("games").or(data.get("game")));
        return records_within(source, games.unwrap_or(data), depth - 1);
    }
    let mut record = Record { span: span.clone(), ..Record::default() };
    let read = if object.contains_key("nodes") || object.contains_key("tree") {
        tree::read(source, &object, &mut record)
    } else {
        game(source, &object, &mut record)
    };
    vec![read.map(|()| record)]
}

fn broken(span: &Range<usize>, what: &str) -> Finding {
    Finding::new(&finding::SYNTAX, span.start..span.start + 1, format!("expected {what}"))
}

/// Reads the game type, which is named in two ways: `Base+MLP` and `MLP`.
fn game_type(source: &str, object: &json::Object<'_>) -> Result<Option<GameType>, Finding> {
    let Some(raw) = object.get("game_type") else { return Ok(None) };
    let name = json::text(raw).unwrap_or_default();
    let name = match name.as_str() {
        "Base" => name,
        letters if letters.bytes().all(|letter| b"MLP".contains(&letter)) => {
            format!("Base+{letters}")
        }
        _ => name,
    };
    let Ok((_, game_type)) = all_consuming(super::uhp::game_type).parse(&name) else {
        let message = "expected a game type such as `Base` or `MLP`";
        return Err(Finding::new(&finding::SYNTAX, json::span(source, raw), message));
    };
    Ok(Some(game_type))
}

/// Reads a game as the site sends it.
fn game(source: &str, object: &json::Object<'_>, record: &mut Record) -> Result<(), Finding> {
    let history = object.get("history").ok_or_else(|| broken(&record.span, "a `history`"))?;
    record.game_type = game_type(source, object)?;
    if let Some(plies) = json::array(history) {
        for ply in plies {
            let words: Vec<String> = serde_json::from_str(ply.get()).unwrap_or_default();
            read_ply(&words.join(" "), json::span(source, ply), record)?;
        }
    } else {
        // The stored text: all plies in one.
        let not_text = || broken(&json::span(source, history), "a list of plies, or a text");
        let text = json::text(history).ok_or_else(not_text)?;
        for ply in text.split(';').filter(|ply| !ply.trim().is_empty()) {
            read_ply(ply, json::span(source, history), record)?;
        }
    }
    read_tags(object, record);
    read_end(source, object, record);
    if let Some(controls) = object.get("game_control_history") {
        read_controls(controls, record);
    }
    Ok(())
}

/// Reads a ply such as `wL`, `bL wL-` or `pass`; the first place can be a full stop.
fn read_ply(text: &str, span: Range<usize>, record: &mut Record) -> Result<(), Finding> {
    let text = text.trim();
    let text = if record.plies.is_empty() { text.trim_end_matches(['.', ' ']) } else { text };
    json::read_move(text, span, record)
}

fn read_tags(object: &json::Object<'_>, record: &mut Record) {
    for color in Color::BOTH {
        let side = color.to_string().to_lowercase();
        let player = object.get(&format!("{side}_player")).and_then(|player| json::object(player));
        let name = player.as_ref().and_then(|player| player.get("username"));
        if let Some(name) = name.and_then(|name| json::text(name)) {
            record.set_tag(&color.to_string(), &name);
        }
        if let Some(rating) =
            object.get(&format!("{side}_rating")).filter(|raw| raw.get() != "null")
        {
            record.set_tag(&format!("{color}Ranking"), rating.get());
        }
    }
    for (property, tag) in TAGS {
        let value = object.get(property).and_then(|value| json::text(value));
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            record.set_tag(tag, &value);
        }
    }
    let date =
        record.tag("Created").and_then(|created| created.get(..10)).map(|d| d.replace('-', "."));
    if let Some(date) = date {
        record.set_tag("Date", &date);
    }
    let seconds = |name| object.get(name).and_then(|raw| json::number(raw));
    if let Some(base) = seconds("time_base") {
        let increment = seconds("time_increment").unwrap_or(0);
        record.set_tag("TimeControl", &format!("{base}+{increment}"));
    }
}

/// Reads how the game ended: `"InProgress"`, `{"Finished":{"Winner":"White"}}`, or as text `Finished(1-0)`.
fn read_end(source: &str, object: &json::Object<'_>, record: &mut Record) {
    if let Some(raw) = object.get("game_status") {
        let span = json::span(source, raw);
        let status: Value = serde_json::from_str(raw.get()).unwrap_or_default();
        let finished = &status["Finished"];
        let outcome = match (status.as_str(), finished.as_str(), finished["Winner"].as_str()) {
            (Some("Finished(1-0)"), ..) | (_, _, Some("White")) => Some(Outcome::WhiteWins),
            (Some("Finished(0-1)"), ..) | (_, _, Some("Black")) => Some(Outcome::BlackWins),
            (Some("Finished(½-½)"), ..) | (_, Some("Draw"), _) => Some(Outcome::Draw),
            _ => None,
        };
        match (outcome, status.as_str()) {
            (Some(outcome), _) => record.claim(Claimed::Outcome(outcome), span),
            (None, Some("InProgress")) => record.claim(Claimed::InProgress, span),
            (None, Some("NotStarted")) => record.claim(Claimed::NotStarted, span),
            (None, Some("Adjudicated")) => record.claim(Claimed::Cause(Cause::Adjudication), span),
            (None, _) => {}
        }
    }
    if let Some(raw) = object.get("conclusion") {
        let word = json::text(raw).unwrap_or_default();
        let known = CONCLUSIONS.iter().find(|(known, _)| *known == word);
        if let Some((_, cause)) = known {
            record.claim(Claimed::Cause(*cause), json::span(source, raw));
        }
    }
}

/// Reads what the players did beside taking turns: `[[12,{"Resign":"Black"}]]`, or as text `12. Resign(b);`.
fn read_controls(raw: &RawValue, record: &mut Record) {
    let known =
        |word: &str| CONTROLS.iter().find(|(known, _)| *known == word).map(|(_, ours)| *ours);
    let mut found = Vec::new();
    match serde_json::from_str(raw.get()) {
        Ok(Value::Array(controls)) => {
            for control in controls {
                let words = control[1].as_object().into_iter().flatten();
                for (word, color) in words {
                    found.push((
                        control[0].as_u64(),
                        known(word),
                        color.as_str().map(str::to_owned),
                    ));
                }
            }
        }
        Ok(Value::String(text)) => {
            for control in text.split(';').filter_map(|control| control.split_once(". ")) {
                let (turn, control) = control;
                let (word, color) = control.split_once('(').unwrap_or((control, ""));
                let color = color.trim_end_matches(')').to_owned();
                found.push((turn.trim().parse().ok(), known(word), Some(color)));
            }
        }
        _ => {}
    }
    for (turn, control, color) in found {
        let color = match color.as_deref() {
            Some("White" | "w") => Color::White,
            Some("Black" | "b") => Color::Black,
            _ => continue,
        };
        if let (Some(turn), Some(control)) = (turn, control) {
            let after = usize::try_from(turn).unwrap_or(usize::MAX).min(record.plies.len());
            record.remarks.push(Remark { after, what: Aside::Control(color, control) });
        }
    }
    record.remarks.sort_by_key(|remark| remark.after);
}

impl Notation for Hivegame {
    fn name(&self) -> &'static str {
        "hivegame"
    }

    fn about(&self) -> &'static str {
        "JSON of hivegame.com: games, and files of its analysis"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn can_rewrite(&self) -> bool {
        false
    }

    fn sniff(&self, head: &str) -> u8 {
        let is_json = head.trim_start().starts_with(['{', '[']);
        let words =
            ["\"hive-analysis\"", "\"game_control_history\"", "\"current_node\"", "\"history\""];
        if is_json && words.iter().any(|word| head.contains(word)) { 85 } else { 0 }
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        json::last_cut(bytes)
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        let text = source.text();
        Box::new(json::documents(text).flat_map(move |document| match document {
            Ok(document) => records(text, document),
            Err(finding) => vec![Err(finding)],
        }))
    }

    fn holds(&self) -> &'static [Part] {
        &[
            Part::Tags,
            Part::Controls,
            Part::Cause,
            Part::Outcome,
            Part::Expansions,
            Part::Numbers,
            Part::Orientation,
        ]
    }

    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        writeln!(out, "{}", written(game, style)?)?;
        let is_held = |name: &str| {
            matches!(name, "White" | "Black") || TAGS.iter().any(|(_, tag)| *tag == name)
        };
        let created = game.tag("Created").and_then(|created| created.get(..10));
        let is_date = |name: &str, value: &str| {
            name == "Date" && created.is_some_and(|date| date.replace('-', ".") == value)
        };
        let is_written = |tag: &crate::record::Tag| {
            is_held(&tag.name)
                || is_date(&tag.name, &tag.value)
                || is_number_held(&tag.name, &tag.value)
        };
        let is_tag_lost = !game.tags().iter().all(is_written);
        Ok(Part::lost(game, self.holds(), &[(Part::Tags, is_tag_lost)]))
    }

    fn productions(&self) -> &'static [Production] {
        // The plies are those of `grammar/move-string.ebnf`, the rest is JSON.
        &[]
    }
}

/// Seconds, and seconds more for each turn, in a tag such as `600+10`.
fn time_control(tag: &str) -> Option<(u64, u64)> {
    let (base, increment) = tag.split_once('+')?;
    Some((base.parse().ok()?, increment.parse().ok()?))
}

/// The number that a tag is, if it is read as the same text.
fn number(tag: &str) -> Option<Number> {
    serde_json::from_str(tag).ok().filter(|number: &Number| number.to_string() == tag)
}

/// Whether a tag is written as a number that is read as the same text.
fn is_number_held(name: &str, value: &str) -> bool {
    let is_rating = matches!(name, "WhiteRanking" | "BlackRanking");
    let same_time = |(base, increment)| format!("{base}+{increment}") == value;
    is_rating && number(value).is_some()
        || name == "TimeControl" && time_control(value).is_some_and(same_time)
}

/// A game as the site sends it, with what is known of it.
fn written(game: &Game, style: Style) -> io::Result<Value> {
    let mut history = Vec::new();
    move_string::each(game, style.reference, None, |_, text| {
        let text = text.to_string();
        let (piece, place) = text.split_once(' ').unwrap_or((&text, ""));
        history.push(document!([piece, place]));
        Ok(())
    })?;
    let controls: Vec<Value> = game
        .remarks()
        .iter()
        .filter_map(|remark| match remark.what {
            Aside::Control(player, control) => {
                let (word, _) = CONTROLS.iter().find(|(_, ours)| *ours == control)?;
                Some(document!([remark.after, { *word: player.to_string() }]))
            }
            Aside::Comment(_) | Aside::Clock(..) => None,
        })
        .collect();
    let winner = |color: &str| document!({ "Finished": { "Winner": color } });
    let status = match game.outcome() {
        Some(Outcome::WhiteWins) => winner("White"),
        Some(Outcome::BlackWins) => winner("Black"),
        Some(Outcome::Draw) => document!({ "Finished": "Draw" }),
        None if game.cause() == Some(Cause::Adjudication) => document!("Adjudicated"),
        None => document!(game.state()),
    };
    let conclusion =
        game.cause().and_then(|cause| CONCLUSIONS.iter().find(|(_, ours)| *ours == cause));
    let name = game.game_type().to_string();
    let mut written = document!({
        "game_type": name.strip_prefix("Base+").unwrap_or(&name),
        "game_status": status,
        "conclusion": conclusion.map_or("Unknown", |(word, _)| word),
        "history": history,
        "game_control_history": controls,
    });
    for color in Color::BOTH {
        if let Some(name) = game.tag(&color.to_string()) {
            written[format!("{}_player", color.to_string().to_lowercase())] =
                document!({ "username": name });
        }
    }
    for color in Color::BOTH {
        if let Some(rating) = game.tag(&format!("{color}Ranking")).and_then(number) {
            written[format!("{}_rating", color.to_string().to_lowercase())] = Value::Number(rating);
        }
    }
    if let Some((base, increment)) = game.tag("TimeControl").and_then(time_control) {
        written["time_base"] = document!(base);
        written["time_increment"] = document!(increment);
    }
    for (property, tag) in TAGS.iter().filter(|(property, _)| *property != "nanoid") {
        if let Some(value) = game.tag(tag) {
            written[*property] = document!(value);
        }
    }
    Ok(written)
}
