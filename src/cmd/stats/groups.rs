//! Groups of games as rows, with the metrics that a user names.
use super::{
    column::Column,
    count::{Asked, Counting},
    overview,
    preset::Preset,
};
use crate::{
    cmd::{Failure, Io, Verdict, rows::Output},
    report::{Cell, RowWriter},
    stats::{Groups, Key, METRICS, Partial, Sums},
};
use std::io::Write;

/// What is counted, and how it is shown.
#[derive(clap::Args, Debug)]
pub(super) struct Grouping {
    /// Group games by these: player, opponent, colour, type, year, month, opening, tiles, `queen_turn`, result, cause, source,
    /// file, kind, piece, cell, around, length:N, ply:N, tag:NAME
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    by: Vec<Key>,
    /// Tell these of each group, in this order; `score` has three columns
    #[arg(long, value_name = "METRIC,...", value_delimiter = ',', value_parser = Column::parser())]
    metrics: Vec<Column>,
    /// Leave out groups of fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// The groups with most of this metric first
    #[arg(long, value_name = "METRIC", value_parser = Column::parser(), hide_possible_values = true)]
    sort: Option<Column>,
    /// No more than so many groups
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Draw this metric as bars, in a last column
    #[arg(long, value_name = "METRIC", value_parser = Column::parser(), hide_possible_values = true)]
    bars: Option<Column>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    counting: Counting,
}

/// How groups are shown.
struct Shown<'a> {
    args: &'a Grouping,
    columns: Vec<Column>,
    sort: Option<Column>,
    bars: Option<Column>,
}

/// How long the longest bar is.
const BAR: f64 = 40.0;

pub(super) fn run(
    args: &Grouping,
    preset: &Preset,
    quiet: bool,
    io: &mut Io<'_>,
) -> Result<Verdict, Failure> {
    let keys = if args.by.is_empty() {
        preset.by.iter().filter_map(|key| key.parse().ok()).collect()
    } else {
        args.by.clone()
    };
    let named = |name: Option<&str>| name.map(Column::named);
    let is_table = args.output.is_table();
    let columns =
        if args.metrics.is_empty() { Column::all(preset.metrics) } else { args.metrics.clone() };
    let is_told = |column: &Column| columns.iter().any(|told| told.names()[0] == column.names()[0]);
    let shown = Shown {
        args,
        sort: args.sort.or(named(preset.sort).filter(is_told)),
        bars: args.bars.or(named(preset.bars).filter(|bars| is_table && is_told(bars))),
        columns,
    };
    let asked = shown.asked(keys);
    args.counting.run(&asked, quiet, io, |partial, out| match &partial.groupings[..] {
        [(keys, groups)] if !keys.is_empty() => shown.write(partial, keys, groups, out),
        groupings => overview::write(groupings, out),
    })
}

impl Grouping {
    /// Whether all metrics are counted that cost no more than a replay: for an overview, and for a part that is shown later.
    fn counts_all(&self, keys: &[Key]) -> bool {
        keys.is_empty() || self.metrics.is_empty() && self.counting.is_partial()
    }
}

impl Shown<'_> {
    /// What has to be counted.
    fn asked(&self, keys: Vec<Key>) -> Asked {
        let shown = self.columns.iter().copied().chain(self.sort).chain(self.bars);
        let named: Vec<&str> = shown.filter_map(Column::metric).map(|m| m.name).collect();
        let is_usual = self.args.counts_all(&keys);
        let is_counted = |name: &str| name == "games" || named.contains(&name);
        let metrics = METRICS
            .iter()
            .filter(|metric| is_counted(metric.name) || is_usual && metric.is_usual());
        let keys = if keys.is_empty() { overview::keys() } else { vec![keys] };
        Asked { keys, metrics: metrics.collect() }
    }

    fn write(
        &self,
        partial: &Partial,
        keys: &[Key],
        groups: &Groups,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let told = self.columns.iter().copied().chain(self.sort).chain(self.bars);
        told.into_iter().try_for_each(|column| column.check(partial))?;
        let mut rows: Vec<(&[String], &Sums)> =
            groups.iter().filter(|(_, sums)| sums.games() >= self.args.min_games).collect();
        if let Some(by) = self.sort {
            let rank = |sums: &Sums| by.value(sums).unwrap_or(f64::NEG_INFINITY);
            rows.sort_by(|(_, one), (_, other)| rank(other).total_cmp(&rank(one)));
        }
        rows.truncate(self.args.top.unwrap_or(usize::MAX));
        let heads: Vec<String> = keys.iter().map(Key::to_string).collect();
        let mut names = names(&heads, &self.columns);
        names.extend(self.bars.map(|_| "bar"));
        let mut writer = self.args.output.open(&names, out)?;
        let bars = self.bars.map(|bars| Bars::of(bars, &rows));
        write_rows(&mut *writer, keys, &self.columns, bars.as_ref(), &rows)?;
        Ok(writer.finish()?)
    }
}

/// Values as bars: the longest is the most.
pub(super) struct Bars {
    column: Column,
    most: f64,
}

impl Bars {
    fn of(column: Column, rows: &[(&[String], &Sums)]) -> Bars {
        let values = rows.iter().filter_map(|(_, sums)| column.value(sums));
        Bars { column, most: values.fold(0.0, f64::max) }
    }

    fn cell(&self, sums: &Sums) -> Cell {
        let value = self.column.value(sums).unwrap_or(0.0);
        let share = if self.most > 0.0 { value / self.most } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "up to 40")]
        Cell::Text("#".repeat((share * BAR).round() as usize))
    }
}

/// The names of all columns.
pub(super) fn names<'n>(heads: &'n [String], columns: &[Column]) -> Vec<&'n str> {
    let heads = heads.iter().map(String::as_str);
    heads.chain(columns.iter().flat_map(|column| column.names())).collect()
}

/// Writes groups.
pub(super) fn write_rows(
    writer: &mut dyn RowWriter,
    keys: &[Key],
    columns: &[Column],
    bars: Option<&Bars>,
    rows: &[(&[String], &Sums)],
) -> std::io::Result<()> {
    rows.iter().try_for_each(|(group, sums)| {
        let keys = keys.iter().zip(*group).map(|(key, value)| match value.as_str() {
            "" => Cell::Missing,
            value => Cell::Text(key.shown(value)),
        });
        let values = columns.iter().flat_map(|column| column.cells(sums));
        writer.row(keys.chain(values).chain(bars.map(|bars| bars.cell(sums))).collect())
    })
}
