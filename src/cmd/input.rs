//! From what the user named to sources.
use super::chunks::Chunks;
use std::{
    ffi::OsStr,
    fs::{self, DirEntry},
    io::{self, Read},
    path::PathBuf,
    vec,
};

/// A file to read, or standard input.
#[derive(Clone, Debug, Default)]
pub(super) struct Input {
    /// The path; `-` is standard input.
    pub(super) path: PathBuf,
    /// Whether the user named it himself, so that it must not be passed over.
    pub(super) is_named: bool,
    /// The path below the folder that the user named; of a named file its name.
    pub(super) below: PathBuf,
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
        let named = (!is_folder).then(|| Ok(Input::named(path.clone())));
        let found = is_folder.then(|| Walk::over(path.clone()));
        named.into_iter().chain(found.into_iter().flatten())
    })
}

/// A walk through a folder.
struct Walk {
    root: PathBuf,
    /// The folders on the way to the present file, each with the names in it that are left to see: without
    /// the path before them, which a million names share.
    left: Vec<(PathBuf, vec::IntoIter<Box<OsStr>>)>,
    unreadable: Vec<Unreadable>,
}

impl Walk {
    fn over(folder: PathBuf) -> Walk {
        let mut walk = Walk { root: folder.clone(), left: Vec::new(), unreadable: Vec::new() };
        walk.enter(folder);
        walk
    }

    fn enter(&mut self, folder: PathBuf) {
        let names = fs::read_dir(&folder).and_then(|entries| {
            let name = |entry: DirEntry| entry.file_name().into_boxed_os_str();
            entries.map(|entry| entry.map(name)).collect::<io::Result<Vec<_>>>()
        });
        match names {
            Ok(mut names) => {
                names.sort_unstable();
                self.left.push((folder, names.into_iter()));
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
            let (folder, names) = self.left.last_mut()?;
            let Some(name) = names.next() else {
                self.left.pop();
                continue;
            };
            let path = folder.join(&*name);
            if path.is_dir() {
                // A link to a folder could lead back to where it stands.
                if !path.is_symlink() {
                    self.enter(path);
                }
                continue;
            }
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => {
                    let below = path.strip_prefix(&self.root).unwrap_or(&path).to_owned();
                    return Some(Ok(Input { path, is_named: false, below }));
                }
                // A pipe or a device would wait for somebody.
                Ok(_) => {}
                Err(error) => return Some(Err(Unreadable { path, error })),
            }
        }
    }
}

impl Input {
    /// What the user named.
    pub(super) fn named(path: PathBuf) -> Input {
        let name = path.file_name().unwrap_or(OsStr::new("stdin"));
        let below = PathBuf::from(if path.as_os_str() == "-" { OsStr::new("stdin") } else { name });
        Input { path, is_named: true, below }
    }

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

    /// Reads it piece by piece.
    pub(super) fn chunks(&self) -> Result<Chunks<Box<dyn Read>>, Unreadable> {
        self.reader()
            .and_then(|reader| Chunks::open(self.path.to_string_lossy().into_owned(), reader))
            .map_err(|error| self.unreadable(error))
    }
}
