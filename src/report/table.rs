use super::{Cell, RowWriter};
use comfy_table::{CellAlignment, Table, presets};
use std::io::{self, Write};

pub(super) fn open<'w>(columns: &[&str], out: Box<dyn Write + 'w>) -> Box<dyn RowWriter + 'w> {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(columns);
    Box::new(Human { table, out })
}

struct Human<'w> {
    table: Table,
    out: Box<dyn Write + 'w>,
}

impl RowWriter for Human<'_> {
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        self.table.add_row(cells.into_iter().map(shown));
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        writeln!(self.out, "{}", self.table)
    }
}

fn shown(cell: Cell) -> comfy_table::Cell {
    match cell {
        Cell::Text(text) => comfy_table::Cell::new(text),
        Cell::Count(count) => comfy_table::Cell::new(count).set_alignment(CellAlignment::Right),
        Cell::Whole(number) => comfy_table::Cell::new(number).set_alignment(CellAlignment::Right),
        Cell::Share(share) => {
            comfy_table::Cell::new(format!("{share:.3}")).set_alignment(CellAlignment::Right)
        }
        Cell::Flag(flag) => comfy_table::Cell::new(if flag { "yes" } else { "no" }),
        Cell::Missing => comfy_table::Cell::new("-"),
    }
}
