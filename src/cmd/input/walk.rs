use super::{Input, Unreadable};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::{
    ffi::OsStr,
    fs::{self, DirEntry},
    io,
    path::{Path, PathBuf},
    vec,
};

/// A walk through a folder: all files in it and below, those of each folder sorted by name.
pub(super) struct Walk {
    root: PathBuf,
    /// Whether hidden files and those that ignore files exclude are passed over.
    respects_ignores: bool,
    /// The folders on the way to the present file.
    left: Vec<Folder>,
    unreadable: Vec<Unreadable>,
}

struct Folder {
    path: PathBuf,
    /// The names that are left to see: without the path before them, which a million names share.
    names: vec::IntoIter<Box<OsStr>>,
    /// What its ignore files say.
    ignores: Option<Gitignore>,
}

impl Walk {
    pub(super) fn over(folder: PathBuf, respects_ignores: bool) -> Walk {
        let root = folder.clone();
        let mut walk = Walk { root, respects_ignores, left: Vec::new(), unreadable: Vec::new() };
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
                let ignores = self.respects_ignores.then(|| ignores_of(&folder)).flatten();
                self.left.push(Folder { path: folder, names: names.into_iter(), ignores });
            }
            Err(error) => self.unreadable.push(Unreadable { path: folder, error }),
        }
    }

    /// Whether a path is to be passed over: the ignore files nearest to it decide.
    fn ignores(&self, path: &Path, is_folder: bool) -> bool {
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
        let said = self
            .left
            .iter()
            .rev()
            .filter_map(|folder| folder.ignores.as_ref())
            .map(|ignores| ignores.matched(path, is_folder))
            .find(|said| !said.is_none());
        let is_excluded = said.map_or(is_hidden, |said| said.is_ignore());
        self.respects_ignores && is_excluded
    }
}

/// What the ignore files of a folder say, if it has any.
fn ignores_of(folder: &Path) -> Option<Gitignore> {
    let files = [".gitignore", ".ignore"].map(|name| folder.join(name));
    let files = files.iter().filter(|file| file.is_file());
    let mut builder = GitignoreBuilder::new(folder);
    let count = files.map(|file| builder.add(file)).count();
    // A line that is no pattern excludes nothing.
    (count > 0).then(|| builder.build().ok()).flatten()
}

impl Iterator for Walk {
    type Item = Result<Input, Unreadable>;

    fn next(&mut self) -> Option<Result<Input, Unreadable>> {
        loop {
            if let Some(unreadable) = self.unreadable.pop() {
                return Some(Err(unreadable));
            }
            let folder = self.left.last_mut()?;
            let Some(name) = folder.names.next() else {
                self.left.pop();
                continue;
            };
            let path = folder.path.join(&*name);
            let is_folder = path.is_dir();
            if self.ignores(&path, is_folder) {
                continue;
            }
            if is_folder {
                // A link to a folder could lead back to where it stands.
                if !path.is_symlink() {
                    self.enter(path);
                }
                continue;
            }
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => {
                    return Some(Ok(Input::found(path, &self.root)));
                }
                // A pipe or a device would wait for somebody.
                Ok(_) => {}
                Err(error) => return Some(Err(Unreadable { path, error })),
            }
        }
    }
}
