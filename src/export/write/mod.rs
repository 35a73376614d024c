//! Rows of a table as bytes: one file each for the forms.
#[cfg(feature = "parquet")]
mod arrow;
#[cfg(feature = "parquet")]
mod parquet;
mod text;

use super::{Table, Value};
use std::io::{self, Write};

#[cfg(feature = "parquet")]
pub use self::parquet::{Groups, open as open_parquet};
#[cfg(feature = "parquet")]
pub use arrow::open as open_arrow;
pub use text::open as open_text;

/// Takes the rows of a table, one at a time.
pub trait Sink {
    /// Takes one row: a value for each column.
    ///
    /// # Errors
    ///
    /// Passes on the error of the stream below.
    fn row(&mut self, row: Vec<Value>) -> io::Result<()>;

    /// Ends the table. One without rows still is a valid one.
    ///
    /// # Errors
    ///
    /// Passes on the error of the stream below.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A sink into a stream.
pub type Opened<'w> = io::Result<Box<dyn Sink + 'w>>;

/// The names of the columns.
fn names(table: &Table) -> Vec<&'static str> {
    table.fields.iter().map(|field| field.name).collect()
}

/// A stream that rows go to.
pub type Out<'w> = Box<dyn Write + 'w>;
