//! Tables: rows of values with a column of game strings, as public data sets come. The other columns are tags.
//!
//! Values are separated by commas, tabs, semicolons or bars, whichever the row of names has most of, and may stand in
//! quotation marks. A column `winner` holds the name of a player, a colour or `draw`.
use super::{Notation, Part, Records, Style, pgn, uhp};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::Production,
    record::{Cause, Claimed, Record},
    rules::{Color, Outcome},
    source::Source,
};
use csv::StringRecord;
use std::{
    io::{self, Write},
    ops::Range,
};

/// The notation of data sets.
#[derive(Debug, Default)]
pub struct Table {
    /// The name of the column with the game strings; without one it is looked for.
    column: Option<String>,
}

/// A table whose column of game strings is looked for.
pub static ANY: Table = Table { column: None };

/// Names that a column of game strings has in known data sets.
const GAMES: [&str; 5] = ["uhp_string", "game_string", "gamestring", "uhp", "game"];

/// Names of other columns, and the tags that they are.
const TAGS: [(&str, &str); 10] = [
    ("white", "White"),
    ("player_white", "White"),
    ("white_player", "White"),
    ("black", "Black"),
    ("player_black", "Black"),
    ("black_player", "Black"),
    ("date", "Date"),
    ("event", "Event"),
    ("site", "Site"),
    ("round", "Round"),
];

/// The columns that we write behind the game string.
const WRITTEN: [&str; 7] = ["white", "black", "date", "event", "site", "round", "cause"];

/// The names of the columns that we write.
const NAMES: &str = "game,white,black,date,event,site,round,cause\n";

impl Table {
    /// A table whose game strings stand in the column with this name.
    pub fn with_column(name: &str) -> Table {
        Table { column: Some(name.to_owned()) }
    }

    /// The place of the column of game strings.
    fn column_of(&self, names: &StringRecord, rows: &[Row<'_>]) -> Option<usize> {
        let place = |wanted: &str| names.iter().position(|name| is_name(name, wanted));
        if let Some(name) = &self.column {
            return place(name);
        }
        let is_game = |row: &&Row<'_>, at: usize| {
            row.values.get(at).is_some_and(|text| uhp::Uhp.sniff(text) > 0)
        };
        let games = |at: &usize| rows.iter().filter(|row| is_game(row, *at)).count();
        GAMES.iter().find_map(|name| place(name)).or_else(|| {
            // Of equals the first one.
            (0..names.len()).rev().max_by_key(games).filter(|at| games(at) > 0)
        })
    }
}

fn is_name(name: &str, wanted: &str) -> bool {
    name.trim().eq_ignore_ascii_case(wanted)
}

/// What separates the values.
fn separator(text: &str) -> u8 {
    let names = text.lines().next().unwrap_or_default();
    let count = |sign: &u8| names.bytes().filter(|byte| byte == sign).count();
    // Of equals the first one, which is the commonest.
    [b'|', b';', b'\t', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

/// A row with its place in the source.
struct Row<'s> {
    text: &'s str,
    span: Range<usize>,
    values: StringRecord,
    /// Whether the quotation marks in it come in pairs.
    is_closed: bool,
}

/// How many lines a row can have: where a quotation mark is open for longer, it was forgotten.
const MOST_LINES: usize = 100;

/// Where the rows of a text end, and whether their quotation marks come in pairs. A line ends a row, unless it ends within
/// quotation marks.
fn row_ends(bytes: &[u8]) -> impl Iterator<Item = (usize, bool)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let mut is_quoted = false;
        let mut first_line = None;
        let mut lines = 0;
        if start == bytes.len() {
            return None;
        }
        for (at, byte) in bytes.iter().enumerate().skip(start) {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b'\n' if !is_quoted => {
                    start = at + 1;
                    return Some((start, true));
                }
                b'\n' => {
                    first_line.get_or_insert(at + 1);
                    lines += 1;
                    if lines == MOST_LINES {
                        break;
                    }
                }
                _ => {}
            }
        }
        start = if is_quoted { first_line.unwrap_or(bytes.len()) } else { bytes.len() };
        Some((start, !is_quoted))
    })
}

/// The names of the columns, and the rows.
fn rows(text: &str) -> (StringRecord, Vec<Row<'_>>) {
    let separator = separator(text);
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut start = 0;
    for (end, is_closed) in row_ends(text.as_bytes()) {
        let row = &text[start..end];
        let begin = start + row.len() - row.trim_start().len();
        let span = begin..begin + row.trim().len();
        start = end;
        if !span.is_empty() {
            rows.push(Row { text, span, values: values(row, separator), is_closed });
        }
    }
    let names = if rows.is_empty() { StringRecord::new() } else { rows.remove(0).values };
    (names, rows)
}

/// The values of a row.
fn values(row: &str, separator: u8) -> StringRecord {
    let mut values = StringRecord::new();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(row.as_bytes());
    // A row that cannot be taken apart has no values, and so no game.
    let _ = reader.read_record(&mut values);
    values
}

