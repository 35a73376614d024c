//! Tables in a SQLite database.
use super::wishes::Wishes;
use crate::{
    cmd::{
        Failure,
        drafts::{Draft, draft, exists, publish},
    },
    export::{Table, VERSION, Value, as_sql},
};
use rusqlite::{Connection, params_from_iter, types::ToSqlOutput};
use std::{
    io,
    path::{Path, PathBuf},
};

/// A database that nobody sees before it is complete.
pub(super) struct Database {
    path: PathBuf,
    force: bool,
    draft: Draft,
    connection: Connection,
}

/// The columns by which rows are looked for.
const INDEXED: &[(&str, &str)] =
    &[("games", "game"), ("plies", "game"), ("plies", "key"), ("positions", "key")];

fn plain(error: &rusqlite::Error) -> io::Error {
    io::Error::other(error.to_string())
}

impl Database {
    pub(super) fn create(path: &Path, wishes: &Wishes) -> Result<Database, Failure> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::Input(format!("cannot write {}: {error}", path.display()))
        };
        if path.exists() && !wishes.force {
            return Err(Failure::Input(exists(path).to_string()));
        }
        let draft = draft(path).map_err(|error| cannot(&error))?;
        let connection = Connection::open(draft.get_ref().path()).map_err(|e| cannot(&e))?;
        // Nobody sees a half of it, so it need not survive a crash.
        let mut sql = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;".to_owned();
        sql.push_str(&["PRAGMA user_version = ", &VERSION.to_string(), "; BEGIN;"].concat());
        sql.extend(wishes.tables.iter().map(|table| as_sql(table)));
        connection.execute_batch(&sql).map_err(|error| cannot(&error))?;
        Ok(Database { path: path.to_owned(), force: wishes.force, draft, connection })
    }

    pub(super) fn row(&mut self, table: &Table, row: &[Value]) -> io::Result<()> {
        let places = vec!["?"; table.fields.len()].join(",");
        let sql = format!("INSERT INTO {} VALUES ({places})", table.name);
        let mut statement = self.connection.prepare_cached(&sql).map_err(|e| plain(&e))?;
        statement.execute(params_from_iter(row)).map(drop).map_err(|error| plain(&error))
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        let mut sql = "COMMIT;".to_owned();
        for (table, column) in INDEXED {
            let has_table = self.connection.table_exists(None, *table).map_err(|e| plain(&e))?;
            if has_table {
                let index = format!("CREATE INDEX {table}_by_{column} ON {table} (\"{column}\");");
                sql.push_str(&index);
            }
        }
        self.connection.execute_batch(&sql).map_err(|error| plain(&error))?;
        self.connection.close().map_err(|(_, error)| plain(&error))?;
        Ok(publish(&self.path, self.draft, self.force)?)
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match (self, self.as_text()) {
            (_, Some(text)) => text.into(),
            (Value::Integer(number), _) => (*number).into(),
            (Value::Flag(flag), _) => (*flag).into(),
            _ => rusqlite::types::Null.into(),
        })
    }
}
