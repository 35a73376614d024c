//! Sums over archives, in groups.
use super::{
    Failure, Io, Verdict,
    archive::Shard,
    args::formats,
    criteria::Criteria,
    games::{Candidate, Reading, Run},
};
use crate::{
    game::Game,
    query::Facts,
    report::{self, Cell, RowWriter},
    stats::{Groups, Key, Kind, METRICS, Measures, Metric, Partial, Sums, View},
};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use std::{cmp::Reverse, fs, io::Write, path::PathBuf};

/// Count what an archive knows
///
/// Without --by an overview is printed: how many games there are, how they ended, how long they are, how they go, and the same by game
/// type, opening and year. With --by it is one row for each group of games, with the metrics that --metrics names; what each means is told in
/// `docs/statistics.md`. By `player`, `opponent` and `colour` each game counts once for each side, and metrics are of that side: `score` is the
/// score of White, or of the side that is counted, with the interval in which it truly is with a chance of 95 % (Wilson). A game that cannot be
/// read or is not legal is told on standard error and not counted.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit stats archive/
  hivekit stats --by type,year archive/ --format csv
  hivekit stats --by player --metrics games,score,mobility --min-games 20 --sort score --top 10 archive/
  hivekit stats --by result --where 'plies > 60' archive/ --format json
  hivekit stats --by length:20 --format markdown archive/
  hivekit stats --by player --partial --shard 1/2 archive/ > one.json
  hivekit stats --merge one.json two.json --sort games --top 20")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// Group games by these: player, opponent, colour, type, year, month, opening, result, cause, file, length:N, tag:NAME
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    by: Vec<Key>,
    /// Tell these of each group, in this order; `score` has three columns [default: games,white,draw,black,open,score,plies]
    #[arg(long, value_name = "METRIC,...", value_delimiter = ',', value_parser = Column::parser())]
    metrics: Vec<Column>,
    /// Leave out groups of fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// The groups with most of this metric first [default: in the order of the keys]
    #[arg(long, value_name = "METRIC", value_parser = Column::parser())]
    sort: Option<Column>,
    /// No more than so many groups
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// How to write rows
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats())]
    format: report::Open,
    /// Count only the games of a share of the files: of N shares the Kth, such as 2/3
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Write the sums themselves, as JSON, to be combined with those of other shares by --merge
    #[arg(long, conflicts_with_all = ["metrics", "sort", "top", "format", "merge"])]
    partial: bool,
    /// Combine the sums in these files, and read no games: what comes is the same as of all games at once
    #[arg(long, value_name = "PART", num_args = 1.., conflicts_with_all = ["by", "shard"])]
    merge: Vec<PathBuf>,
    #[command(flatten)]
    criteria: Criteria,
}

/// What is told of a group.
#[derive(Clone, Copy, Debug)]
enum Column {
    Metric(&'static Metric),
    /// The score, with its interval.
    Score,
}

/// The name of the column with the score.
const SCORE: &str = "score";

/// What is told where nothing is asked for.
const USUAL: &[&str] = &["games", "white", "draw", "black", "open", SCORE, "plies"];

impl Column {
    fn named(name: &str) -> Column {
        METRICS.iter().find(|metric| metric.name == name).map_or(Column::Score, Column::Metric)
    }

    fn parser() -> impl clap::builder::TypedValueParser<Value = Column> {
        let names = METRICS.iter().map(|metric| metric.name).chain([SCORE]);
        PossibleValuesParser::new(names).map(|name| Column::named(&name))
    }

    fn names(self) -> Vec<&'static str> {
        match self {
            Column::Metric(metric) => vec![metric.name],
            Column::Score => vec![SCORE, "score_low", "score_high"],
        }
    }

