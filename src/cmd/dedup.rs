use super::{
    Failure, Io, Verdict,
    address::name_of,
    args::SameLevel,
    content::Content,
    games::{Candidate, Reading, Run},
    records::{Records, Text, To},
    traces::Trace,
};
use crate::{game::Game, position::Same};
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    fs,
    io::{self, Write},
    path::PathBuf,
    str::FromStr,
};

/// Leave out games that are there already
///
/// Prints the games, as they stand or in another notation, without those that are the same as another one, and says on
/// standard error, or in the file of --report, which were left out, and for which. Games without plies are never the
/// same; one that cannot be read or is not legal is told, left out, and makes the exit code 1. With `--keep first` little memory is needed; else the games are held until all were read.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit dedup archive.pgn > clean.pgn
  hivekit dedup --by contained --report dropped.csv archive/ --to uhp > clean.uhp
  hivekit dedup --by final --same turned+colours --min-plies 20 --tags White,Black a.sgf b.pgn --to ndjson")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// Which positions are the same
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "turned")]
    same: SameLevel,
    /// Which games are the same: `game`, those with the same positions ply by ply; `final`, with the same last position;
    /// `contained`, one is the beginning of the other; `prefix:N`, the same first N plies, or all plies if both have fewer
    #[arg(long, value_name = "WHAT", default_value = "game")]
    by: Part,
    /// Only games that also have the same values of these tags are the same; `Result`, `Termination` and `GameType` are
    /// what is known of the end and the type of any game
    #[arg(long, value_name = "TAG,...", value_delimiter = ',', value_parser = tag_name)]
    tags: Vec<String>,
    /// Shorter games are never the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_plies: usize,
    /// Which of games that are the same is kept; one that contains another is kept in any case
    #[arg(long, value_enum, default_value = "first")]
    keep: Keep,
    /// Write what was left out into this new file, as CSV, and not on standard error
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    to: To,
}

/// What same games have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Game,
    Final,
    Contained,
    Prefix(usize),
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let prefix = text.strip_prefix("prefix:").and_then(|plies| plies.parse().ok());
        match (text, prefix) {
            ("game", _) => Ok(Part::Game),
            ("final", _) => Ok(Part::Final),
            ("contained", _) => Ok(Part::Contained),
            (_, Some(plies)) if plies > 0 => Ok(Part::Prefix(plies)),
            _ => Err("it is `game`, `final`, `contained` or `prefix:N`".to_owned()),
        }
    }
}

impl Part {
    /// Why a game is left out.
    fn reason(self, same: Same) -> String {
        match self {
            Part::Game if same == Same::Exact => "same moves as".to_owned(),
            Part::Game => "same positions as".to_owned(),
            Part::Final => "same last position as".to_owned(),
            Part::Contained => "the same as, or the beginning of".to_owned(),
            Part::Prefix(plies) => format!("same first {plies} plies as"),
        }
    }
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// The one that is read first
    First,
    /// The one with most plies
    Longest,
    /// The one with most tags
    Tags,
    /// The first with a result
    Result,
}

/// A game while it is compared.
struct Entry {
    trace: Trace,
    /// The values of the tags that count.
    tags: Vec<Option<String>>,
    /// How many tags say something.
    known: usize,
    /// How it ended.
    result: &'static str,
    text: Text,
}

/// A game that was read.
struct Read {
    file: usize,
    number: usize,
    content: Content,
    entry: Entry,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let mut dropped = Dropped::new(args)?;
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut games = Games { args, files: Vec::new(), known: HashMap::new(), held: Vec::new() };
    let mut writer: Writer<'_> = (args.to.records(), &mut **out);
    run.each_game(
        |game, candidate| Some(args.entry(game, candidate)),
        |batch| {
            if batch.is_first {
                games.files.push(batch.file.clone());
            }
            for (number, entry) in batch.results {
                let file = games.files.len().saturating_sub(1);
                let read = Read { file, number, content: batch.content, entry };
                games.take(read, &mut writer, &mut dropped)?;
            }
            Ok(())
        },
    )?;
    games.finish(&mut writer, &mut dropped)?;
    let told = writer.0.tell(quiet, run.err)?;
    dropped.finish(quiet, &games.files, run.err)?;
    Ok(run.verdict_of_all().max(told))
}

impl Args {
    fn entry(&self, game: &Game, candidate: &mut Candidate<'_>) -> Entry {
        let text = self.to.text(candidate);
        Entry {
            trace: Trace::of(game, candidate.position, self.same.level()),
            tags: self.tags.iter().map(|name| game.fact(name).map(Cow::into_owned)).collect(),
            known: game.tags().iter().filter(|tag| !matches!(&*tag.value, "" | "?")).count(),
            result: game.result(),
            text,
        }
    }

    /// What same games have in common.
    fn name(&self, entry: &Entry) -> Name {
        let way = match self.by {
            Part::Game | Part::Contained => entry.trace.whole(),
            Part::Final => entry.trace.last(),
            Part::Prefix(plies) => entry.trace.up_to(plies),
        };
        (way, entry.tags.clone())
    }
}

/// Where a game is, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    file: usize,
    number: usize,
    result: &'static str,
}

impl Read {
    fn place(&self) -> Place {
        Place { file: self.file, number: self.number, result: self.entry.result }
    }
}

/// The name of a tag.
fn tag_name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a tag has a name".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// What writes the games, and where to.
type Writer<'o> = (Records, &'o mut dyn Write);

type Name = (u64, Vec<Option<String>>);

