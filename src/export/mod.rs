//! Archives as tables: a row a game, a row a ply, a row a position. What each column means is told in `docs/export.md`,
//! which is generated from the tables here.
mod game;
mod ply;
mod position;
mod schema;
pub mod write;

pub use game::{GAMES, Played};
pub use ply::{PLIES, Plied, plied};
pub use position::{POSITIONS, Standing, Tally, standings};
pub use schema::{as_json_schema, as_sql};

use crate::report::Cell;
use std::sync::Arc;

/// The version of the tables: it changes where a column gets another name, type or meaning, or goes away.
pub const VERSION: u32 = 1;

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing is known.
    Null,
    /// Words.
    Text(String),
    /// Words that many rows have.
    Shared(Arc<str>),
    /// Words of the program.
    Word(&'static str),
    /// A whole number.
    Integer(i64),
    /// Yes or no.
    Flag(bool),
}

/// What values a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8.
    Text,
    /// From -2^63 to 2^63 - 1.
    Integer,
    /// Yes or no.
    Flag,
}

impl Kind {
    /// The name, in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Integer => "integer",
            Kind::Flag => "flag",
        }
    }
}

/// What there is to know of a column.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name, in `snake_case`, with the unit if it has one.
    pub name: &'static str,
    /// What values it has.
    pub kind: Kind,
    /// Whether each row has one.
    pub is_known: bool,
    /// What it means.
    pub about: &'static str,
}

/// A table, without its rows.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name.
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// The columns.
    pub fields: &'static [Field],
}

/// All tables. The first column of the first two is the address of the game, which is known only when its row is written.
pub static TABLES: &[&Table] = &[&GAMES, &PLIES, &POSITIONS];

impl Value {
    /// A number that is counted.
    pub fn count(count: impl TryInto<i64>) -> Value {
        count.try_into().map_or(Value::Null, Value::Integer)
    }

    /// The words; nothing if it is no text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Shared(text) => Some(text),
            Value::Word(text) => Some(text),
            Value::Null | Value::Integer(_) | Value::Flag(_) => None,
        }
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Cell {
        match value {
            Value::Null => Cell::Missing,
            Value::Text(text) => Cell::Text(text),
            Value::Shared(text) => Cell::Text(text.to_string()),
            Value::Word(text) => Cell::Text(text.to_owned()),
            Value::Integer(number) => Cell::Whole(number),
            Value::Flag(flag) => Cell::Flag(flag),
        }
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

/// Makes a table: of each column its name, whether its value is always known, its type, its meaning, and how a row gets it.
macro_rules! table {
    (@is_known known) => { true };
    (@is_known maybe) => { false };
    (
        $(#[$meta:meta])* $table:ident = $name:literal $about:literal of $subject:ty;
        $($column:literal $known:ident $kind:ident => $meaning:literal = $of:expr;)+
    ) => {
        $(#[$meta])*
        pub static $table: crate::export::Table = crate::export::Table {
            name: $name,
            about: $about,
            fields: &[$(crate::export::Field {
                name: $column,
                kind: crate::export::Kind::$kind,
                is_known: crate::export::table!(@is_known $known),
                about: $meaning,
            }),+],
        };

        impl $subject {
            /// The values of the row, in the order of the columns.
            pub fn row(&self) -> Vec<crate::export::Value> {
                type Of = fn(&$subject) -> crate::export::Value;
                const VALUES: &[Of] = &[$($of),+];
                VALUES.iter().map(|of| of(self)).collect()
            }
        }
    };
}
use table;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_stands_first() {
        assert!(TABLES[..2].iter().all(|table| table.fields[0].name == "game"));
        assert_eq!(GAMES.fields[game::NUMBER].name, "number");
    }
}
