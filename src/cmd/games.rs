//! The proven games of archives, and positions, one after the other, for commands that ask something of each. One that
//! cannot be read or is not legal is told on standard error, and the others go on.
use super::{
    Verdict,
    archive::{self, Archive, Part, Share, Skipped},
    args::{Bar, From, Jobs, Progress, Rules},
    content::{self, Content, Found},
    input::{Inputs, Unreadable},
    placed::Placed,
};
use crate::{
    finding::Finding,
    game::Game,
    record::Record,
    replay::{Replayed, Replayer, RuleOptions},
    rules::{OpeningRule, Position},
    source::Source,
};
use std::{
    io::{self, Write},
    ops::Range,
    path::PathBuf,
};

/// What is read, and how.
#[derive(clap::Args, Debug)]
pub(super) struct Reading {
    #[command(flatten)]
    pub(super) inputs: Inputs,
    #[command(flatten)]
    pub(super) from: From,
    #[command(flatten)]
    pub(super) rules: Rules,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    pub(super) progress: Progress,
}

impl Reading {
    /// A share of all games that are read.
    pub(super) fn games(&self, share: Share) -> Archive<'_> {
        Archive { share, ..self.archive(false) }
    }

    fn archive(&self, takes_positions: bool) -> Archive<'_> {
        let games = Archive::of_games(&self.inputs, &self.from, self.jobs);
        Archive { takes_positions, ..games }
    }

    /// The rules that games are held to: any opening, if nothing else is asked.
    pub(super) fn options(&self) -> RuleOptions {
        self.rules.options(OpeningRule::Any)
    }
}

/// A game or a position, with where it stands.
pub(super) struct Candidate<'a> {
    /// None if it is a position.
    pub(super) game: Option<&'a Game>,
    /// The last position, from which all turns can be taken back.
    pub(super) position: &'a mut Position,
    pub(super) source: &'a Source,
    pub(super) span: Range<usize>,
    pub(super) content: Content,
}

impl Candidate<'_> {
    /// The game as it stands in its source.
    pub(super) fn text(&self) -> &str {
        self.source.text().get(self.span.clone()).unwrap_or_default().trim()
    }

    /// Where in its file it begins, in bytes from 0.
    pub(super) fn offset(&self) -> usize {
        self.source.byte(self.span.start)
    }

    /// The line of its file on which it begins, from 1.
    pub(super) fn line(&self) -> usize {
        self.source.place(self.span.start).line
    }
}

/// What came of the games of a part of a file.
pub(super) struct Batch<R> {
    pub(super) file: String,
    pub(super) content: Content,
    /// Whether it is the first part of its file.
    pub(super) is_first: bool,
    /// The number of each game in its file, from 1, with what came of it, if anything did.
    pub(super) results: Vec<(usize, R)>,
    games: usize,
    faults: Vec<Placed>,
}

/// What a run is stopped with when nothing more is wanted.
#[derive(Debug)]
struct Enough;

impl std::fmt::Display for Enough {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("nothing more is wanted")
    }
}

impl std::error::Error for Enough {}

/// Stops [`Run::each`] without an error.
pub(super) fn enough() -> io::Error {
    io::Error::other(Enough)
}

enum Done<R> {
    Batch(Batch<R>),
    Unreadable(Unreadable),
    Skipped(PathBuf),
    /// Nothing is in the file.
    Empty(String),
}

/// How a run over an archive went.
pub(super) struct Run<'a> {
    reading: &'a Reading,
    bar: Bar,
    pub(super) err: &'a mut dyn Write,
    pub(super) verdict: Verdict,
    files: usize,
    games: usize,
    /// How many of them could not be read or are not legal.
    faults: usize,
    /// The games of the present file that came in earlier parts.
    games_before: usize,
    quiet: bool,
    skipped: Skipped,
}

