use super::{
    Failure, Io, Verdict,
    address::sentence,
    args::{From, Rules},
    input,
};
use crate::{
    notation::{self, Loss, Notation},
    replay::Replayer,
    rules::OpeningRule,
    source::Source,
};
use clap::builder::PossibleValuesParser;
use std::{collections::BTreeMap, path::PathBuf};

/// Write games in another notation
///
/// Every game is proven before it is written: one that cannot be read or is not legal is told on standard
/// error, the others follow, and the exit code is 1. What the notation cannot say is told once.
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
}

fn writable() -> impl Iterator<Item = &'static str> {
    notation::ALL.iter().filter(|notation| notation.can_write()).map(|notation| notation.name())
}

/// A conversion on its way.
struct Converter<'a> {
    args: &'a Args,
    to: &'static dyn Notation,
    replayer: Replayer,
    written: usize,
    losses: BTreeMap<Loss, usize>,
    verdict: Verdict,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let to = notation::named(&args.to)
        .ok_or_else(|| Failure::Input(format!("no notation is named `{}`", args.to)))?;
    let mut converter = Converter {
        args,
        to,
        replayer: Replayer::new(args.rules.options(OpeningRule::Any)),
        written: 0,
        losses: BTreeMap::new(),
        verdict: Verdict::Clean,
    };
    for input in input::files(&args.paths) {
        let source = input.and_then(|input| {
            let is_named = input::is_named(&args.paths, &input.path);
            input.read().map(|source| (source, is_named))
        });
        match source {
            Ok((source, is_named)) => converter.source(&source, is_named, io)?,
            Err(unreadable) => {
                converter.verdict = Verdict::Incomplete;
                writeln!(io.err, "hivekit: {unreadable}")?;
            }
        }
    }
    io.out.flush()?;
    if !quiet {
        for (loss, games) in &converter.losses {
            let games = if *games == 1 { "1 game".to_owned() } else { format!("{games} games") };
            writeln!(io.err, "lost in {}: {loss} of {games}", to.name())?;
        }
    }
    Ok(converter.verdict)
}

impl Converter<'_> {
    fn source(&mut self, source: &Source, is_named: bool, io: &mut Io<'_>) -> Result<(), Failure> {
        let Some(from) = self.args.from.notation_of(source) else {
            if is_named && !source.text().trim().is_empty() {
                self.fail(
                    io,
                    &format!("{}: no notation that hivekit reads begins like this", source.name()),
                )?;
            }
            return Ok(());
        };
        for (number, record) in (1..).zip(from.read(source)) {
            let replayed = match record {
                Ok(record) => self.replayer.replay(&record),
                Err(finding) => {
                    self.fail(
                        io,
                        &format!("game {number} is left out: {}", sentence(source, &finding)),
                    )?;
                    continue;
                }
            };
            if let Some(fault) = replayed.fault {
                self.fail(io, &format!("game {number} is left out: {}", sentence(source, &fault)))?;
                continue;
            }
            if self.written > 0 {
                write!(io.out, "{}", self.to.separator())?;
            }
            self.written += 1;
            let unread = replayed.game.unread();
            let unread = [(unread.comments, Loss::Comments), (unread.clocks, Loss::Clocks)];
            let unread = unread.into_iter().filter(|(is_there, _)| *is_there).map(|(_, loss)| loss);
            let unsaid = self.to.write(&replayed.game, io.out)?;
            for loss in unsaid.into_iter().chain(unread) {
                *self.losses.entry(loss).or_default() += 1;
            }
        }
        Ok(())
    }

    fn fail(&mut self, io: &mut Io<'_>, message: &str) -> Result<(), Failure> {
        if self.verdict == Verdict::Clean {
            self.verdict = Verdict::Findings;
        }
        Ok(writeln!(io.err, "hivekit: {message}")?)
    }
}
