//! From what the user named to streams of text.
mod decode;
mod unpack;
mod walk;

use super::chunks::Chunks;
use std::{
    ffi::OsStr,
    fs,
    io::{self, BufRead, BufReader, Read},
    path::{Component, Path, PathBuf},
};
use walk::Walk;

pub(super) use decode::Encoding;

/// What the user named.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct Inputs {
    /// Files, folders with all that is below them, members of zip archives (`games.zip!2024/game.sgf`), or `-` for
    /// standard input, which is read where nothing is named. What is packed with gzip, Zstandard or zip is unpacked.
    /// In folders, hidden files and links to other folders are passed over
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Also read the files that are listed in this file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// The names in the list end with a zero byte, as `find -print0` writes them
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
    /// Read hidden files in folders, too, and those that `.gitignore` and `.ignore` exclude
    #[arg(long)]
    no_ignore: bool,
    #[command(flatten)]
    encoding: Encoding,
}

/// A file to read, standard input, or what is packed in one.
#[derive(Clone, Debug, Default)]
pub(super) struct Input {
    /// The path; `-` is standard input, and a member of an archive follows `!`.
    pub(super) path: PathBuf,
    /// Whether the user named it himself, so that it must not be passed over.
    pub(super) is_named: bool,
    /// The path below the folder that the user named; of a named file its name.
    pub(super) below: PathBuf,
    /// The file that it is, or is in.
    file: PathBuf,
    /// Whether it is packed.
    is_packed: bool,
    /// The members of archives in archives that are wanted; all, where there is none.
    members: Vec<String>,
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

/// The beginning of a stream, read so far that its notation can be guessed.
pub(super) type Stream<'r> = Chunks<&'r mut dyn Read>;

impl Inputs {
    /// Whether nothing is named, so that standard input is meant.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_none()
    }

    /// Whether standard input is read.
    pub(super) fn has_stdin(&self) -> bool {
        let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
        self.is_empty() || self.paths.iter().chain(&self.files_from).any(is_stdin)
    }

    /// Whether one file is named and nothing else, so that its name need not be told.
    pub(super) fn is_one_file(&self) -> bool {
        match &self.paths[..] {
            [] => self.files_from.is_none(),
            [path] => {
                let is_packed = |ending| path.extension().is_some_and(|name| name == ending);
                self.files_from.is_none() && !path.is_dir() && !is_packed("zip")
            }
            _ => false,
        }
    }

    /// Calls `take` with everything that is named, in its order, until it returns `false`: a folder stands for all
    /// files in it and below, sorted by name, one folder after the other, and an archive for all its members. What
    /// cannot be read comes as an error, and the rest follows.
    pub(super) fn each(&self, take: &mut dyn FnMut(Input, Result<Stream<'_>, Unreadable>) -> bool) {
        let stdin = [PathBuf::from("-")];
        let paths = if self.is_empty() { &stdin[..] } else { &self.paths };
        let goes_on = paths.iter().all(|path| self.each_at(path, take));
        if let Some(list) = self.files_from.as_deref().filter(|_| goes_on) {
            self.each_in_list(list, take);
        }
    }

    fn each_at(
        &self,
        path: &Path,
        take: &mut dyn FnMut(Input, Result<Stream<'_>, Unreadable>) -> bool,
    ) -> bool {
        if path.as_os_str() == "-" || !path.is_dir() {
            return Input::named(path.to_owned()).each_stream(&self.encoding, take);
        }
        let mut walk = Walk::over(path.to_owned(), !self.no_ignore);
        walk.by_ref().all(|found| match found {
            Ok(input) => input.each_stream(&self.encoding, take),
            Err(unreadable) => take(Input::default(), Err(unreadable)),
        })
    }

    fn each_in_list(
        &self,
        list: &Path,
        take: &mut dyn FnMut(Input, Result<Stream<'_>, Unreadable>) -> bool,
    ) {
        let unreadable = |error| Unreadable { path: list.to_owned(), error };
        let mut reader: Box<dyn BufRead> = match open(list) {
            Ok(reader) => Box::new(BufReader::new(reader)),
            Err(error) => {
                take(Input::default(), Err(unreadable(error)));
                return;
            }
        };
        let end = if self.null { 0 } else { b'\n' };
        loop {
            let mut name = Vec::new();
            match reader.read_until(end, &mut name) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => {
                    take(Input::default(), Err(unreadable(error)));
                    return;
                }
            }
            if name.last() == Some(&end) {
                name.pop();
            }
            if !self.null && name.last() == Some(&b'\r') {
                name.pop();
            }
            let name = path_of(name);
            let path = name.as_path();
            // What is listed with its folders goes with them to a folder of output.
            let is_below = path
                .components()
                .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
            let goes_on = if path.as_os_str().is_empty() {
                true
            } else if is_below && path.is_file() {
                let input = Input { below: path.to_owned(), ..Input::named(path.to_owned()) };
                input.each_stream(&self.encoding, take)
            } else {
                self.each_at(path, take)
            };
            if !goes_on {
                return;
            }
        }
    }
}

/// The path with a name of these bytes.
fn path_of(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    return PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes));
    #[cfg(not(unix))]
    return PathBuf::from(String::from_utf8_lossy(&bytes).into_owned());
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        Ok(Box::new(io::stdin()))
    } else {
        Ok(Box::new(fs::File::open(path)?))
    }
}

