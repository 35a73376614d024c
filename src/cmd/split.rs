//! One file for each value of a key, or for each so many games.
use super::{
    Failure, Io, Verdict,
    drafts::{exists, fresh},
    games::{Candidate, Reading, Run},
    records::{Text, To},
};
use crate::{
    course::{Course, Wants},
    game::Game,
    stats::{Key, View},
};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    fs::{self, File},
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};
use tempfile::TempPath;

/// Divide an archive into files
///
/// Writes the games, as they stand or in another notation, into files of a folder: one file for each value of what --by names, in
/// folders if there are several, such as `2024/Base+MLP.pgn`, or one for each so many games. By `player` and `opponent` a
/// game goes into two files. What is not known goes into `unknown`. A game that cannot be read or is not legal is told on
/// standard error and left out, and makes the exit code 1. The files appear when all are complete.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit split --by year,type -o by-year archive/ --to pgn
  hivekit split --by player -o players archive.pgn
  hivekit split --by tag:Event -o events archive.pgn
  hivekit split --count 10000 -o parts archive.uhp")]
#[command(group(clap::ArgGroup::new("how").required(true).args(["by", "count"])))]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// By what: a key of `stats`, such as year, month, type, result, cause, opening, player, file, length:N, tag:NAME
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    by: Vec<Key>,
    /// How many games go into a file
    #[arg(long, value_name = "N")]
    count: Option<NonZeroUsize>,
    /// The folder
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Overwrite files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    to: To,
}

/// How many bytes wait in memory for all files together.
const WAITING: usize = 64 * 1024 * 1024;

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let wrong = args.by.iter().find(|key| !key.is_of_games());
    if let Some(key) = wrong {
        let message = format!("--by {key} divides games, and games go whole into files");
        return Err(Failure::Input(message));
    }
    fs::create_dir_all(&args.output).map_err(|error| {
        Failure::Input(format!("cannot make {}: {error}", args.output.display()))
    })?;
    let mut run = Run::new(&args.reading, quiet, io.err);
    let mut records = args.to.records();
    let mut files = Files { root: &args.output, of: BTreeMap::new(), waiting: 0 };
    let mut seen = 0;
    run.each_game(
        |game, candidate| Some((args.names(game, candidate), args.to.text(candidate))),
        |batch| {
            batch.results.into_iter().try_for_each(|(_, (names, text)): (_, (_, Text))| {
                let text = records.accept(&text, batch.content)?;
                let names: BTreeSet<PathBuf> = match args.count {
                    Some(count) => [format!("{:06}", seen / count + 1).into()].into(),
                    None => names,
                };
                seen += 1;
                let texts = [records.before(true), records.before(false)];
                names.into_iter().try_for_each(|name| files.add(name, text, texts))
            })
        },
    )?;
    let count = files.of.len();
    files.finish(records.extension(), args.force)?;
    if !quiet {
        records.tell_losses(run.err)?;
        writeln!(run.err, "{seen} games in {count} files")?;
    }
    Ok(run.verdict_of_all())
}

impl Args {
    /// The files that a game goes to, without their ending.
    fn names(&self, game: &Game, candidate: &mut Candidate<'_>) -> BTreeSet<PathBuf> {
        let wants = self.by.iter().map(Key::wants).fold(Wants::NOTHING, Wants::and);
        let course = Course::of(game, candidate.position, wants);
        let (file, notation) = (candidate.source.name(), candidate.content.name());
        let view = View::of(game, &course, file, notation);
        let named = |(key, value): (&Key, &String)| named(&key.shown(value));
        let name = |(values, _): (Vec<String>, _)| self.by.iter().zip(&values).map(named).collect();
        Key::groups(&self.by, &view).into_iter().map(name).collect()
    }
}

/// A value as the name of a file: without what would lead elsewhere.
fn named(value: &str) -> String {
    let plain = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let name: String = value.chars().map(plain).collect();
    match name.trim_matches(['.', ' ']) {
        "" => "unknown".to_owned(),
        name => name.chars().take(100).collect(),
    }
}

/// Files that grow game by game; there may be more than can be open at once.
struct Files<'a> {
    root: &'a Path,
    of: BTreeMap<PathBuf, Growing>,
    /// How many bytes wait to be written.
    waiting: usize,
}

struct Growing {
    /// Deleted where nobody gives it a name.
    file: TempPath,
    waiting: Vec<u8>,
}

impl Growing {
    fn new(root: &Path) -> io::Result<Growing> {
        Ok(Growing { file: fresh(root)?.into_temp_path(), waiting: Vec::new() })
    }

    fn flush(&mut self) -> io::Result<()> {
        File::options().append(true).open(&self.file)?.write_all(&std::mem::take(&mut self.waiting))
    }
}

impl Files<'_> {
    /// Adds a game to a file; `before` stands before the first one, and before another.
    fn add(&mut self, name: PathBuf, text: &[u8], before: [&str; 2]) -> io::Result<()> {
        let (before, file) = match self.of.entry(name) {
            Entry::Vacant(place) => (before[0], place.insert(Growing::new(self.root)?)),
            Entry::Occupied(place) => (before[1], place.into_mut()),
        };
        file.waiting.extend_from_slice(before.as_bytes());
        file.waiting.extend_from_slice(text);
        self.waiting += before.len() + text.len();
        if self.waiting < WAITING {
            return Ok(());
        }
        self.waiting = 0;
        self.of.values_mut().try_for_each(Growing::flush)
    }

    /// Gives all files their names.
    fn finish(self, extension: &str, force: bool) -> io::Result<()> {
        let path = |name: &Path| {
            let name = format!("{}.{extension}", name.display());
            self.root.join(name)
        };
        if let Some(there) = self.of.keys().map(|name| path(name)).find(|path| path.exists())
            && !force
        {
            return Err(exists(&there));
        }
        for (name, mut file) in self.of {
            file.flush()?;
            let path = path(&name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            let done =
                if force { file.file.persist(&path) } else { file.file.persist_noclobber(&path) };
            done.map_err(|error| error.error)?;
        }
        Ok(())
    }
}
