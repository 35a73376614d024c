//! Archives as tables for other programs.
#[cfg(feature = "sqlite")]
mod database;
mod format;
mod target;
mod wishes;

use super::{
    Failure, Io, Verdict,
    address::name_of,
    archive::Share,
    criteria::Criteria,
    drafts::is_read,
    games::{Candidate, Reading, Run},
    rows::once,
    sorted::{Room, Sorter},
};
use crate::{
    course::{Course, Wants},
    export::{
        GAMES, PLIES, POSITIONS, Played, Plied, Standing, TABLES, Table, Tally, Value,
        as_json_schema, as_sql, plied, standings,
    },
    game::Game,
    query::Facts,
    rules::Key,
};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use format::{Format, ROW_GROUP};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
};
use target::Target;
use wishes::{PART, Wishes};

/// Write an archive as tables for other programs
///
/// Writes a row for each game, for each ply, or for each distinct position, in a form that programs of data read. The columns
/// are told in `docs/export.md` and by --schema. Games of one archive are told apart by their address, by which plies are
/// joined with games; positions are joined with plies by their key. A game that cannot be read or is not legal is told on
/// standard error and left out, and makes the exit code 1; where a file cannot be read, the rows of the others are written, and the
/// exit code is 2. Little memory is needed, whatever the size of the archive: where
/// positions are too many, they are sorted in temporary files.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit export archive/ > games.csv
  hivekit export --table plies --format ndjson --type Base+MLP archive/ | jq -c '{game, text}'
  hivekit export --table games,plies,positions -o hive.sqlite archive/
  hivekit export --table games,plies --format parquet --partition year,type -o data/ archive/
  hivekit export --table positions -o positions.parquet --tmp-dir /big archive/
  hivekit export --table games --format arrow archive/ | python3 read.py
  hivekit export --table plies --schema json")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// What to write: a row a game, a row a ply, a row a distinct position; several tables go to a folder or a database
    #[arg(long, value_name = "TABLE,...", value_delimiter = ',', default_value = "games", value_parser = table_names())]
    table: Vec<&'static Table>,
    /// How to write it [default: as the name of the file says, else csv]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to this file; several tables, or those that are divided, to this folder, where shares of --shard have names of
    /// their own
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Overwrite files
    #[arg(long, requires = "output")]
    force: bool,
    /// Divide the rows among folders, one for each year or type of the games, as `year=2024/type=Base`
    #[arg(long, value_enum, value_name = "KEY,...", value_delimiter = ',')]
    partition: Vec<Partition>,
    /// Of Parquet, how many rows make a group
    #[arg(long, value_name = "ROWS", default_value_t = ROW_GROUP)]
    row_group: NonZeroUsize,
    /// Tell of each ply, too, whether it misses a win, or allows one: this takes long
    #[arg(long)]
    slips: bool,
    #[command(flatten)]
    share: Share,
    #[command(flatten)]
    room: Room,
    /// Print the columns of the tables, and do nothing else
    #[arg(long, value_enum, value_name = "AS")]
    schema: Option<Schema>,
    #[command(flatten)]
    criteria: Criteria,
}

/// By what rows are divided.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Partition {
    /// The year of the date
    Year,
    /// The game type
    Type,
}

/// How columns are told.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Schema {
    /// A JSON Schema of the rows
    Json,
    /// Statements of SQL that make the tables
    Sql,
}

fn table_names() -> impl clap::builder::TypedValueParser<Value = &'static Table> {
    PossibleValuesParser::new(TABLES.iter().map(|table| table.name)).map(|name| {
        let found = TABLES.iter().find(|table| table.name == name);
        *found.unwrap_or(&TABLES[0])
    })
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let tables = args.tables();
    match args.schema {
        Some(Schema::Json) => {
            serde_json::to_writer_pretty(&mut *io.out, &as_json_schema(&tables))
                .map_err(io::Error::from)?;
            writeln!(io.out)?;
            return Ok(Verdict::Clean);
        }
        Some(Schema::Sql) => {
            tables.iter().try_for_each(|table| io.out.write_all(as_sql(table).as_bytes()))?;
            return Ok(Verdict::Clean);
        }
        None => {}
    }
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut target = Target::open(args.wishes(tables)?, *out)?;
    args.write(&mut run, &mut target)?;
    target.finish()?;
    Ok(run.verdict_of_all())
}

/// What a game gives to the tables.
struct Exported {
    /// Its row of each table that has addresses.
    rows: Vec<(&'static Table, Vec<Vec<Value>>)>,
    standings: BTreeMap<Key, Tally>,
    parts: Vec<Option<String>>,
}

impl Args {
    /// The tables, each once, in their order.
    fn tables(&self) -> Vec<&'static Table> {
        let is_asked = |table: &&&Table| self.table.iter().any(|asked| asked.name == table.name);
        TABLES.iter().filter(is_asked).copied().collect()
    }

