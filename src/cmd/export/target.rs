//! Where tables go: to standard output, to a file, to files in a folder, or to a database.
#[cfg(feature = "sqlite")]
use super::database::Database;
use super::format::Format;
use crate::{
    cmd::{
        Failure,
        drafts::{Draft, draft, exists, publish},
    },
    export::{Table, Value, write::Sink},
};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, BufWriter, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

/// What the user wants of the output.
#[derive(Clone, Debug)]
pub(super) struct Wishes {
    pub(super) tables: Vec<&'static Table>,
    pub(super) format: Format,
    /// The file or folder; standard output where there is none.
    pub(super) path: Option<PathBuf>,
    /// Whether rows go to a folder for each value of these.
    pub(super) partition: Vec<&'static str>,
    pub(super) row_group: NonZeroUsize,
    pub(super) force: bool,
    /// The name of a file of a part, without its ending.
    pub(super) part: String,
    /// Whether it is a share of an archive, beside which others are written.
    pub(super) is_share: bool,
}

/// How the names of parts begin.
pub(super) const PART: &str = "part";

/// Takes rows of several tables.
pub(super) struct Target<'o> {
    wishes: Wishes,
    place: Place<'o>,
}

enum Place<'o> {
    Stream(Box<dyn Sink + 'o>),
    /// Files, each with its path.
    Files(BTreeMap<PathBuf, Writing>),
    #[cfg(feature = "sqlite")]
    Database(Box<Database>),
}

/// A file that is being written.
struct Writing {
    /// Nothing, if it is no file but a pipe or a device.
    draft: Option<Draft>,
    sink: Box<dyn Sink>,
}

impl Writing {
    fn new(path: &Path, table: &Table, wishes: &Wishes) -> Result<Writing, Failure> {
        let cannot =
            |error: &io::Error| Failure::Input(format!("cannot write {}: {error}", path.display()));
        let (draft, file) = if is_special(path) {
            (None, fs::File::options().write(true).open(path).map_err(|error| cannot(&error))?)
        } else {
            if path.exists() && !wishes.force {
                return Err(Failure::Input(exists(path).to_string()));
            }
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|error| cannot(&error))?;
            }
            let draft = draft(path).map_err(|error| cannot(&error))?;
            let file = draft.get_ref().as_file().try_clone().map_err(|error| cannot(&error))?;
            (Some(draft), file)
        };
        let sink = wishes.format.open_file(table, wishes.row_group, BufWriter::new(file))?;
        Ok(Writing { draft, sink })
    }

    fn finish(self, path: &Path, force: bool) -> io::Result<()> {
        self.sink.finish()?;
        self.draft.map_or(Ok(()), |draft| publish(path, draft, force))
    }
}

/// Whether there is something that is neither a file nor a folder: a pipe or a device.
fn is_special(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

impl<'o> Target<'o> {
    /// Prepares the output.
    ///
    /// # Errors
    ///
    /// Fails where wishes contradict each other, a file is in the way or cannot be made.
    pub(super) fn open(wishes: Wishes, stdout: &'o mut dyn Write) -> Result<Target<'o>, Failure> {
        wishes.check()?;
        let wrong = |message: &str| Err(Failure::Input(message.to_owned()));
        let is_database = wishes.format == Format::Sqlite;
        let place = match (&wishes.path, &wishes.tables[..]) {
            (Some(_), _) if is_database && !wishes.partition.is_empty() => {
                return wrong("a database is not divided: --partition is for other formats");
            }
            #[cfg(feature = "sqlite")]
            (Some(path), _) if is_database => {
                Place::Database(Box::new(Database::create(path, &wishes)?))
            }
            (Some(_), _) => Place::Files(BTreeMap::new()),
            (None, _) if !wishes.partition.is_empty() => {
                return wrong("--partition writes files: name a folder for them with -o");
            }
            (None, [table]) => Place::Stream(wishes.format.open_stream(table, Box::new(stdout))?),
            (None, _) => {
                return wrong("several tables do not go to one stream: name a folder with -o");
            }
        };
        let mut target = Target { wishes, place };
        target.prepare()?;
        Ok(target)
    }

    /// Makes the files that will be there even if they get no rows.
    fn prepare(&mut self) -> Result<(), Failure> {
        let Target { wishes, place: Place::Files(files) } = self else { return Ok(()) };
        if wishes.partition.is_empty() {
            for table in &wishes.tables {
                let path = wishes.path_of(table, &[]);
                files.insert(path.clone(), Writing::new(&path, table, wishes)?);
            }
        }
        Ok(())
    }

    /// Takes a row of a table, whose partition is named by these values.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written.
    pub(super) fn row(
        &mut self,
        table: &Table,
        parts: &[Option<String>],
        row: Vec<Value>,
    ) -> io::Result<()> {
        match &mut self.place {
            Place::Stream(sink) => sink.row(row),
            Place::Files(files) => {
                let path = self.wishes.path_of(table, parts);
                if !files.contains_key(&path) {
                    let writing = Writing::new(&path, table, &self.wishes);
                    let writing = writing.map_err(|error| io::Error::other(error.to_string()))?;
                    files.insert(path.clone(), writing);
                }
                files.get_mut(&path).map_or(Ok(()), |file| file.sink.row(row))
            }
            #[cfg(feature = "sqlite")]
            Place::Database(database) => database.row(table, &row),
        }
    }

    /// Ends all tables, and gives complete files their names.
    ///
    /// # Errors
    ///
    /// Fails where something cannot be written.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self.place {
            Place::Stream(sink) => Ok(sink.finish()?),
            Place::Files(files) => {
                for (path, file) in files {
                    file.finish(&path, self.wishes.force)?;
                }
                Ok(())
            }
            #[cfg(feature = "sqlite")]
            Place::Database(database) => database.finish(),
        }
    }
}