    fn cells(self, sums: &Sums) -> Vec<Cell> {
        match self {
            Column::Metric(metric) => vec![cell(metric, sums.of(metric))],
            Column::Score => {
                let score = sums.score();
                let share = |share: Option<f64>| share.map_or(Cell::Missing, Cell::Share);
                vec![
                    share(score.map(|score| score.score)),
                    share(score.map(|score| score.low)),
                    share(score.map(|score| score.high)),
                ]
            }
        }
    }

    /// What groups are sorted by.
    fn rank(self, sums: &Sums) -> f64 {
        match self {
            Column::Metric(metric) => match cell(metric, sums.of(metric)) {
                #[expect(clippy::cast_precision_loss, reason = "an order of counts below 2^52")]
                Cell::Count(count) => count as f64,
                Cell::Share(share) => share,
                _ => -1.0,
            },
            Column::Score => sums.score().map_or(-1.0, |score| score.score),
        }
    }
}

/// The value of a metric.
fn cell(metric: &Metric, (sum, by): (u64, u64)) -> Cell {
    match metric.kind {
        Kind::Count | Kind::Most => Cell::Count(sum),
        Kind::Ratio if by == 0 => Cell::Missing,
        #[expect(clippy::cast_precision_loss, reason = "a ratio needs few digits")]
        Kind::Ratio => Cell::Share(sum as f64 / by as f64),
    }
}

/// What the overview shows by groups, with a title, and how many groups at most.
const TABLES: &[(&str, &str, usize)] = &[
    ("By game type", "type", 12),
    ("By opening", "opening", 12),
    ("By cause of the end", "cause", 12),
    ("By year", "year", 30),
    ("By length in plies", "length:20", 15),
];

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    if !args.merge.is_empty() {
        let partial = merged(&args.merge)?;
        args.write(&partial, io.out)?;
        return Ok(Verdict::Clean);
    }
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let partial = args.count(&mut run)?;
    if args.partial {
        out.write_all(partial.write().as_bytes())?;
    } else {
        args.write(&partial, *out)?;
    }
    Ok(run.verdict_of_all())
}

