use super::{Cell, RowWriter};
use serde::ser::{SerializeMap, Serializer};
use std::io::{self, Write};

/// One document: an array of objects, each on its line.
pub(super) fn open<'w>(columns: &[&str], out: Box<dyn Write + 'w>) -> Box<dyn RowWriter + 'w> {
    Box::new(Json { columns: owned(columns), out, is_array: true, rows: 0 })
}

/// One object a line.
pub(super) fn open_lines<'w>(
    columns: &[&str],
    out: Box<dyn Write + 'w>,
) -> Box<dyn RowWriter + 'w> {
    Box::new(Json { columns: owned(columns), out, is_array: false, rows: 0 })
}

fn owned(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|&column| column.to_owned()).collect()
}

struct Json<'w> {
    columns: Vec<String>,
    out: Box<dyn Write + 'w>,
    is_array: bool,
    rows: u64,
}

impl RowWriter for Json<'_> {
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        let before = match (self.is_array, self.rows) {
            (true, 0) => "[\n",
            (true, _) => ",\n",
            (false, 0) => "",
            (false, _) => "\n",
        };
        self.out.write_all(before.as_bytes())?;
        self.rows += 1;
        // Written by hand, since a map of values would sort the keys.
        let mut object = serde_json::Serializer::new(&mut self.out);
        let mut map = object.serialize_map(Some(cells.len()))?;
        for (column, cell) in self.columns.iter().zip(cells) {
            map.serialize_entry(column, &cell)?;
        }
        map.end()?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let after = match (self.is_array, self.rows) {
            (true, 0) => "[]\n",
            (true, _) => "\n]\n",
            (false, 0) => "",
            (false, _) => "\n",
        };
        self.out.write_all(after.as_bytes())?;
        self.out.flush()
    }
}