impl Wishes {
    /// Refuses what would not be what the user thinks.
    fn check(&self) -> Result<(), Failure> {
        self.format.check()?;
        let wrong = |message: String| Err(Failure::Input(message));
        let Some(path) = &self.path else { return Ok(()) };
        let shown = path.display();
        if self.has_folder() {
            let is_named_as_file = Format::of(path).is_some() && !path.is_dir();
            if path.is_file() || is_named_as_file {
                return wrong(format!("{shown} is for one table: name a folder for this"));
            }
        } else if path.is_dir() && self.format == Format::Sqlite {
            return wrong(format!("{shown} is a folder: name a file"));
        }
        // Rows of another run among these would be counted with them.
        let has_rows = |table: &&&Table| {
            fs::read_dir(path.join(table.name)).is_ok_and(|mut entries| entries.next().is_some())
        };
        let is_alone = !self.partition.is_empty() && !self.is_share;
        match self.tables.iter().find(has_rows).filter(|_| is_alone) {
            Some(table) => wrong(format!(
                "{}: there are rows of another run, which would be counted with these",
                path.join(table.name).display()
            )),
            None => Ok(()),
        }
    }

    /// Whether files go to a folder.
    fn has_folder(&self) -> bool {
        let is_divided = self.tables.len() > 1 || !self.partition.is_empty();
        is_divided && self.format != Format::Sqlite
    }

    /// The file for rows of a table.
    fn path_of(&self, table: &Table, parts: &[Option<String>]) -> PathBuf {
        let root = self.path.clone().unwrap_or_default();
        let extension = self.format.extension();
        if self.partition.is_empty() {
            let share = if self.is_share { &self.part[PART.len()..] } else { "" };
            return match self.tables[..] {
                [_] if !root.is_dir() => root,
                _ => root.join(format!("{}{share}.{extension}", table.name)),
            };
        }
        let mut path = root.join(table.name);
        for (key, value) in self.partition.iter().zip(parts) {
            let value = value.as_deref().map_or(NO_VALUE.to_owned(), escaped);
            path.push(format!("{key}={value}"));
        }
        path.join(format!("{}.{extension}", self.part))
    }
}

/// What stands for a value that is not known in the name of a folder, as Apache Hive has it.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// A value as the name of a folder, as Apache Hive and Spark write it.
fn escaped(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "+-_. ".contains(c);
    let name = |c: char| {
        if is_plain(c) {
            return c.to_string();
        }
        let bytes = c.to_string().into_bytes();
        bytes.iter().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat()
    };
    value.chars().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_names_of_folders() {
        for (value, name) in
            [("Base+MLP", "Base+MLP"), ("a/b=c", "a%2Fb%3Dc"), ("100%", "100%25"), ("?", "%3F")]
        {
            assert_eq!(escaped(value), name);
        }
    }
}