/// The sums of all parts together.
fn merged(paths: &[PathBuf]) -> Result<Partial, Failure> {
    let mut all: Option<Partial> = None;
    for path in paths {
        let wrong = |why: String| Failure::Input(format!("{}: {why}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let part = Partial::read(&text).map_err(|error| wrong(error.to_string()))?;
        match &mut all {
            Some(all) => all.merge(part).map_err(|error| wrong(error.to_string()))?,
            None => all = Some(part),
        }
    }
    Ok(all.unwrap_or_default())
}

/// The keys of the overview: those of all games first.
fn overview_keys() -> Vec<Vec<Key>> {
    let tables = TABLES.iter().filter_map(|(_, key, _)| key.parse().ok());
    std::iter::once(Vec::new()).chain(tables.map(|key| vec![key])).collect()
}

impl Args {
    /// Counts all games.
    fn count(&self, run: &mut Run<'_>) -> Result<Partial, Failure> {
        let query = self.criteria.query();
        let asked = if self.by.is_empty() { overview_keys() } else { vec![self.by.clone()] };
        let mut all = Partial::new(asked.clone());
        let ask = |game: &Game, candidate: &mut Candidate<'_>| {
            if !query.holds(&mut Facts { game: Some(game), position: candidate.position }) {
                return None;
            }
            let measures = Measures::of(game, candidate.position);
            let file = candidate.source.name();
            let view = View { game, file, measures: &measures, side: None };
            let count = |keys: &Vec<Key>| {
                let mut groups = Groups::default();
                groups.add(keys, view);
                groups
            };
            Some(asked.iter().map(count).collect::<Vec<_>>())
        };
        run.each_game_of(self.shard, ask, |batch| {
            for (_, counted) in batch.results {
                all.0.iter_mut().zip(counted).for_each(|((_, all), one)| all.merge(one));
            }
            Ok(())
        })?;
        Ok(all)
    }

    fn write(&self, partial: &Partial, out: &mut dyn Write) -> Result<(), Failure> {
        match &partial.0[..] {
            [(keys, groups)] if !keys.is_empty() => self.write_rows(keys, groups, out),
            groupings => write_overview(groupings, out),
        }
    }

    fn columns(&self) -> Vec<Column> {
        if self.metrics.is_empty() {
            USUAL.iter().map(|name| Column::named(name)).collect()
        } else {
            self.metrics.clone()
        }
    }

    fn write_rows(
        &self,
        keys: &[Key],
        groups: &Groups,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let columns = self.columns();
        let heads: Vec<String> = keys.iter().map(Key::to_string).collect();
        let names: Vec<&str> = heads
            .iter()
            .map(String::as_str)
            .chain(columns.iter().flat_map(|column| column.names()))
            .collect();
        let mut rows: Vec<(&[String], &Sums)> =
            groups.iter().filter(|(_, sums)| sums.games() >= self.min_games).collect();
        if let Some(by) = self.sort {
            rows.sort_by(|(_, one), (_, other)| by.rank(other).total_cmp(&by.rank(one)));
        }
        rows.truncate(self.top.unwrap_or(usize::MAX));
        let mut writer = (self.format)(&names, Box::new(out));
        write_rows(&mut *writer, keys, &columns, &rows)?;
        Ok(writer.finish()?)
    }
}

fn write_rows(
    writer: &mut dyn RowWriter,
    keys: &[Key],
    columns: &[Column],
    rows: &[(&[String], &Sums)],
) -> std::io::Result<()> {
    rows.iter().try_for_each(|(group, sums)| {
        let keys = keys.iter().zip(*group).map(|(key, value)| match value.as_str() {
            "" => Cell::Missing,
            value => Cell::Text(key.shown(value)),
        });
        writer.row(keys.chain(columns.iter().flat_map(|column| column.cells(sums))).collect())
    })
}

/// The overview: everything of all games, then tables.
fn write_overview(groupings: &[(Vec<Key>, Groups)], out: &mut dyn Write) -> Result<(), Failure> {
    let all = groupings.iter().flat_map(|(_, groups)| groups.iter()).next();
    let Some((_, sums)) = all else {
        return Ok(writeln!(out, "no games")?);
    };
    let mut table = (report::FORMATS[0].1)(&["metric", "value", "meaning"], Box::new(&mut *out));
    for metric in METRICS {
        let (name, about) = (metric.name.to_owned(), metric.about.to_owned());
        let value = cell(metric, sums.of(metric));
        table.row(vec![Cell::Text(name), value, Cell::Text(about)])?;
    }
    if let Some(score) = sums.score() {
        let about = format!(
            "White's score, of games with a result; truly from {:.3} to {:.3} with a chance of 95 %.",
            score.low, score.high
        );
        table.row(vec![
            Cell::Text(SCORE.to_owned()),
            Cell::Share(score.score),
            Cell::Text(about),
        ])?;
    }
    table.finish()?;
    let columns: Vec<Column> = USUAL.iter().map(|name| Column::named(name)).collect();
    for ((title, key, most), (keys, groups)) in TABLES.iter().zip(&groupings[1..]) {
        let mut rows: Vec<_> = groups.iter().collect();
        let is_in_order = matches!(*key, "year" | "length:20");
        if !is_in_order {
            rows.sort_by_key(|(_, sums)| Reverse(sums.games()));
        }
        let more = rows.len().saturating_sub(*most);
        rows.truncate(*most);
        let key = key.split(':').next().unwrap_or_default();
        let names: Vec<&str> =
            std::iter::once(key).chain(columns.iter().flat_map(|column| column.names())).collect();
        writeln!(out, "\n{title}\n")?;
        let mut table = (report::FORMATS[0].1)(&names, Box::new(&mut *out));
        write_rows(&mut *table, keys, &columns, &rows)?;
        table.finish()?;
        if more > 0 {
            writeln!(out, "and {more} more: `stats --by {key}`")?;
        }
    }
    Ok(())
}