/// All games so far.
struct Games<'a> {
    args: &'a Args,
    files: Vec<String>,
    /// The first game with each name.
    known: HashMap<Name, Place>,
    /// The games that wait until all were read.
    held: Vec<Read>,
}

impl Games<'_> {
    fn take(
        &mut self,
        read: Read,
        (records, out): &mut Writer<'_>,
        dropped: &mut Dropped,
    ) -> io::Result<()> {
        let can_be_same = read.entry.trace.plies() >= self.args.min_plies;
        if self.args.keep != Keep::First || self.args.by == Part::Contained {
            self.held.push(read);
            return Ok(());
        }
        if can_be_same {
            let place = read.place();
            let first = *self.known.entry(self.args.name(&read.entry)).or_insert(place);
            if first != place {
                dropped.games.push((place, first));
                return Ok(());
            }
        }
        let address = || self.address(&read);
        records.write(&read.entry.text, read.content, address, *out)
    }

    /// Writes the games that waited, without those that are the same as a better one.
    fn finish(&mut self, (records, out): &mut Writer<'_>, dropped: &mut Dropped) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        let better = self.better(&held);
        for (at, read) in held.iter().enumerate() {
            if let Some(&kept) = better.get(&at) {
                dropped.games.push((read.place(), held[kept].place()));
                continue;
            }
            let address = || self.address(read);
            records.write(&read.entry.text, read.content, address, *out)?;
        }
        Ok(())
    }

    fn address(&self, read: &Read) -> String {
        name_of(&self.files[read.file], read.number, None)
    }

    /// For each game that is left out the one that is kept.
    fn better(&self, held: &[Read]) -> BTreeMap<usize, usize> {
        let mut groups: HashMap<Name, Vec<usize>> = HashMap::new();
        let can_be_same = |read: &Read| read.entry.trace.plies() >= self.args.min_plies;
        for (at, read) in held.iter().enumerate().filter(|(_, read)| can_be_same(read)) {
            groups.entry(self.args.name(&read.entry)).or_default().push(at);
        }
        let mut better = BTreeMap::new();
        let best: HashMap<&Name, usize> = groups
            .iter()
            .filter_map(|(name, group)| {
                let rank = |&&at: &&usize| (self.rank(&held[at]), std::cmp::Reverse(at));
                Some((name, *group.iter().max_by_key(rank)?))
            })
            .collect();
        for (at, read) in held.iter().enumerate().filter(|(_, read)| can_be_same(read)) {
            let kept = best[&self.args.name(&read.entry)];
            if kept != at {
                better.insert(at, kept);
            }
        }
        if self.args.by == Part::Contained {
            Games::find_contained(held, &best, &mut better);
        }
        better
    }

    /// Finds the games that are the beginnings of longer ones.
    fn find_contained(
        held: &[Read],
        best: &HashMap<&Name, usize>,
        better: &mut BTreeMap<usize, usize>,
    ) {
        for (longer, read) in held.iter().enumerate() {
            let entry = &read.entry;
            for way in entry.trace.beginnings() {
                if let Some(&at) = best.get(&(way, entry.tags.clone())) {
                    better.entry(at).or_insert(longer);
                }
            }
        }
        // A longer game may be left out itself, for one that is longer still.
        let known = better.clone();
        for kept in better.values_mut() {
            while let Some(&longer) = known.get(kept) {
                *kept = longer;
            }
        }
    }

    /// How much a game is to be kept.
    fn rank(&self, read: &Read) -> usize {
        match self.args.keep {
            Keep::First => 0,
            Keep::Longest => read.entry.trace.plies(),
            Keep::Tags => read.entry.known,
            Keep::Result => usize::from(read.entry.result != "open"),
        }
    }
}

/// What was left out.
struct Dropped {
    /// The game, and the one that is kept.
    games: Vec<(Place, Place)>,
    reason: String,
    report: Option<csv::Writer<fs::File>>,
}

impl Dropped {
    fn new(args: &Args) -> Result<Dropped, Failure> {
        let open = |path: &PathBuf| {
            let refused =
                |error| Failure::Input(format!("cannot write {}: {error}", path.display()));
            // What is there may be what is read.
            fs::File::create_new(path).map(csv::Writer::from_writer).map_err(refused)
        };
        let report = args.report.as_ref().map(open).transpose()?;
        Ok(Dropped { games: Vec::new(), reason: args.by.reason(args.same.level()), report })
    }

    /// Tells all of it.
    fn finish(mut self, quiet: bool, files: &[String], err: &mut dyn Write) -> Result<(), Failure> {
        let address = |place: Place| name_of(&files[place.file], place.number, None);
        let difference = |left_out: Place, kept: Place| match (left_out.result, kept.result) {
            (one, other) if one == other => String::new(),
            (one, other) => format!(" (its result is {one}, and {other} there)"),
        };
        if let Some(report) = &mut self.report {
            let write = |report: &mut csv::Writer<_>| {
                report.write_record(["left_out", "kept", "reason"])?;
                for &(left_out, kept) in &self.games {
                    let reason = [self.reason.as_str(), &difference(left_out, kept)].concat();
                    report.write_record([&address(left_out), &address(kept), &reason])?;
                }
                report.flush()?;
                Ok(())
            };
            write(report).map_err(|error: csv::Error| Failure::Write(io::Error::other(error)))?;
        } else {
            for &(left_out, kept) in &self.games {
                let difference = difference(left_out, kept);
                let (left_out, kept) = (address(left_out), address(kept));
                writeln!(err, "left out {left_out}: {} {kept}{difference}", self.reason)?;
            }
        }
        if !quiet {
            writeln!(err, "{} left out", self.games.len())?;
        }
        Ok(())
    }
}
