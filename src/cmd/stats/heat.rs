//! A map of cells, drawn in text.
use super::count::{Asked, Counting};
use crate::{
    cmd::{Failure, Io, Verdict},
    hex::Hex,
    rules::Bug,
    stats::{Key, METRICS, Metric, Partial, cell_of},
};
use std::{collections::BTreeMap, io::Write};

/// A map of the cells where pieces come to stand
///
/// Each number tells of 1000 turns that bring a piece to a cell how many bring it to this one: a dot is less than a half, and
/// nothing is none. The board is turned so that the second piece stands east of the first, which stands on the cell with `*`.
/// As rows: `stats --by cell --metrics turns`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit stats heat archive/
  hivekit stats heat --kind Q archive/
  hivekit stats heat --kind A --type Base --result white archive/")]
pub(super) struct Args {
    /// Only turns that bring a piece of this kind to its place, such as A
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Option<Bug>,
    #[command(flatten)]
    counting: Counting,
}

fn kind(text: &str) -> Result<Bug, String> {
    Bug::from_code(text)
        .ok_or_else(|| "expected the letters of a kind, as `rules` lists them".to_owned())
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let turns: Vec<&Metric> = METRICS.iter().filter(|metric| metric.name == "turns").collect();
    let asked =
        Asked { keys: vec![vec![Key::Kind, Key::Cell]], is_any: false, metrics: turns.clone() };
    args.counting.run(&asked, quiet, io, |partial, out| draw(&args.cells(partial, turns[0]), out))
}

impl Args {
    /// How many turns lead to each cell.
    fn cells(&self, partial: &Partial, turns: &Metric) -> BTreeMap<Hex, u64> {
        // Where the first piece stands is shown in any case.
        let mut cells = BTreeMap::from([(Hex::ORIGIN, 0)]);
        for (_, groups) in &partial.groupings {
            for (names, sums) in groups.iter() {
                let is_wanted = self.kind.is_none_or(|bug| bug.code() == names[0]);
                if let Some(cell) = cell_of(&names[1]).filter(|_| is_wanted) {
                    *cells.entry(cell).or_default() += sums.of(turns).0;
                }
            }
        }
        cells
    }
}

/// How many characters a cell takes.
const WIDTH: usize = 4;

fn draw(cells: &BTreeMap<Hex, u64>, out: &mut dyn Write) -> Result<(), Failure> {
    let all: u64 = cells.values().sum();
    // Half cells to the right: a row further down begins half a cell further.
    let column = |cell: Hex| 2 * cell.q + cell.r;
    let told: Vec<(Hex, u64)> = cells.iter().map(|(&cell, &turns)| (cell, turns)).collect();
    let left = told.iter().map(|(cell, _)| column(*cell)).min().unwrap_or(0);
    let mut rows: BTreeMap<i32, Vec<(usize, String)>> = BTreeMap::new();
    for (cell, turns) in told {
        let mark = if cell == Hex::ORIGIN { "*" } else { " " };
        let number = match (1000 * turns + all / 2) / all.max(1) {
            _ if turns == 0 => String::new(),
            0 => ".".to_owned(),
            number => number.to_string(),
        };
        let at = usize::try_from(column(cell) - left).unwrap_or(0) * WIDTH / 2;
        rows.entry(cell.r).or_default().push((at, format!("{number:>3}{mark}")));
    }
    if all == 0 {
        return Ok(writeln!(out, "no turns")?);
    }
    writeln!(out, "Of 1000 turns that bring a piece to a cell, so many bring it here (of {all};")?;
    writeln!(out, "`.` is less than a half, `*` the cell of the first piece):\n")?;
    for row in rows.values_mut() {
        row.sort_unstable();
        let mut line = String::new();
        for (at, text) in row.iter() {
            line = format!("{line:<at$}{text}", at = *at);
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
