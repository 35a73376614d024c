//! One file for each value of a key, or for each so many games.
use super::{
    Failure, Io, Verdict,
    address::name_of,
    drafts::{exists, fresh, is_read},
    games::{Batch, Candidate, Reading, Run},
    records::{Text, To},
    words::count,
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
/// folders if there are several, such as `2024/Base+MLP.pgn`, or one for each so many games. Where two values would have one name, a number tells them apart. By `player` and `opponent` a
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
    #[arg(long, value_name = "N", value_parser = at_least_one)]
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

fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number from 1 on".to_owned())
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
    let mut files =
        Files { root: &args.output, of: BTreeMap::new(), waiting: 0, read: BTreeSet::new() };
    let mut seen = 0;
    run.each_game(
        |game, candidate| Some((args.names(game, candidate), args.to.text(candidate))),
        |batch| {
            let Batch { file, content, results, is_first, .. } = batch;
            files.read.extend(fs::canonicalize(&file).ok().filter(|_| is_first));
            results.into_iter().try_for_each(|(number, (names, text)): (_, (_, Text))| {
                let address = || name_of(&file, number, None);
                let Some(text) = records.accept(&text, content, address)? else { return Ok(()) };
                let names: BTreeSet<Vec<String>> = match args.count {
                    Some(count) => [vec![format!("{:06}", seen / count + 1)]].into(),
                    None => names,
                };
                seen += 1;
                let texts = [records.before(true), records.before(false)];
                names.into_iter().try_for_each(|name| files.add(name, text, texts))
            })
        },
    )?;
    let written = files.of.len();
    files.finish(records.extension(), args.force)?;
    let told = records.tell(quiet, run.err)?;
    if !quiet {
        writeln!(
            run.err,
            "{} in {}",
            count(seen, "game", "games"),
            count(written, "file", "files")
        )?;
    }
    Ok(run.verdict_of_all().max(told))
}

impl Args {
    /// The values for each of which a game goes to a file.
    fn names(&self, game: &Game, candidate: &mut Candidate<'_>) -> BTreeSet<Vec<String>> {
        let wants = self.by.iter().map(Key::wants).fold(Wants::NOTHING, Wants::and);
        let course = Course::of(game, candidate.position, wants);
        let (file, notation) = (candidate.source.name(), candidate.content.name());
        let view = View::of(game, &course, file, notation);
        let shown = |(key, value): (&Key, &String)| key.shown(value);
        let name = |(values, _): (Vec<String>, _)| self.by.iter().zip(&values).map(shown).collect();
        Key::groups(&self.by, &view).into_iter().map(name).collect()
    }
}

/// How many bytes the name of a file has at most, without its ending.
const LONGEST: usize = 120;

/// A value as the name of a file: without what would lead elsewhere.
fn named(value: &str) -> String {
    let plain = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let name: String = value.chars().map(plain).collect();
    match name.trim_matches(['.', ' ']) {
        "" => "unknown".to_owned(),
        name => {
            let ends = (0..=LONGEST.min(name.len())).rev();
            let end = ends.into_iter().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
            name[..end].to_owned()
        }
    }
}

/// The names of files for values, without their ending: different ones for different values, also where capitals do not count.
fn unique<'v>(values: impl Iterator<Item = &'v Vec<String>>) -> Vec<PathBuf> {
    let mut known = BTreeSet::new();
    let name = |values: &Vec<String>| {
        let name = values.iter().map(|value| named(value)).collect::<Vec<_>>().join("/");
        let more = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(more);
        names.find(|name| known.insert(name.to_lowercase())).unwrap_or_default().into()
    };
    values.map(name).collect()
}

/// Files that grow game by game; there may be more than can be open at once.
struct Files<'a> {
    root: &'a Path,
    /// The files by the values of their games.
    of: BTreeMap<Vec<String>, Growing>,
    /// How many bytes wait to be written.
    waiting: usize,
    /// The files that were read, which are not to be overwritten.
    read: BTreeSet<PathBuf>,
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
    /// Adds a game to the file of these values; `before` stands before the first one, and before another.
    fn add(&mut self, values: Vec<String>, text: &[u8], before: [&str; 2]) -> io::Result<()> {
        let (before, file) = match self.of.entry(values) {
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
        let path = |name: PathBuf| self.root.join(format!("{}.{extension}", name.display()));
        let paths: Vec<PathBuf> = unique(self.of.keys()).into_iter().map(path).collect();
        let is_there = |path: &&PathBuf| path.symlink_metadata().is_ok();
        if let Some(there) = paths.iter().find(is_there).filter(|there| !force || there.is_dir()) {
            return Err(exists(there));
        }
        let is_input =
            |path: &&PathBuf| fs::canonicalize(path).is_ok_and(|path| self.read.contains(&path));
        if let Some(read) = paths.iter().find(is_input) {
            return Err(is_read(read));
        }
        for (path, mut file) in paths.iter().zip(self.of.into_values()) {
            let wrong = |error: io::Error| {
                io::Error::other(format!("cannot write {}: {error}", path.display()))
            };
            file.flush()?;
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(wrong)?;
            let done =
                if force { file.file.persist(path) } else { file.file.persist_noclobber(path) };
            done.map_err(|error| wrong(error.error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_values_have_different_files() {
        let values = [
            "",
            "unknown",
            "a/b",
            "a:b",
            "Ann",
            "ann",
            "../../x",
            "/abs",
            ".",
            "🐝".repeat(80).as_str(),
            "🐝".repeat(81).as_str(),
        ]
        .map(|value| vec![value.to_owned()]);
        let names = unique(values.iter());
        let texts: Vec<String> =
            names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let bees = "🐝".repeat(30);
        let more = format!("{bees}-2");
        let expected = [
            "unknown",
            "unknown-2",
            "a_b",
            "a_b-2",
            "Ann",
            "ann-2",
            "_.._x",
            "_abs",
            "unknown-3",
            &bees,
            &more,
        ];
        assert_eq!(texts, expected);
    }
}
