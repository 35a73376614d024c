//! Counting an archive, or a part of it, or adding up parts.
use crate::{
    cmd::{
        Failure, Io, Verdict,
        archive::Share,
        criteria::Criteria,
        games::{Candidate, Reading, Run},
    },
    course::{Course, Wants},
    game::Game,
    query::Facts,
    stats::{Counted, Extent, Groups, Key, Metric, Partial, View},
};
use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

/// Which games are counted, and in how many parts.
#[derive(clap::Args, Debug)]
pub(super) struct Counting {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    share: Share,
    /// Write the sums themselves, as JSON, to be combined with those of other shares by --merge
    #[arg(long, conflicts_with = "merge")]
    partial: bool,
    /// Combine the sums in these files, and read no games: what comes is the same as of all games at once. Which games they
    /// are, and in which groups, was said when they were written
    #[arg(long, value_name = "PART", num_args = 1.., conflicts_with_all = ["shard", "paths", "Criteria", "Rules"])]
    merge: Vec<PathBuf>,
    #[command(flatten)]
    criteria: Criteria,
}

/// What is to be counted.
pub(super) struct Asked {
    /// The lists of keys by which games are grouped.
    pub(super) keys: Vec<Vec<Key>>,
    /// Whether parts by any other keys can be shown, too.
    pub(super) is_any: bool,
    pub(super) metrics: Vec<&'static Metric>,
}

impl Asked {
    fn wants(&self) -> Wants {
        let metrics = self.metrics.iter().map(|metric| metric.wants);
        let keys = self.keys.iter().flatten().map(Key::wants);
        metrics.chain(keys).fold(Wants::NOTHING, Wants::and)
    }

    /// Refuses parts of another report; any list of keys is right where none is asked for.
    fn check(&self, partial: &Partial) -> Result<(), Failure> {
        let keys = partial.groupings.iter().map(|(keys, _)| keys);
        if self.is_any || keys.eq(&self.keys) {
            return Ok(());
        }
        let by = |keys: &Vec<Key>| keys.iter().map(Key::spelled).collect::<Vec<_>>().join(",");
        let lists = partial.groupings.iter().map(|(keys, _)| by(keys)).collect::<Vec<_>>();
        Err(Failure::Input(match &lists[..] {
            [keys] => format!("these parts are of another report: they are by {keys}"),
            _ => "these parts are of the overview".to_owned(),
        }))
    }
}

/// Tells what is not in the sums.
fn tell_missing(extent: &Extent, err: &mut dyn Write) -> io::Result<Verdict> {
    let missing: Vec<String> = extent.missing().iter().map(usize::to_string).collect();
    if !missing.is_empty() {
        let count = extent.divided.as_ref().map_or(0, |(count, _)| *count);
        writeln!(err, "hivekit: of {count} shares there are missing: {}", missing.join(", "))?;
    }
    if extent.is_incomplete {
        writeln!(err, "hivekit: when the parts were written, something could not be read")?;
    }
    let is_whole = missing.is_empty() && !extent.is_incomplete;
    Ok(if is_whole { Verdict::Clean } else { Verdict::Incomplete })
}

impl Counting {
    /// Whether parts are combined.
    pub(super) fn merges(&self) -> bool {
        !self.merge.is_empty()
    }

    /// Whether a part is written, that is shown later.
    pub(super) fn is_partial(&self) -> bool {
        self.partial
    }

    /// Counts, and shows the sums with `show`, or writes them as a part.
    ///
    /// # Errors
    ///
    /// Fails where parts cannot be read or are of different reports, and as `show` does.
    pub(super) fn run(
        &self,
        asked: &Asked,
        quiet: bool,
        io: &mut Io<'_>,
        show: impl FnOnce(&Partial, &mut dyn Write) -> Result<(), Failure>,
    ) -> Result<Verdict, Failure> {
        if !self.merge.is_empty() {
            let partial = self.merged()?;
            asked.check(&partial)?;
            show(&partial, io.out)?;
            io.out.flush()?;
            return Ok(tell_missing(&partial.extent, io.err)?);
        }
        let Io { out, err } = io;
        let mut run = Run::new(&self.reading, quiet, *err);
        let mut partial = self.count(asked, &mut run)?;
        if self.partial {
            partial.extent = self.extent(run.verdict == Verdict::Incomplete);
            out.write_all(partial.write().as_bytes())?;
        } else {
            show(&partial, *out)?;
        }
        Ok(run.verdict_of_all())
    }

    /// Which games are counted.
    fn extent(&self, is_incomplete: bool) -> Extent {
        Extent {
            games: format!("{:?} {:?}", self.criteria.query(), self.reading.options()),
            divided: self.share.shard.map(|shard| (shard.of, self.share.dealt().to_owned())),
            shares: self.share.shard.map(|shard| shard.number).into_iter().collect(),
            is_incomplete,
        }
    }

    /// The sums of all parts together.
    fn merged(&self) -> Result<Partial, Failure> {
        let mut all: Option<Partial> = None;
        for path in &self.merge {
            let wrong = |why: String| Failure::Input(format!("{}: {why}", path.display()));
            let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
            let part = Partial::read(&text).map_err(|error| wrong(error.to_string()))?;
            match &mut all {
                Some(all) => all.merge(part).map_err(|error| wrong(error.to_string()))?,
                None => all = Some(part),
            }
        }
        Ok(all.unwrap_or_default())
    }

    /// Counts all games.
    fn count(&self, asked: &Asked, run: &mut Run<'_>) -> Result<Partial, Failure> {
        let (query, wants) = (self.criteria.query(), asked.wants());
        let mut all = Partial::new(asked.metrics.clone(), asked.keys.clone());
        let ask = |game: &Game, candidate: &mut Candidate<'_>| {
            if !query.holds(&mut Facts { game: Some(game), position: candidate.position }) {
                return None;
            }
            let course = Course::of(game, candidate.position, wants);
            let (file, notation) = (candidate.source.name(), candidate.content.name());
            let view = View::of(game, &course, file, notation);
            let counted = Counted::of(&asked.metrics, view);
            let count = |keys: &Vec<Key>| {
                let mut groups = Groups::default();
                groups.add(keys, &counted);
                groups
            };
            Some(asked.keys.iter().map(count).collect::<Vec<_>>())
        };
        run.each_game_of(self.share, ask, |batch| {
            for (_, counted) in batch.results {
                let groupings = all.groupings.iter_mut().zip(counted);
                groupings.for_each(|((_, all), one)| all.merge(one));
            }
            Ok(())
        })?;
        Ok(all)
    }
}
