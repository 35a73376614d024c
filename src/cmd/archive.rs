//! All games of the files that the user named: read part by part, worked on by several threads, and told
//! in their order. So memory does not grow with the archive.
use super::{
    args::{From, Jobs},
    content::Content,
    input::{Input, Inputs, Stream, Unreadable},
    parallel,
};
use crate::{
    finding::{self, Finding},
    notation::Notation,
    position::{self, Form},
    source::Source,
};
use std::{io, path::PathBuf, str::FromStr, sync::Arc};

/// A part of an archive.
pub(super) enum Part {
    /// Whole games of one file, the first ones of it or not.
    Games {
        source: Source,
        notation: &'static dyn Notation,
        is_first: bool,
        /// Whether they are of the share that is asked for; others are only counted.
        is_mine: bool,
        /// The file that they come from.
        input: Arc<Input>,
    },
    /// A part of one that holds positions.
    Positions { source: Source, form: &'static dyn Form, is_first: bool },
    /// A file that no notation recognises, and that the user named.
    Unknown(Source),
    /// One that he did not name.
    Skipped(PathBuf),
    /// What could not be opened, or not be read to its end.
    Unreadable(Unreadable),
}

/// Files that were passed over: how many, and the names of the first.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    named: Vec<PathBuf>,
    all: usize,
}

/// How many of them are named.
const MOST_SKIPPED: usize = 10;

impl Skipped {
    pub(super) fn add(&mut self, path: PathBuf) {
        self.all += 1;
        if self.named.len() < MOST_SKIPPED {
            self.named.push(path);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.all
    }

    /// Tells which they were.
    pub(super) fn tell(&self, err: &mut dyn io::Write) -> io::Result<()> {
        for path in &self.named {
            writeln!(err, "skipped, in no notation: {}", path.display())?;
        }
        match self.all - self.named.len() {
            0 => Ok(()),
            more => writeln!(err, "skipped, in no notation: {more} more"),
        }
    }
}

/// As their number.
impl serde::Serialize for Skipped {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.all.serialize(serializer)
    }
}

/// What [`Part::Unknown`] means, in words.
pub(super) fn unknown(source: &Source) -> Finding {
    if source.text().trim().is_empty() {
        return Finding::new(&finding::NO_GAMES, 0..0, "nothing is in it");
    }
    if position::detect(source.text()).is_some() {
        let message = "these are positions, and games are wanted";
        return Finding::new(&finding::UNKNOWN_NOTATION, 0..0, message);
    }
    Finding::new(
        &finding::UNKNOWN_NOTATION,
        0..0,
        "no notation that hivekit reads begins like this",
    )
}

/// What is said of a text that is no UTF-8.
pub(super) fn repaired(source: &Source) -> Option<Finding> {
    let (at, encoding) = source.repaired()?;
    let message = format!("the text is no UTF-8 here, and is read as {encoding}");
    Some(Finding::new(&finding::ENCODING, at..at, message))
}

/// An archive, and how it is to be read.
#[derive(Clone, Copy)]
pub(super) struct Archive<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) from: &'a From,
    pub(super) jobs: Jobs,
    /// Whether positions are read, too.
    pub(super) takes_positions: bool,
    /// Which share of it is read, if not all.
    pub(super) share: Share,
}

/// The share of an archive that is read: so several machines can each take one.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(super) struct Share {
    /// Take only a share of the archive: of N shares the Kth, such as 2/3
    #[arg(long, value_name = "K/N")]
    pub(super) shard: Option<Shard>,
    /// What is dealt to the shares
    #[arg(long, value_enum, value_name = "WHAT", default_value = "files", requires = "shard")]
    shard_by: Dealt,
}

/// What is dealt to shares.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Dealt {
    /// Whole files: others are not opened
    #[default]
    Files,
    /// Ranges of about 128 KiB of each file, of whole games: each share reads all of it, and plays only its own games
    Blocks,
}

