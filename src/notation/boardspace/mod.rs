//! Smart Game Format of boardspace.net, the largest archive of Hive games. Grammar: `grammar/sgf.ebnf`.
//!
//! Files of all years are read, from 2006 on: with and without colours in the names of pieces, with `done` and
//! `movedone`, with passes in four spellings, with columns beyond the alphabet and on a board that wraps
//! around, with results in any language. A second tree that is the raw log of the first is skipped with a note.
mod events;
mod lines;
mod root;
mod sgf;
mod write;

use super::{Notation, Part, Records, Style, line_starts_from_end, offset_in};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::{Expected, Parsed, Production, productions},
    record::{Aside, Cause, Claim, Claimed, Record, Remark, Variation},
    rules::Color,
    source::Source,
};
use events::{Events, PlayerEvent};
use nom::{Parser, combinator::all_consuming};
use root::{Root, UnknownVariant};
use sgf::{Event, Node, Property, Tree};
use std::{
    io::{self, Write},
    ops::Range,
};

/// The notation of boardspace.net.
#[derive(Debug)]
pub struct Boardspace;

/// How far a line has come.
#[derive(Clone)]
struct Line {
    /// The colours of the players P0 and P1.
    colors: [Color; 2],
    events: Events,
    /// The clock beside an event that ended no turn.
    clock: Option<u64>,
}

/// Reads a text tree by tree.
struct Reader<'s> {
    text: &'s str,
    /// What follows the last tree.
    rest: &'s str,
    /// What follows the last tree up to where another game certainly begins.
    frame: &'s str,
    /// The name of the last game, to know the raw log that may follow it.
    last_name: Option<&'s str>,
    has_trees: bool,
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, Finding>;

    fn next(&mut self) -> Option<Result<Record, Finding>> {
        if self.frame.trim().is_empty() {
            (self.frame, self.rest) = self.rest.split_at(first_game(self.rest));
        }
        let mut junk = self.skip_junk();
        if self.frame.is_empty() && !self.rest.is_empty() {
            (self.frame, self.rest) = self.rest.split_at(first_game(self.rest));
            junk = junk.or(self.skip_junk());
        }
        if self.frame.is_empty() {
            return self.junk_alone(junk).map(Err);
        }
        self.has_trees = true;
        let start = offset_in(self.text, self.frame);
        let tree = match sgf::tree(self.frame) {
            Ok((rest, tree)) => {
                self.frame = rest;
                tree
            }
            // Whatever is wrong in a game, the next one begins where it begins.
            Err(error) => {
                self.frame = "";
                return Some(Err(self.broken(error)));
            }
        };
        self.last_name = game_name(&tree.nodes);
        let mut record = self.record(&tree, start..offset_in(self.text, self.frame));
        let logs = self.skip_logs();
        // What follows belongs to this game, so that it does not matter where a file is cut into pieces.
        let after = self.skip_junk();
        if let Ok(record) = &mut record {
            record.findings.extend(junk.map(stray));
            record.findings.extend(logs);
            record.findings.extend(after.map(stray));
        }
        Some(record)
    }
}

/// How many bytes the first game of a text has: the next one begins where a line begins with a tree whose
/// first node says so. (Other trees could be variations.)
fn first_game(text: &str) -> usize {
    let is_game = |tree: &str| name_of_game(tree.as_bytes()).is_some();
    let begins_line = |at: usize| text[..at].trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
    let trees = text.match_indices('(').map(|(at, _)| at).filter(|&at| begins_line(at) || at == 0);
    let mut games = trees.filter(|&at| is_game(&text[at..]));
    let first = games.next();
    let before_first = first.is_some_and(|at| text[..at].trim().is_empty());
    if before_first { games.next() } else { first }.unwrap_or(text.len())
}

/// The finding about text outside of trees.
fn stray(span: Range<usize>) -> Finding {
    let message = "text outside of a game is skipped";
    Finding::new(&finding::STRAY_TEXT, span, message)
}

/// Whether the players exchange their colours with a verb of one who has this colour.
fn is_exchange(verb: &str, color: Color) -> bool {
    verb.eq_ignore_ascii_case("swap")
        || verb.eq_ignore_ascii_case("playwhite") && color == Color::Black
        || verb.eq_ignore_ascii_case("playblack") && color == Color::White
}

/// The server's name of the game.
fn game_name<'s>(nodes: &[Node<'s>]) -> Option<&'s str> {
    let root = nodes.first()?;
    let name = root.iter().find(|property| property.name == "GN")?.value.trim();
    (!name.is_empty()).then_some(name)
}

