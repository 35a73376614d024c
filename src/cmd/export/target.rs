//! Where tables go: to standard output, to a file, to files in a folder, or to a database.
#[cfg(feature = "sqlite")]
use super::database::Database;
use super::{format::Format, wishes::Wishes};
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
    path::{Path, PathBuf},
};

/// Takes rows of several tables.
pub(super) struct Target<'o> {
    wishes: Wishes,
    place: Place<'o>,
}

enum Place<'o> {
    Stream(Box<dyn Sink + 'o>),
    /// Files, by the name of the table and the values that name the partition.
    Files(BTreeMap<&'static str, BTreeMap<Vec<Option<String>>, Writing>>),
    #[cfg(feature = "sqlite")]
    Database(Box<Database>),
}

/// A file that is being written.
struct Writing {
    path: PathBuf,
    /// Nothing, if it is no file but a pipe or a device.
    draft: Option<Draft>,
    sink: Box<dyn Sink>,
}

impl Writing {
    fn new(table: &Table, parts: &[Option<String>], wishes: &Wishes) -> Result<Writing, Failure> {
        let path = wishes.path_of(table, parts);
        let path = path.as_path();
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
        Ok(Writing { path: path.to_owned(), draft, sink })
    }

    fn finish(self, force: bool) -> io::Result<()> {
        self.sink.finish()?;
        self.draft.map_or(Ok(()), |draft| publish(&self.path, draft, force))
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
                let writing = Writing::new(table, &[], wishes)?;
                files.entry(table.name).or_default().insert(Vec::new(), writing);
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
                let files = files.entry(table.name).or_default();
                if !files.contains_key(parts) {
                    let writing = Writing::new(table, parts, &self.wishes);
                    let writing = writing.map_err(|error| io::Error::other(error.to_string()))?;
                    files.insert(parts.to_vec(), writing);
                }
                files.get_mut(parts).map_or(Ok(()), |file| file.sink.row(row))
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
                let mut files = files.into_values().flat_map(BTreeMap::into_values);
                Ok(files.try_for_each(|file| file.finish(self.wishes.force))?)
            }
            #[cfg(feature = "sqlite")]
            Place::Database(database) => database.finish(),
        }
    }
}
