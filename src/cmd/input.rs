//! From what the user named to sources.
use super::chunks::Chunks;
use crate::source::Source;
use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    vec,
};

/// A file to read, or standard input.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The path; `-` is standard input.
    pub(super) path: PathBuf,
}

/// Something that could not be opened.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) path: PathBuf,
    pub(super) error: io::Error,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.error)
    }
}

/// The files that the user means: a folder stands for all files in it and below, sorted by name, one folder
/// after the other. Those that cannot be opened are `Err`, and the others follow.
pub(super) fn files(paths: &[PathBuf]) -> impl Iterator<Item = Result<Input, Unreadable>> {
    paths.iter().flat_map(|path| {
        let is_folder = path.as_os_str() != "-" && path.is_dir();
        let named = (!is_folder).then(|| Ok(Input { path: path.clone() }));
        let found = is_folder.then(|| Walk::over(path.clone()));
        named.into_iter().chain(found.into_iter().flatten())
    })
}

/// A walk through a folder: of each folder on the way to the present file, what is left to see.
struct Walk {
    left: Vec<vec::IntoIter<PathBuf>>,
    unreadable: Vec<Unreadable>,
}

impl Walk {
    fn over(folder: PathBuf) -> Walk {
        let mut walk = Walk { left: Vec::new(), unreadable: Vec::new() };
        walk.enter(folder);
        walk
    }

    fn enter(&mut self, folder: PathBuf) {
        let entries = fs::read_dir(&folder).and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
        });
        match entries {
            Ok(mut paths) => {
                paths.sort_unstable();
                self.left.push(paths.into_iter());
            }
            Err(error) => self.unreadable.push(Unreadable { path: folder, error }),
        }
    }
}

impl Iterator for Walk {
    type Item = Result<Input, Unreadable>;

    fn next(&mut self) -> Option<Result<Input, Unreadable>> {
        loop {
            if let Some(unreadable) = self.unreadable.pop() {
                return Some(Err(unreadable));
            }
            let Some(path) = self.left.last_mut()?.next() else {
                self.left.pop();
                continue;
            };
            if path.is_dir() {
                // A link to a folder could lead back to where it stands.
                if !path.is_symlink() {
                    self.enter(path);
                }
                continue;
            }
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => return Some(Ok(Input { path })),
                // A pipe or a device would wait for somebody.
                Ok(_) => {}
                Err(error) => return Some(Err(Unreadable { path, error })),
            }
        }
    }
}

impl Input {
    fn unreadable(&self, error: io::Error) -> Unreadable {
        Unreadable { path: self.path.clone(), error }
    }

    fn reader(&self) -> io::Result<Box<dyn Read>> {
        if self.path.as_os_str() == "-" {
            Ok(Box::new(io::stdin()))
        } else {
            Ok(Box::new(fs::File::open(&self.path)?))
        }
    }

    /// Reads it whole.
    pub(super) fn read(&self) -> Result<Source, Unreadable> {
        let mut bytes = Vec::new();
        self.reader()
            .and_then(|mut reader| reader.read_to_end(&mut bytes))
            .map_err(|error| self.unreadable(error))?;
        Ok(Source::decode(self.path.to_string_lossy(), bytes))
    }

    /// Reads it piece by piece.
    pub(super) fn chunks(&self) -> Result<Chunks<Box<dyn Read>>, Unreadable> {
        self.reader()
            .and_then(|reader| Chunks::open(self.path.to_string_lossy().into_owned(), reader))
            .map_err(|error| self.unreadable(error))
    }
}

/// Whether the user named this path himself, so that it must not be passed over.
pub(super) fn is_named(paths: &[PathBuf], path: &Path) -> bool {
    paths.iter().any(|named| named == path)
}
