use super::{Opened, Out, Sink, names};
use crate::{
    export::{Table, Value},
    report::{Open, RowWriter},
};
use std::io;

/// Rows in one of the forms of [`report`](crate::report).
///
/// # Errors
///
/// None as yet.
pub fn open<'w>(format: Open, table: &Table, out: Out<'w>) -> Opened<'w> {
    Ok(Box::new(Text(format(&names(table), out))))
}

struct Text<'w>(Box<dyn RowWriter + 'w>);

impl Sink for Text<'_> {
    fn row(&mut self, row: Vec<Value>) -> io::Result<()> {
        self.0.row(row.into_iter().map(Into::into).collect())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.finish()
    }
}
