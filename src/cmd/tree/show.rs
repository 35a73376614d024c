//! Trees as text, rows and graphs.
use super::count::{Node, Stats};
use crate::{
    cmd::{
        Failure,
        rows::{self, Columns},
    },
    report::{Cell, Row},
    stats::Score,
};
use std::{
    collections::BTreeSet,
    io::{self, Write},
};

/// How a tree is written.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(super) enum Format {
    /// Indented lines
    Text,
    /// A table
    Table,
    /// Comma-separated values
    Csv,
    /// Values with tabulators between
    Tsv,
    /// A table for pages in Markdown
    Markdown,
    /// An array of objects
    Json,
    /// An object a line
    Ndjson,
    /// A graph for Graphviz
    Dot,
}

impl Format {
    /// Whether the texts of positions are in it.
    pub(super) fn names_positions(self) -> bool {
        !matches!(self, Format::Text)
    }

    pub(super) fn write(
        self,
        trees: &[Node],
        columns: &Columns,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let name = match self {
            Format::Text | Format::Dot if columns.are_named() => {
                return Err(Failure::Input("--columns is for rows".to_owned()));
            }
            Format::Text => {
                return Ok(trees.iter().try_for_each(|tree| write_text(tree, 0, out))?);
            }
            Format::Dot => return Ok(write_dot(trees, out)?),
            Format::Table => "table",
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Markdown => "markdown",
            Format::Json => "json",
            Format::Ndjson => "ndjson",
        };
        let mut rows = Vec::new();
        for tree in trees {
            rows.push(Continuation { node: tree, line: Vec::new() });
            add_rows(tree, &mut Vec::new(), &mut rows);
        }
        let mut writer = columns.open(rows::Format::named(name), Continuation::COLUMNS, out)?;
        rows.iter().try_for_each(|row| writer.row(row.cells()))?;
        Ok(writer.finish()?)
    }
}

/// A share of 1, in per cent.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// What is known of a position in words.
fn words(stats: &Stats) -> String {
    let mut words = vec![match stats.games {
        1 => "1 game".to_owned(),
        games => format!("{games} games"),
    }];
    if let Some(Score { score, low, high }) = stats.score() {
        let (white, draw, black) = (stats.white, stats.draw, stats.black);
        let [score, low, high] = [score, low, high].map(percent);
        let open = match stats.open() {
            0 => String::new(),
            open => format!(" ?{open}"),
        };
        words.push(format!("+{white} ={draw} -{black}{open}"));
        words.push(format!("{score} % ({low}-{high})"));
    }
    words.extend(stats.rating().map(|rating| format!("rating {rating}")));
    words.extend(stats.last.as_ref().map(|last| format!("last {last}")));
    words.join("  ")
}

fn write_text(node: &Node, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    let name = match node.text.as_str() {
        "" => node.game_type.to_string(),
        text => text.to_owned(),
    };
    let others = match node.others {
        0 => String::new(),
        others => format!("  +{others} by other ways"),
    };
    let before = if node.is_unfolded_before { "  (goes on above)" } else { "" };
    let words = words(&node.stats);
    writeln!(out, "{:indent$}{name}  {words}{others}{before}", "", indent = 2 * depth)?;
    node.children.iter().try_for_each(|child| write_text(child, depth + 1, out))
}

/// A continuation as a row.
struct Continuation<'t> {
    node: &'t Node,
    /// The moves from the root on.
    line: Vec<&'t str>,
}

fn add_rows<'t>(node: &'t Node, line: &mut Vec<&'t str>, rows: &mut Vec<Continuation<'t>>) {
    for child in &node.children {
        line.push(&child.text);
        rows.push(Continuation { node: child, line: line.clone() });
        add_rows(child, line, rows);
        line.pop();
    }
}

impl Row for Continuation<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "type",
        "depth",
        "line",
        "move",
        "games",
        "other_ways",
        "white",
        "draw",
        "black",
        "open",
        "white_score",
        "low",
        "high",
        "rating",
        "last",
        "goes_on_above",
        "position",
    ];

    fn cells(&self) -> Vec<Cell> {
        let Continuation { node, line } = self;
        let stats = &node.stats;
        let text = |text: String| Cell::Text(text);
        let score = stats.score();
        let share = |share: Option<f64>| share.map_or(Cell::Missing, Cell::Share);
        vec![
            text(node.game_type.to_string()),
            Cell::Count(line.len() as u64),
            text(line.join(";")),
            text(node.text.clone()),
            Cell::Count(stats.games),
            Cell::Count(node.others),
            Cell::Count(stats.white),
            Cell::Count(stats.draw),
            Cell::Count(stats.black),
            Cell::Count(stats.open()),
            share(score.map(|score| score.score)),
            share(score.map(|score| score.low)),
            share(score.map(|score| score.high)),
            stats.rating().and_then(|r| u64::try_from(r).ok()).map_or(Cell::Missing, Cell::Count),
            stats.last.clone().map_or(Cell::Missing, Cell::Text),
            Cell::Flag(node.is_unfolded_before),
            text(node.position.clone()),
        ]
    }
}

fn write_dot(trees: &[Node], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph tree {{\n  node [shape=box];")?;
    let mut written = BTreeSet::new();
    trees.iter().try_for_each(|tree| write_dot_node(tree, &mut written, out))?;
    writeln!(out, "}}")
}

/// Writes a position and what follows: each position once, and each step from one to another.
fn write_dot_node<'t>(
    node: &'t Node,
    written: &mut BTreeSet<[&'t str; 2]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let own = node.position.as_str();
    if written.insert([own, own]) {
        writeln!(out, "  \"{own}\" [label=\"{} games\"];", node.stats.games + node.others)?;
    }
    for child in &node.children {
        let to = child.position.as_str();
        if written.insert([own, to]) {
            let score = child.stats.score().map(|score| format!("  {} %", percent(score.score)));
            let (text, score) = (child.text.replace('\\', "\\\\"), score.unwrap_or_default());
            let games = child.stats.games;
            writeln!(out, "  \"{own}\" -> \"{to}\" [label=\"{text}  {games}{score}\"];")?;
        }
        write_dot_node(child, written, out)?;
    }
    Ok(())
}
