use super::{
    Failure, Io, Verdict,
    address::sentence,
    archive::{self, Archive, Part},
    args::{From, Jobs, Progress, Rules},
    input::Unreadable,
};
use crate::{
    finding::Finding,
    notation::{self, Notation, Part as Lost, Style},
    record::Record,
    replay::{Replayed, Replayer},
    rules::OpeningRule,
};
use clap::builder::PossibleValuesParser;
use std::{collections::BTreeMap, path::PathBuf};

/// Write games in another notation
///
/// Every game is proven before it is written: one that cannot be read or is not legal is told on standard
/// error, the others follow, and the exit code is 1. What the notation cannot say is told once. Archives of any
/// size are read piece by piece, and the games come out in their order.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit convert --to uhp archive/*.sgf > archive.uhp
  hivekit convert --to pgn game.uhp
  cat game.pgn | hivekit convert --to uhp")]
pub(super) struct Args {
    /// Files, folders with all that is below them, or `-` for standard input
    #[arg(value_name = "PATH", default_value = "-")]
    paths: Vec<PathBuf>,
    /// The notation to write
    #[arg(long, value_name = "NOTATION", value_parser = PossibleValuesParser::new(writable()))]
    to: String,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    progress: Progress,
}

fn writable() -> impl Iterator<Item = &'static str> {
    notation::ALL.iter().map(|notation| notation.name())
}

/// What came of a part.
enum Done {
    Converted(Converted),
    Skipped,
    Unreadable(Unreadable),
}

/// The games of a part, written anew.
#[derive(Default)]
struct Converted {
    is_first: bool,
    /// How many games were read.
    games: usize,
    /// How many were written.
    written: usize,
    text: Vec<u8>,
    /// What could not be written, and why: with the number of the game in the part, from 1.
    left_out: Vec<(Option<usize>, String)>,
    losses: BTreeMap<Lost, usize>,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let to = notation::named(&args.to)
        .ok_or_else(|| Failure::Input(format!("no notation is named `{}`", args.to)))?;
    let archive = Archive { paths: &args.paths, from: &args.from, jobs: args.jobs };
    let mut total = Total::default();
    let bar = args.progress.bar();
    archive.each(
        || Replayer::new(args.rules.options(OpeningRule::Any)),
        |replayer, part| work(to, replayer, part),
        |done| {
            match done {
                Done::Skipped => {}
                Done::Unreadable(unreadable) => {
                    total.verdict = Verdict::Incomplete;
                    bar.suspend(|| writeln!(io.err, "hivekit: {unreadable}"))?;
                }
                Done::Converted(converted) => {
                    bar.suspend(|| total.add(converted, to, io))?;
                }
            }
            bar.tell(total.files, total.games);
            Ok(())
        },
    )?;
    bar.clear();
    io.out.flush()?;
    if !quiet {
        total.tell_losses(to, io)?;
    }
    Ok(total.verdict)
}

/// Writes the games of one part anew.
fn work(to: &'static dyn Notation, replayer: &mut Replayer, part: Part) -> Done {
    match part {
        Part::Skipped(_) => Done::Skipped,
        Part::Unreadable(unreadable) => Done::Unreadable(unreadable),
        Part::Unknown(source) => {
            let message = format!("{}: {}", source.name(), archive::UNKNOWN);
            let left_out = vec![(None, message)];
            Done::Converted(Converted { is_first: true, left_out, ..Converted::default() })
        }
        Part::Games { source, notation, is_first } => {
            let mut converted = Converted { is_first, ..Converted::default() };
            for record in notation.read(&source) {
                converted.games += 1;
                let number = converted.games;
                if let Err(finding) = converted.add(record, to, replayer) {
                    converted.left_out.push((Some(number), sentence(&source, &finding)));
                }
            }
            Done::Converted(converted)
        }
    }
}

impl Converted {
    /// Writes one game, unless it cannot be read or is not legal.
    fn add(
        &mut self,
        record: Result<Record, Finding>,
        to: &dyn Notation,
        replayer: &mut Replayer,
    ) -> Result<(), Finding> {
        let Replayed { game, fault, .. } = replayer.replay(&record?);
        if let Some(fault) = fault {
            return Err(fault);
        }
        if self.written > 0 {
            self.text.extend(to.separator().bytes());
        }
        self.written += 1;
        let Ok(unsaid) = to.write(&game, Style::default(), &mut self.text) else {
            unreachable!("memory takes whatever is written")
        };
        for loss in unsaid {
            *self.losses.entry(loss).or_default() += 1;
        }
        Ok(())
    }
}

/// What has come of the archive so far.
#[derive(Default)]
struct Total {
    files: usize,
    games: usize,
    /// The games of the present file that came in earlier parts.
    games_before: usize,
    written: usize,
    losses: BTreeMap<Lost, usize>,
    verdict: Verdict,
}

impl Total {
    fn add(
        &mut self,
        converted: Converted,
        to: &dyn Notation,
        io: &mut Io<'_>,
    ) -> std::io::Result<()> {
        if converted.is_first {
            self.files += 1;
            self.games_before = 0;
        }
        if self.written > 0 && converted.written > 0 {
            write!(io.out, "{}", to.separator())?;
        }
        io.out.write_all(&converted.text)?;
        if !converted.left_out.is_empty() && self.verdict == Verdict::Clean {
            self.verdict = Verdict::Findings;
        }
        for (number, why) in converted.left_out {
            match number.map(|number| number + self.games_before) {
                Some(number) => writeln!(io.err, "hivekit: game {number} is left out: {why}")?,
                None => writeln!(io.err, "hivekit: {why}")?,
            }
        }
        self.games += converted.games;
        self.games_before += converted.games;
        self.written += converted.written;
        for (loss, games) in converted.losses {
            *self.losses.entry(loss).or_default() += games;
        }
        Ok(())
    }

    fn tell_losses(&self, to: &dyn Notation, io: &mut Io<'_>) -> std::io::Result<()> {
        for (loss, games) in &self.losses {
            let games = if *games == 1 { "1 game".to_owned() } else { format!("{games} games") };
            writeln!(io.err, "lost in {}: {loss} of {games}", to.name())?;
        }
        Ok(())
    }
}
