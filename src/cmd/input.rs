//! From what the user named to sources.
use crate::source::Source;
use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// A file to read, or standard input.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The path; `-` is standard input.
    pub(super) path: PathBuf,
    /// Whether the user named it, and not a folder that it is in.
    pub(super) is_named: bool,
}

/// The files that the user means: a folder stands for all files in it and below, sorted by name.
/// Those that cannot be opened are `Err`, and the others follow.
pub(super) fn files(paths: &[PathBuf]) -> impl Iterator<Item = Result<Input, Unreadable>> {
    paths.iter().cloned().flat_map(|path| {
        if path.as_os_str() != "-" && path.is_dir() {
            let mut found = Vec::new();
            walk(&path, &mut found);
            found
        } else {
            vec![Ok(Input { path, is_named: true })]
        }
    })
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

fn walk(folder: &Path, found: &mut Vec<Result<Input, Unreadable>>) {
    let unreadable = |error| Unreadable { path: folder.to_owned(), error };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return found.push(Err(unreadable(error))),
    };
    let mut paths = Vec::new();
    for entry in entries {
        match entry {
            Ok(entry) => paths.push(entry.path()),
            Err(error) => found.push(Err(unreadable(error))),
        }
    }
    paths.sort();
    for path in paths {
        // A link to a folder could lead back to where it stands.
        if path.is_dir() {
            if !path.is_symlink() {
                walk(&path, found);
            }
            continue;
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => found.push(Ok(Input { path, is_named: false })),
            // A pipe or a device would wait for somebody.
            Ok(_) => {}
            Err(error) => found.push(Err(Unreadable { path, error })),
        }
    }
}

impl Input {
    /// Reads it whole.
    pub(super) fn read(&self) -> Result<Source, Unreadable> {
        let unreadable = |error| Unreadable { path: self.path.clone(), error };
        let mut bytes = Vec::new();
        if self.path.as_os_str() == "-" {
            io::stdin().lock().read_to_end(&mut bytes).map_err(unreadable)?;
        } else {
            bytes = fs::read(&self.path).map_err(unreadable)?;
        }
        Ok(Source::decode(self.path.to_string_lossy(), bytes))
    }
}
