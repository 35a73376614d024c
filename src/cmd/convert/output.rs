//! Where converted games go: to standard output, to one file, or to files in a folder.
use crate::cmd::{
    Failure,
    drafts::{Draft, draft, exists, publish},
    input::Input,
};
use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// What the user wants of the output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wishes<'a> {
    /// The file or folder; standard output where there is none.
    pub(super) path: Option<&'a Path>,
    /// Each game gets a file of its own.
    pub(super) split: bool,
    /// Files that exist are overwritten.
    pub(super) force: bool,
    /// What follows the full stop in the names of new files.
    pub(super) extension: &'static str,
    /// What stands before the games of a file.
    pub(super) prologue: &'static str,
    /// What stands between two games of a file.
    pub(super) separator: &'static str,
}

/// The output while games come in.
pub(super) struct Output<'a> {
    wishes: Wishes<'a>,
    place: Place<'a>,
}

enum Place<'a> {
    Stream(Stream<&'a mut dyn Write>),
    /// A pipe or a device with a name.
    Special(Stream<fs::File>),
    File(PathBuf, Stream<Draft>),
    Folder {
        root: PathBuf,
        /// The file that games go to, and the source that they come from.
        present: Option<Present>,
        /// What this run has written, so that no two sources go to one file.
        written: BTreeSet<PathBuf>,
    },
}

struct Present {
    source: PathBuf,
    /// The name that was wanted for it.
    name: PathBuf,
    path: PathBuf,
    /// The number of the last game in its source.
    game: usize,
    /// Missing where something is in the way.
    stream: Option<Stream<Draft>>,
}

/// Games one after the other.
struct Stream<W> {
    out: W,
    is_empty: bool,
}

impl<W: Write> Stream<W> {
    fn new(out: W) -> Stream<W> {
        Stream { out, is_empty: true }
    }

    fn game(&mut self, text: &[u8], wishes: Wishes<'_>) -> io::Result<()> {
        let is_first = std::mem::replace(&mut self.is_empty, false);
        let before = if is_first { wishes.prologue } else { wishes.separator };
        self.out.write_all(before.as_bytes())?;
        self.out.write_all(text)
    }
}

impl<'a> Output<'a> {
    /// Prepares the output.
    ///
    /// # Errors
    ///
    /// Fails where a file is in the way, or cannot be made.
    pub(super) fn open(
        wishes: Wishes<'a>,
        stdout: &'a mut dyn Write,
    ) -> Result<Output<'a>, Failure> {
        let place = match wishes.path {
            None if wishes.split => {
                let message = "--split writes files: name a folder for them with -o";
                return Err(Failure::Input(message.to_owned()));
            }
            None => Place::Stream(Stream::new(stdout)),
            Some(path) if wishes.split || is_folder(path) => {
                Place::Folder { root: path.to_owned(), present: None, written: BTreeSet::new() }
            }
            Some(path) if path.exists() && !path.is_file() => {
                let file = fs::File::options().write(true).open(path);
                Place::Special(Stream::new(file.map_err(|error| in_the_way(path, &error))?))
            }
            Some(path) => {
                if path.exists() && !wishes.force {
                    let message = format!("{} exists: --force overwrites it", path.display());
                    return Err(Failure::Input(message));
                }
                let draft = draft(path).map_err(|error| in_the_way(path, &error))?;
                Place::File(path.to_owned(), Stream::new(draft))
            }
        };
        Ok(Output { wishes, place })
    }

    /// Takes a game, the one with this number in its source; or tells why it has no place, once for each file.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written.
    pub(super) fn game(
        &mut self,
        source: &Input,
        number: usize,
        text: &[u8],
    ) -> io::Result<Result<(), Option<String>>> {
        let wishes = self.wishes;
        match &mut self.place {
            Place::Stream(stream) => stream.game(text, wishes)?,
            Place::Special(stream) => stream.game(text, wishes)?,
            Place::File(_, stream) => stream.game(text, wishes)?,
            Place::Folder { root, present, written } => {
                let name = wishes.name_of(source, number);
                let is_present = present.as_mut().is_some_and(|open| {
                    // A file that is named twice begins anew.
                    let is_later = std::mem::replace(&mut open.game, number) < number;
                    open.name == name && open.source == source.path && is_later
                });
                if !is_present {
                    if let Some(Present { path, stream: Some(stream), .. }) = present.take() {
                        publish(&path, stream.out, wishes.force)?;
                    }
                    let (fresh, refused) = begin(root, name, source, written, wishes);
                    *present = Some(Present { game: number, ..fresh });
                    if refused.is_some() {
                        return Ok(Err(refused));
                    }
                }
                match present.as_mut().and_then(|present| present.stream.as_mut()) {
                    Some(stream) => stream.game(text, wishes)?,
                    None => return Ok(Err(None)),
                }
            }
        }
        Ok(Ok(()))
    }

    /// Completes what was begun.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written.
    pub(super) fn finish(self) -> io::Result<()> {
        let force = self.wishes.force;
        match self.place {
            Place::Stream(stream) => stream.out.flush(),
            Place::Special(mut stream) => stream.out.flush(),
            // Nothing takes the place of something.
            Place::File(_, stream) if stream.is_empty => Ok(()),
            Place::File(path, stream) => publish(&path, stream.out, force),
            Place::Folder { present, .. } => match present {
                Some(Present { path, stream: Some(stream), .. }) => {
                    publish(&path, stream.out, force)
                }
                _ => Ok(()),
            },
        }
    }
}

