//! The forms in which tables are written.
use crate::{
    cmd::Failure,
    export::{
        Table,
        write::{self, Out, Sink},
    },
    report,
};
use std::{io::Write, num::NonZeroUsize, path::Path};

/// How a table is written.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Comma-separated values
    Csv,
    /// Values with tabulators between
    Tsv,
    /// A JSON object a line
    Ndjson,
    /// Apache Parquet, packed with Zstandard
    Parquet,
    /// A stream of the Arrow IPC format
    Arrow,
    /// A SQLite database with a table for each
    Sqlite,
}

/// How many rows of Parquet are in memory at once, where nobody says it.
pub(super) const ROW_GROUP: NonZeroUsize = NonZeroUsize::new(131_072).unwrap();

impl Format {
    /// The one that a file is in by its name.
    pub(super) fn of(path: &Path) -> Option<Format> {
        Some(match path.extension()?.to_str()? {
            "csv" => Format::Csv,
            "tsv" => Format::Tsv,
            "ndjson" | "jsonl" => Format::Ndjson,
            "parquet" => Format::Parquet,
            "arrow" | "arrows" => Format::Arrow,
            "db" | "sqlite" | "sqlite3" => Format::Sqlite,
            _ => return None,
        })
    }

    /// What follows the full stop in the names of its files.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Ndjson => "ndjson",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Sqlite => "sqlite",
        }
    }

    /// The form of rows, if it is one of those.
    fn rows(self) -> Option<report::Open> {
        let name = self.extension();
        let found = report::FORMATS.iter().find(|(known, _)| *known == name);
        found.map(|(_, open)| *open)
    }

    /// Refuses what this program was built without.
    pub(super) fn check(self) -> Result<(), Failure> {
        let feature = match self {
            Format::Parquet | Format::Arrow if cfg!(not(feature = "parquet")) => "parquet",
            Format::Sqlite if cfg!(not(feature = "sqlite")) => "sqlite",
            _ => return Ok(()),
        };
        let format = self.extension();
        Err(Failure::Input(format!(
            "this hivekit was built without {format}: build it with `--features {feature}`"
        )))
    }

    /// A sink into a stream.
    pub(super) fn open_stream<'w>(
        self,
        table: &Table,
        out: Out<'w>,
    ) -> Result<Box<dyn Sink + 'w>, Failure> {
        if let Some(rows) = self.rows() {
            return Ok(write::open_text(rows, table, out)?);
        }
        match self {
            #[cfg(feature = "parquet")]
            Format::Arrow => Ok(write::open_arrow(table, out)?),
            _ => {
                let message = format!("{} is for files: name one with -o", self.extension());
                Err(Failure::Input(message))
            }
        }
    }

    /// A sink into a file.
    pub(super) fn open_file(
        self,
        table: &Table,
        row_group: NonZeroUsize,
        out: impl Write + Send + 'static,
    ) -> Result<Box<dyn Sink>, Failure> {
        match self {
            #[cfg(feature = "parquet")]
            Format::Parquet => Ok(write::open_parquet(table, row_group, out)?),
            _ => {
                let _ = row_group;
                self.open_stream(table, Box::new(out))
            }
        }
    }
}