impl<'a> Run<'a> {
    pub(super) fn new(reading: &'a Reading, quiet: bool, err: &'a mut dyn Write) -> Run<'a> {
        Run {
            reading,
            bar: reading.progress.bar(),
            err,
            verdict: Verdict::Clean,
            files: 0,
            games: 0,
            faults: 0,
            games_before: 0,
            quiet,
            skipped: Skipped::default(),
        }
    }

    /// How the run went for a command that has to do with all games: worse if some are bad.
    pub(super) fn verdict_of_all(&self) -> Verdict {
        let bad = if self.faults > 0 { Verdict::Findings } else { Verdict::Clean };
        self.verdict.max(bad)
    }

    /// Asks something of each game, on several threads, and hands what came of it to `take`, in the order of the archive.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `take`.
    pub(super) fn each_game<R: Send>(
        &mut self,
        ask: impl Fn(&Game, &mut Candidate<'_>) -> Option<R> + Sync,
        take: impl FnMut(Batch<R>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.each_game_of(Share::default(), ask, take)
    }

    /// The same for the games of a share of the archive.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `take`.
    pub(super) fn each_game_of<R: Send>(
        &mut self,
        share: Share,
        ask: impl Fn(&Game, &mut Candidate<'_>) -> Option<R> + Sync,
        take: impl FnMut(Batch<R>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.run(
            self.reading.games(share),
            |candidate| candidate.game.and_then(|game| ask(game, candidate)),
            take,
        )
    }

    /// The same for games and positions.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `take`.
    pub(super) fn each<R: Send>(
        &mut self,
        ask: impl Fn(&mut Candidate<'_>) -> Option<R> + Sync,
        take: impl FnMut(Batch<R>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.run(self.reading.archive(true), ask, take)
    }

    fn run<R: Send>(
        &mut self,
        archive: Archive<'_>,
        ask: impl Fn(&mut Candidate<'_>) -> Option<R> + Sync,
        mut take: impl FnMut(Batch<R>) -> io::Result<()>,
    ) -> io::Result<()> {
        let options = self.reading.options();
        let run = archive.each(
            || Replayer::new(options),
            |replayer, part| work(&ask, replayer, options, part),
            |done| match done {
                Done::Skipped(path) => {
                    self.skipped.add(path);
                    Ok(())
                }
                Done::Empty(file) => {
                    let Run { bar, err, .. } = self;
                    bar.suspend(|| writeln!(err, "hivekit: {file}: nothing is in it"))
                }
                Done::Unreadable(unreadable) => {
                    self.verdict = Verdict::Incomplete;
                    let Run { bar, err, .. } = self;
                    bar.suspend(|| writeln!(err, "hivekit: {unreadable}"))
                }
                Done::Batch(batch) => {
                    let batch = self.count(batch)?;
                    let bar = &self.bar;
                    bar.suspend_for_output(|| take(batch))?;
                    bar.tell(self.files, self.games);
                    Ok(())
                }
            },
        );
        self.bar.clear();
        if !self.quiet {
            self.skipped.tell(self.err)?;
        }
        let has_enough = |error: &io::Error| {
            error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Enough>)
        };
        run.or_else(|error| if has_enough(&error) { Ok(()) } else { Err(error) })
    }

    /// Tells the faults of a part, and numbers its games as they stand in their file.
    fn count<R>(&mut self, mut batch: Batch<R>) -> io::Result<Batch<R>> {
        if batch.is_first {
            self.files += 1;
            self.games_before = 0;
        }
        let Run { bar, err, games_before, .. } = self;
        for placed in &batch.faults {
            let reported = placed.reported(&batch.file, *games_before);
            bar.suspend(|| writeln!(err, "{reported}"))?;
        }
        batch.results.iter_mut().for_each(|(number, _)| *number += *games_before);
        self.games_before += batch.games;
        self.games += batch.games;
        self.faults += batch.faults.len();
        Ok(batch)
    }
}

fn work<R>(
    ask: &impl Fn(&mut Candidate<'_>) -> Option<R>,
    replayer: &mut Replayer,
    options: RuleOptions,
    part: Part,
) -> Done<R> {
    match part {
        Part::Skipped(path) => Done::Skipped(path),
        Part::Unreadable(unreadable) => Done::Unreadable(unreadable),
        Part::Unknown(source) if source.text().trim().is_empty() => {
            Done::Empty(source.name().to_owned())
        }
        Part::Unknown(source) => {
            let unknown = archive::unknown(&source);
            let error = io::Error::other(unknown.message);
            Done::Unreadable(Unreadable { path: source.name().into(), error })
        }
        Part::Games { source, notation, is_first, is_mine, .. } => {
            let mut batch = Batch::new(&source, Content::Games(notation), is_first);
            if !is_mine {
                batch.games = notation.read(&source).count();
                return Done::Batch(batch);
            }
            for record in notation.read(&source) {
                batch.games += 1;
                batch.take(ask, replayer, &source, record);
            }
            Done::Batch(batch)
        }
        Part::Positions { source, form, is_first } => {
            let mut batch = Batch::new(&source, Content::Positions(form), is_first);
            for found in content::positions(&source, form, options.rules) {
                batch.games += 1;
                batch.take_position(ask, &source, found);
            }
            Done::Batch(batch)
        }
    }
}

impl<R> Batch<R> {
    fn new(source: &Source, content: Content, is_first: bool) -> Batch<R> {
        let file = source.name().to_owned();
        Batch { file, content, is_first, results: Vec::new(), games: 0, faults: Vec::new() }
    }

    fn take_position(
        &mut self,
        ask: &impl Fn(&mut Candidate<'_>) -> Option<R>,
        source: &Source,
        Found { span, position }: Found,
    ) {
        match position {
            Ok(mut position) => {
                let mut candidate = Candidate {
                    game: None,
                    position: &mut position,
                    source,
                    span,
                    content: self.content,
                };
                let result = ask(&mut candidate);
                self.results.extend(result.map(|result| (self.games, result)));
            }
            Err(error) => {
                self.faults.push(Placed::new(source, Some(self.games), error.finding(span)));
            }
        }
    }

    fn take(
        &mut self,
        ask: &impl Fn(&mut Candidate<'_>) -> Option<R>,
        replayer: &mut Replayer,
        source: &Source,
        record: Result<Record, Finding>,
    ) {
        let fault = match record {
            Err(fault) => Some(fault),
            Ok(record) => {
                let Replayed { game, fault, .. } = replayer.replay(&record);
                if fault.is_none() {
                    let span = record.span;
                    let position = replayer.position();
                    let content = self.content;
                    let mut candidate =
                        Candidate { game: Some(&game), position, source, span, content };
                    let result = ask(&mut candidate);
                    self.results.extend(result.map(|result| (self.games, result)));
                }
                fault
            }
        };
        let placed = fault.map(|fault| Placed::new(source, Some(self.games), fault));
        self.faults.extend(placed);
    }
}
