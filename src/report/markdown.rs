use super::{Cell, RowWriter};
use std::io::{self, Write};

/// A table for pages in Markdown.
pub(super) fn open<'w>(columns: &[&str], out: Box<dyn Write + 'w>) -> Box<dyn RowWriter + 'w> {
    let columns = columns.iter().map(|column| escaped(column)).collect();
    Box::new(Markdown { columns: Some(columns), out })
}

struct Markdown<'w> {
    /// Until the head is written, which waits for a row to know on which side numbers stand.
    columns: Option<Vec<String>>,
    out: Box<dyn Write + 'w>,
}

impl Markdown<'_> {
    fn head(&mut self, cells: &[Cell]) -> io::Result<()> {
        let Some(columns) = self.columns.take() else { return Ok(()) };
        let is_number =
            |cell: &Cell| matches!(cell, Cell::Count(_) | Cell::Whole(_) | Cell::Share(_));
        let rules = (0..columns.len()).map(|at| match cells.get(at) {
            Some(cell) if is_number(cell) => "---:",
            _ => "---",
        });
        writeln!(self.out, "| {} |", columns.join(" | "))?;
        writeln!(self.out, "|{}|", rules.collect::<Vec<_>>().join("|"))
    }
}

impl RowWriter for Markdown<'_> {
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        self.head(&cells)?;
        let texts: Vec<String> = cells.into_iter().map(shown).collect();
        writeln!(self.out, "| {} |", texts.join(" | "))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.head(&[])?;
        self.out.flush()
    }
}

fn shown(cell: Cell) -> String {
    match cell {
        Cell::Text(text) => escaped(&text),
        Cell::Count(count) => count.to_string(),
        Cell::Whole(number) => number.to_string(),
        Cell::Share(share) => format!("{share:.3}"),
        Cell::Flag(flag) => if flag { "yes" } else { "no" }.to_owned(),
        Cell::Missing => String::new(),
    }
}

/// A text that neither ends its cell nor its row.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ")
}
