//! Rows of results.
mod chosen;
mod csv;
mod json;
mod markdown;
mod table;

pub use chosen::{NoColumn, open_chosen};
use serde::Serialize;
use std::io::{self, Write};

/// One value of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A whole number.
    Whole(i64),
    /// A part of 1, written with three decimals.
    Share(#[serde(serialize_with = "rounded")] f64),
    /// Yes or no.
    Flag(bool),
    /// Nothing is known.
    Missing,
}

/// A number with three decimals.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
fn rounded<S: serde::Serializer>(share: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((share * 1000.0).round() / 1000.0)
}

/// A result that a report can show as one row.
pub trait Row {
    /// The names of the columns, in `snake_case`: the keys of JSON and the heads of a table.
    const COLUMNS: &'static [&'static str];

    /// The values, one for each of [`Row::COLUMNS`].
    fn cells(&self) -> Vec<Cell>;
}

/// Turns rows into text, one row at a time.
pub trait RowWriter {
    /// Writes one row.
    ///
    /// # Errors
    ///
    /// Passes on the error of the stream below.
    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()>;

    /// Ends the report. A writer that never saw a row still writes a valid, empty one.
    ///
    /// # Errors
    ///
    /// Passes on the error of the stream below.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A maker of a [`RowWriter`].
pub type Open = for<'w> fn(&[&str], Box<dyn Write + 'w>) -> Box<dyn RowWriter + 'w>;

/// The output formats. To add one: a file beside this one, its `mod` line, and a line here.
pub const FORMATS: &[(&str, Open)] = &[
    ("table", table::open),
    ("csv", csv::open),
    ("tsv", csv::open_tabs),
    ("json", json::open),
    ("ndjson", json::open_lines),
    ("markdown", markdown::open),
];

#[cfg(test)]
mod tests {
    use super::*;

    struct Opening(&'static str, u64, Option<bool>);

    impl Row for Opening {
        const COLUMNS: &'static [&'static str] = &["opening", "games", "is_sharp"];
        fn cells(&self) -> Vec<Cell> {
            let sharp = self.2.map_or(Cell::Missing, Cell::Flag);
            vec![Cell::Text(self.0.to_owned()), Cell::Count(self.1), sharp]
        }
    }

    fn rendered(format: &str) -> String {
        let rows = [Opening("wL, bL", 40, Some(true)), Opening("wP", 0, None)];
        let (_, open) = FORMATS.iter().find(|(name, _)| *name == format).unwrap();
        let mut out = Vec::new();
        write_rows(*open, rows, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn write_rows<R: Row>(open: Open, rows: impl IntoIterator<Item = R>, out: &mut Vec<u8>) {
        let mut writer = open(R::COLUMNS, Box::new(out));
        rows.into_iter().for_each(|row| writer.row(row.cells()).unwrap());
        writer.finish().unwrap();
    }

    #[test]
    fn columns_can_be_chosen() {
        let wanted = ["games", "opening"].map(str::to_owned);
        let mut out = Vec::new();
        let mut writer =
            open_chosen(csv::open, Opening::COLUMNS, &wanted, Box::new(&mut out)).unwrap();
        writer.row(Opening("wP", 3, None).cells()).unwrap();
        writer.finish().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "games,opening\n3,wP\n");
        let wrong = open_chosen(csv::open, &["a", "b"], &["c".to_owned()], Box::new(Vec::new()));
        let said = wrong.err().unwrap().to_string();
        assert_eq!(said, "no column is called `c`; there are a, b");
    }

    #[test]
    fn table() {
        insta::assert_snapshot!(rendered("table"), @r"
        | opening | games | is_sharp |
        |---------|-------|----------|
        | wL, bL  |    40 | yes      |
        | wP      |     0 | -        |
        ");
    }

    #[test]
    fn csv() {
        insta::assert_snapshot!(rendered("csv"), @r#"
        opening,games,is_sharp
        "wL, bL",40,true
        wP,0,
        "#);
    }

    #[test]
    fn tsv() {
        insta::assert_snapshot!(rendered("tsv"), @"
        opening\tgames\tis_sharp
        wL, bL\t40\ttrue
        wP\t0\t
        ");
    }

    #[test]
    fn markdown() {
        insta::assert_snapshot!(rendered("markdown"), @r"
        | opening | games | is_sharp |
        |---|---:|---|
        | wL, bL | 40 | yes |
        | wP | 0 |  |
        ");
    }

    #[test]
    fn json() {
        insta::assert_snapshot!(rendered("json"), @r#"
        [
        {"opening":"wL, bL","games":40,"is_sharp":true},
        {"opening":"wP","games":0,"is_sharp":null}
        ]
        "#);
    }

    #[test]
    fn ndjson() {
        insta::assert_snapshot!(rendered("ndjson"), @r#"
        {"opening":"wL, bL","games":40,"is_sharp":true}
        {"opening":"wP","games":0,"is_sharp":null}
        "#);
    }

    #[test]
    fn an_empty_report_is_valid() {
        for (name, open) in FORMATS {
            let mut out = Vec::new();
            write_rows::<Opening>(*open, [], &mut out);
            let text = String::from_utf8(out).unwrap();
            match *name {
                "json" => assert_eq!(serde_json::from_str::<Vec<u8>>(&text).unwrap(), [0; 0]),
                "ndjson" => assert_eq!(text, ""),
                _ => assert!(text.contains("opening"), "{name}"),
            }
        }
    }
}