impl Row<'_> {
    /// The game in a column of the row.
    fn record(&self, names: &StringRecord, column: usize) -> Result<Record, Finding> {
        if !self.is_closed {
            let message = "a quotation mark is never closed";
            return Err(Finding::new(&finding::SYNTAX, self.span.clone(), message));
        }
        let game = self.values.get(column).unwrap_or_default().trim();
        if game.is_empty() {
            let message = format!("the column `{}` is empty here", &names[column]);
            return Err(Finding::new(&finding::SYNTAX, self.span.clone(), message));
        }
        let mut record = match self.text[self.span.clone()].find(game) {
            Some(at) => uhp::record(game, self.span.start + at)?,
            // Quotation marks in the value are doubled in the source: only the row is known.
            None => uhp::record(game, 0)
                .map_err(|finding| Finding { span: self.span.clone(), ..finding })?,
        };
        record.span = self.span.clone();
        // Who has won is told by the names of players, which must be known by then.
        let (last, first): (Vec<_>, Vec<_>) =
            names.iter().enumerate().partition(|(_, name)| is_name(name, "winner"));
        let others = first.into_iter().chain(last).filter(|(at, _)| *at != column);
        for (at, name) in others {
            let value = self.values.get(at).unwrap_or_default().trim();
            if !value.is_empty() {
                self.add(name.trim(), value, &mut record);
            }
        }
        Ok(record)
    }

    /// Takes a value of another column.
    fn add(&self, name: &str, value: &str, record: &mut Record) {
        let claimed = if is_name(name, "winner") {
            winner(value, record).map(Claimed::Outcome)
        } else if is_name(name, "result") {
            pgn::read_result(value)
        } else if is_name(name, "cause") {
            Cause::from_word(value).map(Claimed::Cause)
        } else {
            None
        };
        if let Some(claimed) = claimed {
            return record.claim(claimed, self.span.clone());
        }
        let known = TAGS.iter().find(|(column, _)| is_name(name, column));
        record.set_tag_once(known.map_or(name, |(_, tag)| tag), value, self.span.clone());
    }
}

/// Who won, by name, by colour, or nobody.
fn winner(value: &str, record: &Record) -> Option<Outcome> {
    if value.eq_ignore_ascii_case("draw") {
        return Some(Outcome::Draw);
    }
    Color::BOTH
        .into_iter()
        .find(|color| {
            let name = color.to_string();
            record.tag(&name) == Some(value) || name.eq_ignore_ascii_case(value)
        })
        .map(Outcome::win)
}

impl Notation for Table {
    fn name(&self) -> &'static str {
        "table"
    }

    fn about(&self) -> &'static str {
        "CSV and the like, with a column of game strings"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn can_rewrite(&self) -> bool {
        false
    }

    fn sniff(&self, head: &str) -> u8 {
        let mut lines = head.lines().filter(|line| !line.trim().is_empty());
        let (names, row) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let begins_game = |line: &str| line.contains("Base;") || line.contains("Base+");
        let is_table = !names.contains("Base") && begins_game(row) && uhp::Uhp.sniff(head) == 0;
        // A tag or a comment is no row of names, nor is a line of JSON.
        if is_table && !names.trim_start().starts_with(['[', '{', '(', '#']) { 80 } else { 0 }
    }

    fn prologue(&self) -> &'static str {
        NAMES
    }

    fn head(&self, bytes: &[u8]) -> usize {
        bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1)
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        row_ends(bytes)
            .filter(|(end, is_closed)| *is_closed && bytes[..*end].ends_with(b"\n"))
            .last()
            .map(|(end, _)| end)
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        let (names, rows) = rows(source.text());
        let Some(column) = self.column_of(&names, &rows) else {
            let known: Vec<&str> = names.iter().collect();
            let message = match &self.column {
                Some(name) => format!("no column is named `{name}`, only: {}", known.join(", ")),
                None => format!("no column holds game strings: {}", known.join(", ")),
            };
            let end = source.text().lines().next().unwrap_or_default().len();
            return Box::new(std::iter::once(Err(Finding::new(&finding::SYNTAX, 0..end, message))));
        };
        Box::new(rows.into_iter().map(move |row| row.record(&names, column)))
    }

    fn has_fan_pieces(&self) -> bool {
        true
    }

    fn holds(&self) -> &'static [Part] {
        &[Part::Tags, Part::Cause, Part::Outcome, Part::Expansions, Part::Orientation]
    }

    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        let mut text = Vec::new();
        uhp::Uhp.write(game, style, &mut text)?;
        let text = String::from_utf8_lossy(&text);
        let tag_of =
            |column: &str| TAGS.iter().find(|(known, _)| *known == column).map(|(_, tag)| *tag);
        let mut row = csv::Writer::from_writer(&mut *out);
        row.write_field(text.trim_end())?;
        for column in WRITTEN {
            let cause = game.cause().map(Cause::word).filter(|_| column == "cause");
            row.write_field(cause.or_else(|| game.tag(tag_of(column)?)).unwrap_or_default())?;
        }
        row.write_record(None::<&[u8]>)?;
        row.flush()?;
        drop(row);
        let is_held = |name: &str| WRITTEN.iter().any(|column| tag_of(column) == Some(name));
        // Cells are read without the blanks around them.
        let is_kept = |value: &str| value.trim().len() == value.len();
        let is_tag_lost = !game.tags().iter().all(|tag| is_held(&tag.name) && is_kept(&tag.value));
        Ok(Part::lost(game, self.holds(), &[(Part::Tags, is_tag_lost)]))
    }

    fn productions(&self) -> &'static [Production] {
        // The game strings are those of `grammar/uhp.ebnf`.
        &[]
    }
}
