//! Smart Game Format of boardspace.net, the largest archive of Hive games. Grammar: `grammar/sgf.ebnf`.
//!
//! Files of all years are read, from 2006 on: with and without colours in the names of pieces, with `done` and
//! `movedone`, with passes in four spellings, with columns beyond the alphabet and on a board that wraps
//! around, with results in any language. A second tree that is the raw log of the first is skipped with a note.
mod events;
mod root;
mod sgf;

use super::{Loss, Notation, Records, offset_in};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::{Expected, Parsed, Production, productions},
    record::{Claimed, Record},
    rules::Color,
    source::Source,
};
use events::{Events, PlayerEvent};
use nom::{Parser, combinator::all_consuming};
use root::{Root, UnknownVariant};
use sgf::{Node, Property};
use std::{
    io::{self, Write},
    ops::Range,
};

/// The notation of boardspace.net.
#[derive(Debug)]
pub struct Boardspace;

/// Reads a text tree by tree.
struct Reader<'s> {
    text: &'s str,
    rest: &'s str,
    /// The name of the last game, to know the raw log that may follow it.
    last_name: Option<&'s str>,
    /// A log was skipped after the last game.
    skipped: Option<Finding>,
    has_trees: bool,
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, Finding>;

    fn next(&mut self) -> Option<Result<Record, Finding>> {
        let junk = self.skip_junk();
        if self.rest.is_empty() {
            return self.junk_alone(junk).map(Err);
        }
        let start = self.text.len() - self.rest.len();
        let nodes = match sgf::tree(self.rest) {
            Ok((rest, nodes)) => {
                self.rest = rest;
                nodes
            }
            Err(error) => return Some(Err(self.broken(error))),
        };
        self.last_name = game_name(&nodes);
        let span = start..self.text.len() - self.rest.len();
        self.skip_log();
        let mut record = self.record(&nodes, span);
        if let Ok(record) = &mut record {
            record.findings.extend(junk.map(stray));
            record.findings.extend(self.skipped.take());
        }
        self.has_trees = true;
        Some(record)
    }
}

/// The finding about text outside of trees.
fn stray(span: Range<usize>) -> Finding {
    let message = "text outside of a game is skipped";
    Finding::new(&finding::STRAY_TEXT, span, message)
}

/// The server's name of the game.
fn game_name<'s>(nodes: &[Node<'s>]) -> Option<&'s str> {
    let root = nodes.first()?;
    root.iter().find(|property| property.name == "GN").map(|property| property.value)
}

impl<'s> Reader<'s> {
    /// Goes on to the next tree; returns the place of what else stood before it.
    fn skip_junk(&mut self) -> Option<Range<usize>> {
        let next = self.rest.find("(;").or_else(|| self.rest.find('('));
        let (before, rest) = self.rest.split_at(next.unwrap_or(self.rest.len()));
        let junk = before.trim();
        self.rest = rest;
        let start = offset_in(self.text, junk);
        (!junk.is_empty()).then(|| start..start + junk.len())
    }

    /// What to say about text after the last tree: an error, if there was no tree at all.
    fn junk_alone(&mut self, junk: Option<Range<usize>>) -> Option<Finding> {
        let span = junk?;
        let message = if self.has_trees {
            "expected another game that begins with `(;`, or the end"
        } else {
            "expected a game that begins with `(;`"
        };
        Some(Finding::new(&finding::SYNTAX, span, message))
    }

    /// Goes past the tree that follows if it is the raw log of the last one: it has the same name, and
    /// events of nobody or a second start.
    fn skip_log(&mut self) {
        let rest = self.rest.trim_start();
        let Ok((after, nodes)) = sgf::tree(rest) else { return };
        let properties = || nodes.iter().flatten();
        let starts = properties()
            .filter(|property| property.name.starts_with('P'))
            .filter(|property| {
                sgf::event(property.value).is_ok_and(|(_, e)| e.verb.eq_ignore_ascii_case("start"))
            })
            .count();
        let is_raw = starts > 1 || properties().any(|property| property.name == "P-1");
        if game_name(&nodes) == self.last_name && is_raw {
            let at = offset_in(self.text, rest);
            let message = "the raw log of the game is skipped";
            self.skipped = Some(Finding::new(&finding::EVENT_LOG, at..at + 1, message));
            self.rest = after;
        }
    }