/// One of several shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// Which one, from 1.
    pub(super) number: usize,
    /// How many there are.
    pub(super) of: usize,
}

impl Shard {
    /// As a part of the name of a file.
    pub(super) fn name(self) -> String {
        format!("{}-of-{}", self.number, self.of)
    }

    /// Whether a file or block belongs to it, which is counted from 0.
    fn has(self, place: usize) -> bool {
        place % self.of + 1 == self.number
    }
}

impl Share {
    /// What is dealt, in a word.
    pub(super) fn dealt(self) -> &'static str {
        match self.shard_by {
            Dealt::Files => "files",
            Dealt::Blocks => "blocks",
        }
    }

    fn has(self, what: Dealt, place: usize) -> bool {
        self.shard_by != what || self.shard.is_none_or(|shard| shard.has(place))
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let shard = text.split_once('/').and_then(|(number, of)| {
            Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        let shard = shard.filter(|shard| (1..=shard.of).contains(&shard.number));
        shard.ok_or_else(|| "expected K/N, such as 1/3, with K from 1 to N".to_owned())
    }
}

impl<'a> Archive<'a> {
    /// All games.
    pub(super) fn of_games(inputs: &'a Inputs, from: &'a From, jobs: Jobs) -> Archive<'a> {
        Archive { inputs, from, jobs, takes_positions: false, share: Share::default() }
    }

    /// Does `work` on each part, on several threads with a `state` each, and hands what came of it to
    /// `done` in the order of the archive.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `done`.
    pub(super) fn each<R: Send, S>(
        self,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, Part) -> R + Sync,
        done: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<()> {
        parallel::in_order(self.jobs.count(), |feed| self.produce(feed), state, work, done)
    }

    /// Reads everything and hands out its parts, until nobody wants more.
    fn produce(self, feed: &mut dyn FnMut(Part) -> bool) {
        let (mut files, mut blocks) = (0, 0);
        self.inputs.each(&mut |input, stream| {
            let is_mine = self.share.has(Dealt::Files, files);
            files += 1;
            match stream {
                _ if !is_mine => true,
                Err(unreadable) => feed(Part::Unreadable(unreadable)),
                Ok(chunks) => self.produce_stream(&Arc::new(input), chunks, &mut blocks, feed),
            }
        });
    }

    /// What a stream holds, of what is wanted.
    fn content_of(self, chunks: &mut Stream<'_>) -> io::Result<Option<Content>> {
        let content = Content::of(self.from, chunks)?;
        let is_wanted =
            |content: &Content| self.takes_positions || matches!(content, Content::Games(_));
        Ok(content.filter(is_wanted))
    }

    fn produce_stream(
        self,
        input: &Arc<Input>,
        mut chunks: Stream<'_>,
        blocks: &mut usize,
        feed: &mut dyn FnMut(Part) -> bool,
    ) -> bool {
        let unreadable = |error| Part::Unreadable(Unreadable { path: input.path.clone(), error });
        let content = match self.content_of(&mut chunks) {
            Ok(Some(content)) => content,
            Ok(None) if !input.is_named => return feed(Part::Skipped(input.path.clone())),
            Ok(None) => return feed(Part::Unknown(chunks.head())),
            Err(error) => return feed(unreadable(error)),
        };
        let mut is_first = true;
        loop {
            let part = match (chunks.next(content), content) {
                (Ok(None), _) => return true,
                (Ok(Some(source)), Content::Games(notation)) => {
                    let is_mine = self.share.has(Dealt::Blocks, *blocks);
                    *blocks += 1;
                    Part::Games { source, notation, is_first, is_mine, input: Arc::clone(input) }
                }
                (Ok(Some(source)), Content::Positions(form)) => {
                    Part::Positions { source, form, is_first }
                }
                (Err(error), _) => unreadable(error),
            };
            let is_broken = matches!(part, Part::Unreadable(_));
            if !feed(part) {
                return false;
            }
            if is_broken {
                return true;
            }
            is_first = false;
        }
    }
}
