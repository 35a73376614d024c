//! Replays of the competition site Kaggle, one JSON document a game: the game is the game string (as `OpenSpiel` writes
//! it) in the last observation that has one.
use super::{Notation, Part, Records, Style, json, uhp};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::Production,
    record::{Cause, Claimed, Record},
    rules::{Color, Outcome},
    source::Source,
};
use serde_json::{json as document, value::RawValue};
use std::io::{self, Write};

/// The notation of Kaggle.
#[derive(Debug)]
pub struct Kaggle;

/// What the documents call themselves.
const NAME: &str = "open_spiel_hive";

fn record(source: &str, raw: &RawValue) -> Result<Record, Finding> {
    let whole = json::span(source, raw);
    let broken = |what: &str| {
        let at = whole.start..whole.start + 1;
        Finding::new(&finding::SYNTAX, at, format!("expected {what}"))
    };
    let replay = json::object(raw).ok_or_else(|| broken("a replay"))?;
    let steps = replay.get("steps").and_then(|steps| json::array(steps));
    let steps = steps.ok_or_else(|| broken("a replay with `steps`"))?;
    let found = steps.iter().rev().find_map(|step| game_string(step));
    let (at, text) = found.ok_or_else(|| broken("an observation with a game string"))?;
    let span = json::span(source, at);
    // The string stands in a text within a text: of its places only the whole is one of the source.
    let mut record =
        uhp::record(&text, 0).map_err(|finding| Finding { span: span.clone(), ..finding })?;
    record.plies.iter_mut().for_each(|ply| ply.span = span.clone());
    record.findings.iter_mut().for_each(|finding| finding.span = span.clone());
    record.claims.iter_mut().for_each(|claim| claim.span = span.clone());
    record.span = whole;
    let teams = json::within(&replay, &["info", "TeamNames"]).and_then(json::array);
    for (color, team) in Color::BOTH.iter().zip(teams.unwrap_or_default()) {
        if let Some(name) = json::text(team).filter(|name| !name.is_empty()) {
            record.set_tag(&color.to_string(), &name);
        }
    }
    if let Some(id) = replay.get("id").and_then(|id| json::text(id)).filter(|id| !id.is_empty()) {
        record.set_tag("KaggleId", &id);
    }
    let rewards = replay.get("rewards").and_then(|rewards| json::array(rewards));
    if let Some(outcome) = rewards.and_then(|rewards| rewarded(&rewards)) {
        let is_known = record.claims.iter().any(|claim| claim.what == Claimed::Outcome(outcome));
        if !is_known {
            // The replay ends before the game: a player broke the rules, or had no time.
            record.claim(Claimed::Outcome(outcome), span.clone());
            record.claim(Claimed::Cause(Cause::Forfeit), span);
        }
    }
    Ok(record)
}

/// The game string in the observation of a step.
fn game_string(step: &RawValue) -> Option<(&RawValue, String)> {
    json::array(step)?.into_iter().find_map(|player| {
        let player = json::object(player)?;
        let observation = json::within(&player, &["observation", "observationString"])?;
        let text = json::text(observation)?;
        let inner: serde_json::Value = serde_json::from_str(&text).ok()?;
        let game = inner.get("uhp")?.as_str().filter(|game| !game.is_empty())?;
        Some((observation, game.to_owned()))
    })
}

fn rewarded(rewards: &[&RawValue]) -> Option<Outcome> {
    let [white, black] = rewards else { return None };
    let reward = |raw: &RawValue| raw.get().parse::<f64>().ok();
    let (white, black) = (reward(white)?, reward(black)?);
    if white > black {
        Some(Outcome::WhiteWins)
    } else if white < black {
        Some(Outcome::BlackWins)
    } else {
        Some(Outcome::Draw)
    }
}

impl Notation for Kaggle {
    fn name(&self) -> &'static str {
        "kaggle"
    }

    fn about(&self) -> &'static str {
        "JSON replays of Kaggle, with game strings of OpenSpiel"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn can_rewrite(&self) -> bool {
        false
    }

    fn sniff(&self, head: &str) -> u8 {
        let is_replay = head.contains(NAME) || head.contains("\"observationString\"");
        if head.trim_start().starts_with('{') && is_replay { 95 } else { 0 }
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        json::last_cut(bytes)
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        let text = source.text();
        Box::new(json::documents(text).map(move |document| record(text, document?)))
    }

    fn holds(&self) -> &'static [Part] {
        &[Part::Tags, Part::Outcome, Part::Expansions, Part::Orientation]
    }

    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let mut text = Vec::new();
        uhp::Uhp.write(game, style, &mut text)?;
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if let Some(outcome) = game.outcome().filter(|_| game.cause() == Some(Cause::Forfeit)) {
            // Of a game that was broken off only the rewards tell how.
            text = text.replacen(&outcome.to_string(), "InProgress", 1);
        }
        let observation = document!({ "uhp": text.trim_end() }).to_string();
        let rewards = match game.outcome() {
            Some(Outcome::WhiteWins) => document!([1.0, -1.0]),
            Some(Outcome::BlackWins) => document!([-1.0, 1.0]),
            Some(Outcome::Draw) => document!([0.0, 0.0]),
            None => document!([null, null]),
        };
        let names = Color::BOTH.map(|color| game.tag(&color.to_string()).unwrap_or_default());
        let replay = document!({
            "id": game.tag("KaggleId").unwrap_or_default(),
            "name": NAME,
            "info": { "TeamNames": names },
            "rewards": rewards,
            "steps": [[{ "observation": { "observationString": observation } }]],
        });
        writeln!(out, "{replay}")?;
        let is_held = |name: &str| matches!(name, "White" | "Black" | "KaggleId");
        let is_tag_lost = !game.tags().iter().all(|tag| is_held(&tag.name));
        let mut lost = Part::lost(game, self.holds(), &[(Part::Tags, is_tag_lost)]);
        lost.retain(|part| *part != Part::Cause || game.cause() != Some(Cause::Forfeit));
        Ok(lost)
    }

    fn productions(&self) -> &'static [Production] {
        // The plies are those of `grammar/uhp.ebnf`, the rest is JSON.
        &[]
    }
}