    /// Where a tree cannot be read; the next game begins with the next tree at the start of a line.
    fn broken(&mut self, error: nom::Err<Expected<'s>>) -> Finding {
        let Expected { rest, what } = Expected::of(error);
        let start = offset_in(self.text, rest);
        let end = start + rest.find('\n').unwrap_or(rest.len());
        let from = self.rest.len().min(1);
        let next = self
            .rest
            .match_indices("(;")
            .map(|(at, _)| at)
            .find(|&at| at >= from && self.rest[..at].trim_end_matches(' ').ends_with('\n'));
        self.rest = &self.rest[next.unwrap_or(self.rest.len())..];
        Finding::new(&finding::SYNTAX, start..end, format!("expected {what}"))
    }

    fn record(&self, nodes: &[Node<'s>], span: Range<usize>) -> Result<Record, Finding> {
        let mut record = Record { span, ..Record::default() };
        self.read_root(nodes, &mut record)?;
        let mut events = Events::default();
        let mut player = Color::White;
        for property in nodes.iter().flatten() {
            let Some(event) = self.event(*property)? else { continue };
            player = event.player;
            events.take(&event, &mut record)?;
        }
        events.finish(player, &mut record);
        Ok(record)
    }

    /// The event of a player that a property holds, if it is one.
    fn event(&self, property: Property<'s>) -> Result<Option<PlayerEvent<'s>>, Finding> {
        let player = match property.name {
            "P0" => Color::White,
            "P1" => Color::Black,
            _ => return Ok(None),
        };
        let first = property.value.split_whitespace().next().unwrap_or_default();
        if !first.starts_with(|c: char| c.is_ascii_digit()) {
            // The player's name, rank, country or clock.
            return Ok(None);
        }
        match all_consuming(sgf::event).parse(property.value) {
            Ok((_, event)) => Ok(Some(PlayerEvent { player, event, span: self.span(property) })),
            Err(error) => {
                let message = format!("expected {}", Expected::of(error).what);
                Err(Finding::new(&finding::SYNTAX, self.span(property), message))
            }
        }
    }

    fn span(&self, property: Property<'_>) -> Range<usize> {
        let start = offset_in(self.text, property.value);
        start..start + property.value.trim_end().len()
    }

    /// Reads what stands before the moves.
    fn read_root(&self, nodes: &[Node<'s>], record: &mut Record) -> Result<(), Finding> {
        let root = Root::of(nodes);
        if let Some(game) = root.get("GM").filter(|game| game.value.trim() != "27") {
            let message = "this is another game: Hive has the number 27";
            return Err(Finding::new(&finding::SYNTAX, self.span(game), message));
        }
        if let Some(setup) = root.get("SU") {
            record.game_type =
                Some(root::variant(setup.value).map_err(|unknown| match unknown {
                    UnknownVariant::Ultimate => {
                        let message =
                            "hive-ultimate is another game, and its rules are not implemented";
                        Finding::new(&finding::HIVE_ULTIMATE, self.span(setup), message)
                    }
                    UnknownVariant::Other => {
                        let message = "expected a variant such as `hive` or `hive-plm`";
                        Finding::new(&finding::SYNTAX, self.span(setup), message)
                    }
                })?);
        }
        record.tags = root.tags();
        record.unread.comments =
            ["C", "N", "GC", "AN"].into_iter().any(|name| root.get(name).is_some());
        record.unread.clocks = root.get("TM").is_some();
        if let Some(result) = root.get("RE")
            && let Some(outcome) = root::outcome_in(result.value, &root.players())
        {
            record.claim(Claimed::Outcome(outcome), self.span(result));
        }
        Ok(())
    }
}

/// `game`, to be held against the grammar.
fn game(s: &str) -> Parsed<'_, ()> {
    nom::combinator::value((), sgf::tree).parse(s)
}

/// The productions of `grammar/sgf.ebnf`, leaves first, each with its parser.
const PRODUCTIONS: &[Production] = productions! {
    "name" = sgf::name, "plain-value" = sgf::plain_value, "player-value" = sgf::player_value,
    "property" = sgf::property, "node" = sgf::node, "tree" = game,
    "column" = sgf::column, "row" = sgf::row, "event" = sgf::event,
};

impl Notation for Boardspace {
    fn name(&self) -> &'static str {
        "sgf"
    }

    fn about(&self) -> &'static str {
        "Smart Game Format of boardspace.net"
    }

    fn sniff(&self, head: &str) -> u8 {
        let begins = |text: &str| {
            text.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'))
        };
        if begins(head.trim_start()) {
            100
        } else if head.lines().any(|line| begins(line.trim_start())) && head.contains("GM[27]") {
            70
        } else {
            0
        }
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        let text = source.text();
        Box::new(Reader { text, rest: text, last_name: None, skipped: None, has_trees: false })
    }

    fn can_write(&self) -> bool {
        false
    }

    fn write(&self, _: &Game, _: &mut dyn Write) -> io::Result<Vec<Loss>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "sgf cannot be written yet"))
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}