    fn has(&self, table: &Table) -> bool {
        self.table.iter().any(|asked| asked.name == table.name)
    }

    fn wishes(&self, tables: Vec<&'static Table>) -> Result<Wishes, Failure> {
        once(self.partition.iter().map(|key| key.name()))?;
        if self.partition.contains(&Partition::Year) && self.has(&POSITIONS) {
            let message = "positions have no year: divide them by type alone";
            return Err(Failure::Input(message.to_owned()));
        }
        let by_name = self.output.as_deref().and_then(Format::of);
        let share = self.share.shard.map_or(String::new(), |shard| format!("-{}", shard.name()));
        Ok(Wishes {
            tables,
            format: self.format.or(by_name).unwrap_or(Format::Csv),
            path: self.output.clone().filter(|path| path.as_os_str() != "-"),
            partition: self.partition.iter().map(|key| key.name()).collect(),
            row_group: self.row_group,
            force: self.force,
            part: [PART, &share].concat(),
            is_share: self.share.shard.is_some(),
        })
    }

    /// What has to be found out of games.
    fn wants(&self) -> Wants {
        let of = |table, wants| if self.has(table) { wants } else { Wants::NOTHING };
        let slips = Wants { slips: self.slips, ..Wants::NOTHING };
        of(&GAMES, Played::WANTS).and(of(&PLIES, Plied::WANTS.and(slips)))
    }

    /// Writes the rows of all games.
    fn write(&self, run: &mut Run<'_>, target: &mut Target<'_>) -> Result<(), Failure> {
        let (query, wants) = (self.criteria.query(), self.wants());
        let size = |_: &Key, tally: &Tally| 64 + tally.size();
        let mut positions = Sorter::new(&self.room, |all: &mut Tally, one| all.add(&one), size);
        let ask = |game: &Game, candidate: &mut Candidate<'_>| {
            let is_meant =
                query.holds(&mut Facts { game: Some(game), position: candidate.position });
            is_meant.then(|| self.exported(game, candidate, wants))
        };
        let mut files = BTreeSet::new();
        let output = self.output.as_deref().and_then(|path| fs::canonicalize(path).ok());
        run.each_game_of(self.share, ask, |batch| {
            if batch.is_first {
                self.check_file(&batch.file, output.as_deref(), &mut files)?;
            }
            for (number, exported) in batch.results {
                let address: Arc<str> = name_of(&batch.file, number, None).into();
                for (table, rows) in exported.rows {
                    for mut row in rows {
                        row[0] = Value::Shared(Arc::clone(&address));
                        if table.name == GAMES.name {
                            Played::set_number(&mut row, number);
                        }
                        target.row(table, &exported.parts, row)?;
                    }
                }
                for (key, tally) in exported.standings {
                    positions.add(key, tally)?;
                }
            }
            Ok(())
        })?;
        Ok(positions.each(|key, tally| {
            let parts: Vec<_> = self.partition.iter().map(|_| Some(tally.game_type())).collect();
            target.row(&POSITIONS, &parts, Standing { key, tally }.row())
        })?)
    }

    /// Refuses a file of games that is the output, and one with the name of another, since addresses tell games apart.
    fn check_file(
        &self,
        file: &str,
        output: Option<&Path>,
        files: &mut BTreeSet<String>,
    ) -> io::Result<()> {
        if output.is_some_and(|output| fs::canonicalize(file).is_ok_and(|file| file == output)) {
            return Err(is_read(Path::new(file)));
        }
        if !files.insert(file.to_owned()) && (self.has(&GAMES) || self.has(&PLIES)) {
            let message =
                format!("two files are called {file}, and their games could not be told apart");
            return Err(io::Error::other(message));
        }
        Ok(())
    }

    /// The rows of a game, without its address.
    fn exported(&self, game: &Game, candidate: &mut Candidate<'_>, wants: Wants) -> Exported {
        let last = candidate.position.key();
        let course = Course::of(game, candidate.position, wants);
        let played = Played {
            game,
            course: &course,
            last,
            file: candidate.source.name().into(),
            notation: candidate.content.name(),
            line: candidate.line(),
            offset: candidate.offset(),
        };
        let mut rows = Vec::new();
        if self.has(&GAMES) {
            rows.push((&GAMES, vec![played.row()]));
        }
        if self.has(&PLIES) {
            let plies = plied(game, &course, self.slips);
            rows.push((&PLIES, plies.iter().map(Plied::row).collect()));
        }
        let parts = self.partition.iter().map(|key| match key {
            Partition::Year => played.year().map(|year| year.to_string()),
            Partition::Type => Some(game.game_type().to_string()),
        });
        let parts = parts.collect();
        let standings = if self.has(&POSITIONS) {
            standings(game, candidate.position)
        } else {
            BTreeMap::new()
        };
        Exported { rows, standings, parts }
    }
}

impl Partition {
    fn name(self) -> &'static str {
        match self {
            Partition::Year => "year",
            Partition::Type => "type",
        }
    }
}