impl<'s> Reader<'s> {
    /// Goes on to the next tree; returns the place of what else stood before it.
    fn skip_junk(&mut self) -> Option<Range<usize>> {
        let begins_tree = |at: usize| self.frame[at + 1..].trim_start().starts_with(';');
        let mut trees = self.frame.match_indices('(').map(|(at, _)| at);
        let next = trees.find(|&at| begins_tree(at));
        let (before, frame) = self.frame.split_at(next.unwrap_or(self.frame.len()));
        let junk = before.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        self.frame = frame;
        let start = offset_in(self.text, junk);
        (!junk.is_empty()).then(|| start..start + junk.len())
    }

    /// What to say about a text without any tree.
    fn junk_alone(&mut self, junk: Option<Range<usize>>) -> Option<Finding> {
        let span = junk.filter(|_| !self.has_trees)?;
        Some(Finding::new(&finding::SYNTAX, span, "expected a game that begins with `(;`"))
    }

    /// Goes past the trees that follow as long as they are the raw log of the last one: with the same name, and
    /// events of nobody or a second start.
    fn skip_logs(&mut self) -> Vec<Finding> {
        let mut logs = Vec::new();
        loop {
            if self.frame.trim().is_empty() {
                (self.frame, self.rest) = self.rest.split_at(first_game(self.rest));
            }
            let frame = self.frame.trim_start();
            let Ok((after, Tree { nodes, .. })) = sgf::tree(frame) else { return logs };
            if self.last_name.is_none() || game_name(&nodes) != self.last_name || !is_raw(&nodes) {
                return logs;
            }
            let at = offset_in(self.text, frame);
            let message = "the raw log of the game is skipped";
            let end = at + frame.len() - after.len();
            logs.push(Finding::new(&finding::EVENT_LOG, at..end, message));
            self.frame = after;
        }
    }

    /// Where a tree cannot be read.
    fn broken(&self, error: nom::Err<Expected<'s>>) -> Finding {
        let Expected { rest, what } = Expected::of(error);
        let start = offset_in(self.text, rest);
        let end = start + rest.find('\n').unwrap_or(rest.len());
        Finding::new(&finding::SYNTAX, start..end, format!("expected {what}"))
    }

    fn record(&self, tree: &Tree<'s>, span: Range<usize>) -> Result<Record, Finding> {
        let mut record = Record { span, ..Record::default() };
        self.read_root(&tree.nodes, &mut record)?;
        let colors = root::colors(&tree.nodes);
        let line = Line { colors, events: Events::default(), clock: None };
        let line = self.read_line(tree, line, None, &mut record)?;
        if line.colors != colors {
            root::exchange_players(&mut record.tags);
        }
        line.events.finish(&mut record);
        record.remarks.sort_by_key(|remark| remark.after);
        Ok(record)
    }

    /// Takes the nodes of a line into the record, and what branches off into its variations; `at` is the place of the
    /// line among these.
    fn read_line(
        &self,
        tree: &Tree<'s>,
        mut line: Line,
        at: Option<usize>,
        record: &mut Record,
    ) -> Result<Line, Finding> {
        // Those that branch off first stand last.
        let mut branches = tree.branches.iter().rev().peekable();
        for (before, node) in tree.nodes.iter().enumerate() {
            while let Some((_, branch)) = branches.next_if(|(place, _)| *place == before) {
                self.read_branch(branch, line.clone(), at, record);
            }
            let turn = self.read_node(node, &mut line.colors, &mut line.events, record)?;
            // A clock beside an event that ends no turn counts if the one that does has none.
            let own = node.iter().find(|property| property.name == "TM");
            line.clock = own.and_then(|time| time.value.trim().parse().ok()).or(line.clock);
            if let Some(player) = turn
                && let Some(milliseconds) = line.clock.take()
            {
                record.remark(Aside::Clock(player, milliseconds));
            }
        }
        for (_, branch) in branches {
            self.read_branch(branch, line.clone(), at, record);
        }
        Ok(line)
    }