impl Wishes<'_> {
    /// The file for a game, below the folder: the tree of folders is that of the sources.
    fn name_of(&self, source: &Input, number: usize) -> PathBuf {
        let path = &source.below;
        if !self.split {
            return path.with_extension(self.extension);
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{stem}-{number:06}.{}", self.extension))
    }
}

/// Whether a path means a folder: it is one, or ends as one.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

fn in_the_way(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot write {}: {error}", path.display()))
}

/// Begins the file for a source, or tells what is in the way. Where another source has its name, it gets one with the
/// extension of its source before its own.
fn begin(
    root: &Path,
    name: PathBuf,
    source: &Input,
    written: &mut BTreeSet<PathBuf>,
    wishes: Wishes<'_>,
) -> (Present, Option<String>) {
    let mut path = root.join(&name);
    if !written.insert(path.clone()) {
        path = root.join(longer_name(source, &name));
        if !written.insert(path.clone()) {
            let (path, from) = (path.display(), source.path.display());
            let refused = format!("{path} is written already, and {from} would go there, too");
            let (source, path) = (source.path.clone(), PathBuf::new());
            return (Present { source, name, path, game: 0, stream: None }, Some(refused));
        }
    }
    let mut refused = (path.exists() && !wishes.force).then(|| exists(&path).to_string());
    let mut stream = None;
    if refused.is_none() {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let is_folder = || io::Error::from(io::ErrorKind::IsADirectory);
        let free = folder.and_then(|()| if path.is_dir() { Err(is_folder()) } else { Ok(()) });
        match free.and_then(|()| draft(&path)) {
            Ok(draft) => stream = Some(Stream::new(draft)),
            Err(error) => refused = Some(format!("{}: {error}", path.display())),
        }
    }
    (Present { source: source.path.clone(), name, path, game: 0, stream }, refused)
}

/// A name with the whole name of the source before the number and the extension.
fn longer_name(source: &Input, name: &Path) -> PathBuf {
    let stem = source.below.file_stem().unwrap_or_default().to_string_lossy();
    let whole = source.below.file_name().unwrap_or_default().to_string_lossy();
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    let rest = name.strip_prefix(&*stem).unwrap_or(&name);
    source.below.with_file_name(format!("{whole}{rest}"))
}
