//! How a user wants rows of results.
use super::Failure;
use crate::report::{self, Row, RowWriter};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use std::{collections::BTreeSet, io::Write};

/// The shape of a report.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Output {
    /// How to write the rows
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats())]
    format: Format,
    #[command(flatten)]
    columns: Columns,
}

/// A form of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    name: &'static str,
    pub(super) open: report::Open,
}

/// Which columns are wanted.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct Columns {
    /// Print only these columns, in this order
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
}

pub(super) fn formats() -> impl clap::builder::TypedValueParser<Value = Format> {
    PossibleValuesParser::new(report::FORMATS.iter().map(|(name, _)| *name))
        .map(|name| Format::named(&name))
}

/// A table for people.
impl Default for Format {
    fn default() -> Format {
        let (name, open) = report::FORMATS[0];
        Format { name, open }
    }
}

impl Format {
    /// The one with this name; the table if there is none.
    pub(super) fn named(name: &str) -> Format {
        let found = report::FORMATS.iter().find(|(known, _)| *known == name);
        found.map_or(Format::default(), |&(name, open)| Format { name, open })
    }

    /// Whether it is the table for people.
    fn is_table(self) -> bool {
        self.name == report::FORMATS[0].0
    }
}

/// Refuses what is named twice, since columns have different names.
pub(super) fn once<'n>(mut names: impl Iterator<Item = &'n str>) -> Result<(), Failure> {
    let mut known = BTreeSet::new();
    let twice = names.find(|name| !known.insert(*name));
    twice.map_or(Ok(()), |name| Err(Failure::Input(format!("`{name}` is named twice"))))
}

impl Columns {
    /// Whether some are named.
    pub(super) fn are_named(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Begins to write rows with these columns, of which only those that are wanted are written.
    ///
    /// # Errors
    ///
    /// Fails where one that is wanted is not among them.
    pub(super) fn open<'w>(
        &self,
        format: Format,
        columns: &[&str],
        out: &'w mut dyn Write,
    ) -> Result<Box<dyn RowWriter + 'w>, Failure> {
        report::open_chosen(format.open, columns, &self.columns, Box::new(out))
            .map_err(|none| Failure::Input(none.to_string()))
    }
}

impl Output {
    /// Whether it is a table for people.
    pub(super) fn is_table(&self) -> bool {
        self.format.is_table()
    }

    /// Whether some columns are named.
    pub(super) fn chooses_columns(&self) -> bool {
        self.columns.are_named()
    }

    /// Begins to write rows with these columns, of which only those that are wanted are written.
    ///
    /// # Errors
    ///
    /// Fails where one that is wanted is not among them.
    pub(super) fn open<'w>(
        &self,
        columns: &[&str],
        out: &'w mut dyn Write,
    ) -> Result<Box<dyn RowWriter + 'w>, Failure> {
        self.columns.open(self.format, columns, out)
    }

    /// Writes rows.
    ///
    /// # Errors
    ///
    /// Fails where a column that is wanted is not there, and where the output cannot be written.
    pub(super) fn write<R: Row>(
        &self,
        rows: impl IntoIterator<Item = R>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut writer = self.open(R::COLUMNS, out)?;
        rows.into_iter().try_for_each(|row| writer.row(row.cells()))?;
        Ok(writer.finish()?)
    }
}
