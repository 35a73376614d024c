//! Groups of games as rows, with the metrics that a user names.
use super::{
    column::Column,
    count::{Asked, Counting},
    overview,
    preset::Preset,
    rows::{Bars, names, write_rows},
};
use crate::{
    cmd::{
        Failure, Io, Verdict,
        rows::{Output, once},
    },
    stats::{Groups, Key, METRICS, Metric, Partial, Sums},
};
use std::io::Write;

/// What is counted, and how it is shown.
#[derive(clap::Args, Debug)]
pub(super) struct Grouping {
    /// Group games by these: player, opponent, colour, type, year, month, opening, tiles, `queen_placed`, result, cause, source,
    /// file, kind, piece, cell, around, length:N, ply:N, tag:NAME
    #[arg(long, value_name = "KEY,...", value_delimiter = ',', conflicts_with = "merge")]
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
    preset: &'a Preset,
    sort: Option<Column>,
    bars: Option<Column>,
}

pub(super) fn run(
    args: &Grouping,
    preset: &Preset,
    quiet: bool,
    io: &mut Io<'_>,
) -> Result<Verdict, Failure> {
    let shown = Shown::of(args, preset)?;
    let asked = shown.asked();
    args.counting.run(&asked, quiet, io, |partial, out| match &partial.groupings[..] {
        groupings if groupings.len() > 1 && shown.is_plain() => overview::write(groupings, out),
        [(keys, groups), ..] => shown.write(partial, keys, groups, out),
        [] => Ok(()),
    })
}

impl<'a> Shown<'a> {
    fn of(args: &'a Grouping, preset: &'a Preset) -> Result<Shown<'a>, Failure> {
        let heads: Vec<String> = args.by.iter().map(Key::to_string).collect();
        once(heads.iter().map(String::as_str))?;
        once(args.metrics.iter().map(|column| column.names()[0]))?;
        let named = |name: Option<&str>| name.map(Column::named);
        let is_told = |column: &Column| {
            let is_it = |told: &Column| told.names()[0] == column.names()[0];
            args.metrics.is_empty() || args.metrics.iter().any(is_it)
        };
        let is_table = args.output.is_table();
        Ok(Shown {
            args,
            preset,
            sort: args.sort.or(named(preset.sort).filter(is_told)),
            bars: args.bars.or(named(preset.bars).filter(|bars| is_table && is_told(bars))),
        })
    }

    /// What is told of groups by these keys: of all games all that was counted.
    fn columns(&self, keys: &[Key], counted: &[&'static Metric]) -> Vec<Column> {
        if !self.args.metrics.is_empty() {
            self.args.metrics.clone()
        } else if keys.is_empty() {
            let counted = counted.iter().copied().map(Column::Metric);
            counted.chain([Column::Score]).collect()
        } else if keys.iter().any(Key::is_of_side) {
            self.preset.of_side()
        } else {
            Column::all(self.preset.metrics)
        }
    }

    /// Whether nothing is wanted that the overview does not have.
    fn is_plain(&self) -> bool {
        let Grouping { metrics, min_games, sort, top, bars, output, .. } = self.args;
        let is_as_it_is = metrics.is_empty() && *min_games == 1 && sort.is_none() && top.is_none();
        let is_plain = output.is_table() && !output.chooses_columns() && bars.is_none();
        is_as_it_is && is_plain
    }

    /// What has to be counted.
    fn asked(&self) -> Asked {
        let by_itself = self.preset.by.iter().filter_map(|key| key.parse().ok());
        let keys = if self.args.by.is_empty() { by_itself.collect() } else { self.args.by.clone() };
        let columns = self.columns(&keys, &[]).into_iter();
        let shown = columns.chain(self.sort).chain(self.bars);
        let named: Vec<&str> = shown.filter_map(Column::metric).map(|m| m.name).collect();
        // All metrics that cost no more than a replay, for all games, and for a part that is shown later.
        let is_for_all = keys.is_empty() || self.args.counting.is_partial();
        let is_usual = self.args.metrics.is_empty() && is_for_all;
        let is_counted = |name: &str| name == "games" || named.contains(&name);
        let metrics = METRICS
            .iter()
            .filter(|metric| is_counted(metric.name) || is_usual && metric.is_usual());
        let is_overview = self.is_plain() || self.args.counting.is_partial();
        let keys = if keys.is_empty() && is_overview { overview::keys() } else { vec![keys] };
        let is_any = self.preset.by.is_empty() && self.args.counting.merges();
        Asked { keys, is_any, metrics: metrics.collect() }
    }

    fn write(
        &self,
        partial: &Partial,
        keys: &[Key],
        groups: &Groups,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let columns = self.columns(keys, &partial.metrics);
        let told = columns.iter().copied().chain(self.sort).chain(self.bars);
        told.into_iter().try_for_each(|column| column.check(partial))?;
        let mut rows: Vec<(&[String], &Sums)> =
            groups.iter().filter(|(_, sums)| sums.games() >= self.args.min_games).collect();
        if let Some(by) = self.sort {
            let rank = |sums: &Sums| by.value(sums).unwrap_or(f64::NEG_INFINITY);
            rows.sort_by(|(_, one), (_, other)| rank(other).total_cmp(&rank(one)));
        }
        rows.truncate(self.args.top.unwrap_or(usize::MAX));
        let heads: Vec<String> = keys.iter().map(Key::to_string).collect();
        let mut names = names(&heads, &columns);
        names.extend(self.bars.map(|_| "bar"));
        let mut writer = self.args.output.open(&names, out)?;
        let bars = self.bars.map(|bars| Bars::of(bars, &rows));
        write_rows(&mut *writer, keys, &columns, bars.as_ref(), &rows)?;
        Ok(writer.finish()?)
    }
}
