use super::{Cell, Open, RowWriter};
use std::io::{self, Write};

/// A column that is asked for and not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoColumn {
    name: String,
    known: Vec<String>,
}

impl std::fmt::Display for NoColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no column is called `{}`; there are {}", self.name, self.known.join(", "))
    }
}

impl std::error::Error for NoColumn {}

/// A writer of some of the columns only, in the order in which they are wanted; of all, if none is named.
///
/// # Errors
///
/// Fails where a column is not there.
pub fn open_chosen<'w>(
    open: Open,
    columns: &[&str],
    wanted: &[String],
    out: Box<dyn Write + 'w>,
) -> Result<Box<dyn RowWriter + 'w>, NoColumn> {
    if wanted.is_empty() {
        return Ok(open(columns, out));
    }
    let place = |name: &String| {
        columns.iter().position(|column| column == name).ok_or_else(|| NoColumn {
            name: name.clone(),
            known: columns.iter().map(|&column| column.to_owned()).collect(),
        })
    };
    let places = wanted.iter().map(place).collect::<Result<Vec<usize>, NoColumn>>()?;
    let names: Vec<&str> = wanted.iter().map(String::as_str).collect();
    Ok(Box::new(Chosen { places, inner: open(&names, out) }))
}

struct Chosen<'w> {
    /// The place of each column in the rows.
    places: Vec<usize>,
    inner: Box<dyn RowWriter + 'w>,
}

impl RowWriter for Chosen<'_> {
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        let cell = |&place: &usize| cells.get(place).cloned().unwrap_or(Cell::Missing);
        self.inner.row(self.places.iter().map(cell).collect())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.inner.finish()
    }
}
