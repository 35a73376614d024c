//! Logs of Board Game Arena: packets of notifications, of which those of the type `tokenPlayed` tell a turn in the
//! style of `BoardSpace`.
//!
//! Equal pieces have the numbers of the tiles in the box, not of their order. The site does not tell passes: where a
//! player takes two turns in a row, the other one has passed. We write them.
use super::{Notation, Part, Records, Style, json, move_string};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::Production,
    record::{Action, Ply, PlySource, Record},
    rules::Color,
    source::Source,
};
use serde_json::{json as document, value::RawValue};
use std::io::{self, Write};

/// The notation of Board Game Arena.
#[derive(Debug)]
pub struct Bga;

/// Where the packets stand in an answer of the site, from outside to inside.
const PLACE: [&str; 3] = ["data", "data", "data"];

/// A log without packets.
const EMPTY: &str = "\"data\":{\"data\":{\"data\":[";

/// What a notification that tells a turn is called.
const TURN: &str = "tokenPlayed";

fn record(source: &str, raw: &RawValue) -> Result<Record, Finding> {
    let span = json::span(source, raw);
    let at = span.start..span.start + 1;
    let packets = match json::object(raw) {
        Some(answer) if answer.contains_key("error") => {
            let error = answer.get("error").and_then(|error| json::text(error));
            let message = format!("the site refused: {}", error.unwrap_or_default());
            return Err(Finding::new(&finding::SYNTAX, at, message));
        }
        Some(answer) => json::within(&answer, &PLACE).and_then(json::array),
        None => json::array(raw),
    };
    let broken = || Finding::new(&finding::SYNTAX, at, "expected packets of notifications");
    let mut reader =
        Reader { source, record: Record { span, ..Record::default() }, players: Vec::new() };
    let packets =
        packets.filter(|packets| packets.iter().all(|packet| json::object(packet).is_some()));
    for packet in packets.ok_or_else(broken)? {
        reader.packet(packet)?;
    }
    for (color, name) in Color::BOTH.iter().zip(reader.players) {
        // A name that only says the colour is ours.
        if name != color.to_string() {
            reader.record.set_tag(&color.to_string(), &name);
        }
    }
    Ok(reader.record)
}

struct Reader<'s> {
    source: &'s str,
    record: Record,
    /// The names of the players, in the order of their first turns.
    players: Vec<String>,
}

impl<'s> Reader<'s> {
    fn packet(&mut self, packet: &'s RawValue) -> Result<(), Finding> {
        let packet = json::object(packet);
        let notifications = packet
            .as_ref()
            .and_then(|packet| packet.get("data"))
            .and_then(|data| json::array(data));
        for notification in notifications.unwrap_or_default() {
            let Some(notification) = json::object(notification) else { continue };
            let is_turn = notification.get("type").and_then(|kind| json::text(kind));
            if is_turn.as_deref() == Some(TURN) {
                self.turn(&notification)?;
            }
        }
        Ok(())
    }

    fn turn(&mut self, notification: &json::Object<'s>) -> Result<(), Finding> {
        let raw = json::within(notification, &["args", "notation"]);
        let raw = raw.ok_or_else(|| {
            let at = self.record.span.start;
            let message = "expected `args` with a `notation` in each turn";
            Finding::new(&finding::SYNTAX, at..at + 1, message).at_ply(self.record.plies.len() + 1)
        })?;
        let span = json::span(self.source, raw);
        let name = json::within(notification, &["args", "player_name"]).and_then(json::text);
        if let Some(name) = name {
            self.pass_before(&name, &span);
        }
        let text = json::text(raw).unwrap_or_default();
        let text = text.trim().trim_start_matches('[').trim_end_matches(']').trim();
        let is_first = self.record.plies.is_empty();
        let text = if is_first { text.strip_suffix(" .").unwrap_or(text) } else { text };
        json::read_move(text, span, &mut self.record)
    }

    /// Adds the pass of the other player, if it is not this one's turn.
    fn pass_before(&mut self, name: &str, span: &std::ops::Range<usize>) {
        let place = self.players.iter().position(|player| player == name).unwrap_or_else(|| {
            self.players.push(name.to_owned());
            self.players.len() - 1
        });
        if place < 2 && self.record.plies.len() % 2 != place {
            let source = PlySource::Implied;
            let pass = Ply { action: Action::Pass, told: None, source, span: span.clone() };
            self.record.plies.push(pass);
        }
    }
}

impl Notation for Bga {
    fn name(&self) -> &'static str {
        "bga"
    }

    fn about(&self) -> &'static str {
        "JSON logs of Board Game Arena"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn can_rewrite(&self) -> bool {
        false
    }

    fn sniff(&self, head: &str) -> u8 {
        if head.trim_start().starts_with(['{', '['])
            && (head.contains(TURN) || head.contains(EMPTY))
        {
            90
        } else {
            0
        }
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        json::last_cut(bytes)
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        let text = source.text();
        Box::new(json::documents(text).map(move |document| record(text, document?)))
    }

    fn holds(&self) -> &'static [Part] {
        &[Part::Tags, Part::Numbers, Part::Orientation]
    }

    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let mut names = Color::BOTH.map(|color| match game.tag(&color.to_string()) {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => color.to_string(),
        });
        // Only the names tell whose turn it is.
        let are_equal = names[0] == names[1];
        if are_equal {
            names[1].push_str(" (2)");
        }
        let mut packets = Vec::new();
        move_string::each(game, style.reference, None, |number, text| {
            let name = &names[(number + 1) % 2];
            let args = document!({ "notation": text.to_string(), "player_name": name });
            packets.push(document!({ "data": [{ "type": TURN, "args": args }] }));
            Ok(())
        })?;
        writeln!(out, "{}", document!({ "data": { "data": { "data": packets } } }))?;
        let is_held = |name: &str| matches!(name, "White" | "Black");
        let has_silent_player = game.turns().len() < 2 && !game.tags().is_empty();
        let says_color = |color: &Color| game.tag(&color.to_string()) == Some(&color.to_string());
        let is_tag_lost = !game.tags().iter().all(|tag| is_held(&tag.name))
            || are_equal
            || has_silent_player
            || Color::BOTH.iter().any(says_color);
        Ok(Part::lost(game, self.holds(), &[(Part::Tags, is_tag_lost)]))
    }

    fn productions(&self) -> &'static [Production] {
        // The plies are those of `grammar/move-string.ebnf`, the rest is JSON.
        &[]
    }
}