impl Input {
    /// What the user named: a file, or a member of an archive.
    pub(super) fn named(path: PathBuf) -> Input {
        if path.as_os_str() == "-" {
            let (below, file) = (PathBuf::from("stdin"), path.clone());
            return Input { path, is_named: true, below, file, ..Input::default() };
        }
        let (file, members) = archive_and_members(&path).unwrap_or((path.clone(), Vec::new()));
        let below = PathBuf::from(file.file_name().unwrap_or(OsStr::new("games")));
        let path = if members.is_empty() { path } else { file.clone() };
        Input { path, is_named: true, below, file, is_packed: false, members }
    }

    /// The file, if it is one and nothing is packed in it that it stands for.
    pub(super) fn plain_file(&self) -> Option<&Path> {
        (self.path == self.file && self.path.is_file() && !self.is_packed)
            .then_some(self.path.as_path())
    }

    /// A file that was found in a folder.
    fn found(path: PathBuf, root: &Path) -> Input {
        let below = path.strip_prefix(root).unwrap_or(&path).to_owned();
        Input { file: path.clone(), path, below, ..Input::default() }
    }

    /// Calls `take` with the stream of the file, or with those that are packed in it, until it returns `false`.
    pub(super) fn each_stream(
        &self,
        encoding: &Encoding,
        take: &mut dyn FnMut(Input, Result<Stream<'_>, Unreadable>) -> bool,
    ) -> bool {
        let mut take = |input: Input, reader: io::Result<&mut dyn Read>| {
            let chunks = reader.and_then(|reader| {
                decode::decoded(reader, encoding, |reader| {
                    Chunks::open(input.path.to_string_lossy().into_owned(), reader)
                        .map(|chunks| take(input.clone(), Ok(chunks)))
                })
            });
            chunks.and_then(|goes_on| goes_on).unwrap_or_else(|error| {
                let unreadable = Unreadable { path: input.path.clone(), error };
                take(input, Err(unreadable))
            })
        };
        match open(&self.file) {
            Ok(mut reader) => unpack::each(self, &mut reader, &mut take),
            Err(error) => take(self.clone(), Err(error)),
        }
    }
}

/// Whether a path names a member of an archive that is there.
pub(super) fn is_member(path: &Path) -> bool {
    archive_and_members(path).is_some()
}

/// Takes a path such as `games.zip!2024/game.sgf` apart, if there is no such file but such an archive.
fn archive_and_members(path: &Path) -> Option<(PathBuf, Vec<String>)> {
    let text = path.to_str().filter(|text| text.contains('!') && !path.exists())?;
    text.match_indices('!').find_map(|(at, _)| {
        let (archive, members) = (Path::new(&text[..at]), &text[at + 1..]);
        let members = members.split('!').map(str::to_owned).collect();
        archive.is_file().then(|| (archive.to_owned(), members))
    })
}