    /// Reads a line that leaves another one where that has come to.
    fn read_branch(&self, tree: &Tree<'s>, line: Line, of: Option<usize>, record: &mut Record) {
        let after = record.plies.len();
        let at = record.variations.len();
        record.variations.push(Variation { of, after, ..Variation::default() });
        // What is read of it is no more part of the line it leaves.
        let mut side = Record { plies: record.plies.clone(), ..Record::default() };
        side.variations = std::mem::take(&mut record.variations);
        match self.read_line(tree, line, Some(at), &mut side) {
            Ok(line) => line.events.finish(&mut side),
            // What is wrong with a line costs nothing but the rest of it.
            Err(found) => {
                side.findings.push(found.ends_variation());
                side.is_cut = true;
            }
        }
        record.variations = side.variations;
        record.findings.extend(side.findings.into_iter().map(Finding::in_variation));
        record.is_cut |= side.is_cut;
        // A variation has no end of its own, but for what its players say.
        let is_told = |claim: &Claim| claim.what != Claimed::Cause(Cause::Time);
        record.has_others |= side.has_others
            || !side.claims.iter().all(is_told)
            || Root::of(&tree.nodes).has_unknown();
        let own = &mut record.variations[at];
        own.plies = side.plies.split_off(after);
        own.remarks = side.remarks;
        own.remarks.sort_by_key(|remark| remark.after);
    }

    /// Takes a node into the record; returns the player whose turn it ends.
    fn read_node(
        &self,
        node: &Node<'s>,
        colors: &mut [Color; 2],
        events: &mut Events,
        record: &mut Record,
    ) -> Result<Option<Color>, Finding> {
        let mut turn = None;
        for property in node {
            let player = match property.name {
                "P0" => 0,
                "P1" => 1,
                "C" | "N" | "GC" | "AN" => {
                    let text = sgf::unescaped(property.value).trim().to_owned();
                    // A comment on a turn that awaits its confirmation is one on that turn.
                    let after = record.plies.len() + events.plies_to_come(record);
                    record.remarks.push(Remark { after, what: Aside::Comment(text) });
                    continue;
                }
                _ => continue,
            };
            let Some(event) = self.event(*property)? else { continue };
            if is_exchange(event.verb, colors[player]) {
                colors.swap(0, 1);
                continue;
            }
            let player = colors[player];
            let event = PlayerEvent { player, event, span: self.span(*property) };
            turn = events.take(&event, record)?.then_some(player).or(turn);
        }
        Ok(turn)
    }

    /// The event that a property of a player holds, if it is one.
    fn event(&self, property: Property<'s>) -> Result<Option<Event<'s>>, Finding> {
        const OF_PLAYERS: [&str; 4] = ["id", "time", "ranking", "country"];
        let first = property.value.split_whitespace().next().unwrap_or_default();
        if first.is_empty() || OF_PLAYERS.contains(&first) {
            return Ok(None);
        }
        match all_consuming(sgf::event).parse(property.value) {
            Ok((_, event)) => Ok(Some(event)),
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
        if root.get("GM").is_none() && root.get("SU").is_none() && !root.has_players() {
            let message = "nothing here is of a game of Hive";
            return Err(Finding::new(
                &finding::SYNTAX,
                record.span.start..record.span.start + 1,
                message,
            ));
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
        record.has_others = root.has_others();
        if let Some(result) = root.get("RE")
            && let Some(outcome) = root::outcome_in(result.value, &root.players())
        {
            record.claim(Claimed::Outcome(outcome), self.span(result));
        }
        Ok(())
    }
}

/// The server's name of the game that begins here, empty if it has none; `None` if no game begins here.
fn name_of_game(bytes: &[u8]) -> Option<&[u8]> {
    let indent = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let node = sgf::first_node(&bytes[indent..])?;
    let find = |name: &[u8]| node.windows(name.len()).position(|window| window == name);
    find(b"GM[")?;
    let name = find(b"GN[").map(|at| &node[at + 3..]).unwrap_or_default();
    name.split(|&byte| byte == b']').next()
}

/// Whether a tree is a raw log.
fn is_raw(nodes: &[Node<'_>]) -> bool {
    let properties = || nodes.iter().flatten();
    let is_start = |property: &&Property<'_>| {
        property.name.starts_with('P')
            && sgf::event(property.value)
                .is_ok_and(|(_, event)| event.verb.eq_ignore_ascii_case("start"))
    };
    properties().any(|property| property.name == "P-1") || properties().filter(is_start).count() > 1
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

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        let mut later: Option<(usize, &[u8])> = None;
        let starts = line_starts_from_end(bytes).chain([0]);
        for (start, name) in
            starts.filter_map(|start| Some((start, name_of_game(&bytes[start..])?)))
        {
            // A game with the name of the one before it could be that one's raw log.
            match later {
                Some((cut, next)) if next != name || name.is_empty() => return Some(cut),
                _ => later = Some((start, name)),
            }
        }
        None
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        let text = source.text();
        Box::new(Reader { text, rest: text, frame: "", last_name: None, has_trees: false })
    }

    fn holds(&self) -> &'static [Part] {
        write::HELD
    }

    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        write::write(game, style, out)
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}
