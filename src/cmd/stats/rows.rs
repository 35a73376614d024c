//! Groups as rows.
use super::column::Column;
use crate::{
    report::{Cell, RowWriter},
    stats::{Key, Sums},
};

/// How long the longest bar is.
const BAR: f64 = 40.0;

/// Values as bars: the longest is the most.
pub(super) struct Bars {
    column: Column,
    most: f64,
}

impl Bars {
    pub(super) fn of(column: Column, rows: &[(&[String], &Sums)]) -> Bars {
        let values = rows.iter().filter_map(|(_, sums)| column.value(sums));
        Bars { column, most: values.fold(0.0, f64::max) }
    }

    fn cell(&self, sums: &Sums) -> Cell {
        let value = self.column.value(sums).unwrap_or(0.0);
        let share = if self.most > 0.0 { value / self.most } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "up to 40")]
        Cell::Text("#".repeat((share * BAR).round() as usize))
    }
}

/// The names of all columns.
pub(super) fn names<'n>(heads: &'n [String], columns: &[Column]) -> Vec<&'n str> {
    let heads = heads.iter().map(String::as_str);
    heads.chain(columns.iter().flat_map(|column| column.names())).collect()
}

/// Writes groups.
pub(super) fn write_rows(
    writer: &mut dyn RowWriter,
    keys: &[Key],
    columns: &[Column],
    bars: Option<&Bars>,
    rows: &[(&[String], &Sums)],
) -> std::io::Result<()> {
    rows.iter().try_for_each(|(group, sums)| {
        let keys = keys.iter().zip(*group).map(|(key, value)| match value.as_str() {
            "" => Cell::Missing,
            value => {
                let shown = key.shown(value);
                let number = shown.parse().ok().filter(|_| key.is_number());
                number.map_or(Cell::Text(shown), Cell::Count)
            }
        });
        let values = columns.iter().flat_map(|column| column.cells(sums));
        writer.row(keys.chain(values).chain(bars.map(|bars| bars.cell(sums))).collect())
    })
}
