mod report;

use super::{
    Failure, Io, Verdict,
    archive::{self, Archive, Part},
    args::{From, Jobs, Progress, Rules},
    input::{Inputs, Unreadable},
    placed::Placed,
};
use crate::{
    finding::{self, Finding, Severity},
    notation::Notation,
    replay::{Replayer, RuleOptions},
    rules::OpeningRule,
    source::Source,
};
use report::{Format, Report};
use std::{
    io::{self, IsTerminal},
    path::PathBuf,
};

/// Check that games can be read and are legal
///
/// Reads every game, plays it by the rules and says what is wrong and where, one line a finding.
/// An error is a text that cannot be read or a turn that is not legal; a warning is a slip that
/// leaves no doubt about the game; a note is worth knowing. After a bad game the next one follows. Files are
/// read piece by piece, so an archive of any size needs little memory; the findings come in the order of the
/// games. Exits with 0 if there is no error, 1 if there is one, 2 if some input could not be opened.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit check games.uhp
  hivekit check archive/ -q
  cat *.pgn | hivekit check --strict
  hivekit check --format json archive/ | jq .summary")]
pub(super) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
    /// Let nothing pass: the tournament opening holds, and whatever a strict reader would refuse is an error
    #[arg(long)]
    strict: bool,
    /// How to write the findings
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    progress: Progress,
}

/// What came of a part.
enum Done {
    Checked(Checked),
    Skipped(PathBuf),
    Unreadable(Unreadable),
}

/// What came of some games of a file.
#[derive(Default)]
struct Checked {
    file: String,
    is_first: bool,
    findings: Vec<Placed>,
    games: usize,
    plies: usize,
    illegal: usize,
    unreadable: usize,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    if args.inputs.is_empty() && io::stdin().is_terminal() {
        let message = "nothing to check: name files or folders, or `-` for standard input";
        return Err(Failure::Input(message.to_owned()));
    }
    let mut report = Report::new(args.format, quiet, io.out);
    let (mut is_incomplete, mut games_before, mut was_repaired) = (false, 0, false);
    let bar = args.progress.bar();
    let archive =
        Archive { inputs: &args.inputs, from: &args.from, jobs: args.jobs, takes_positions: false };
    archive.each(
        || Replayer::new(options(args)),
        |replayer, part| work(args, replayer, part),
        |done| match done {
            Done::Skipped(path) => {
                report.skip(path);
                Ok(())
            }
            Done::Unreadable(unreadable) => {
                is_incomplete = true;
                bar.suspend(|| writeln!(io.err, "hivekit: {unreadable}"))
            }
            Done::Checked(checked) => {
                if checked.is_first {
                    (games_before, was_repaired) = (0, false);
                    report.summary.files += 1;
                }
                let games = games_before;
                games_before += checked.games;
                report.summary.games += checked.games;
                report.summary.plies += checked.plies;
                report.summary.illegal_games += checked.illegal;
                report.summary.unreadable_games += checked.unreadable;
                bar.tell(report.summary.files, report.summary.games);
                for placed in checked.findings {
                    // Once is enough for a file.
                    let is_encoding = placed.finding.code == finding::ENCODING.name;
                    if is_encoding && std::mem::replace(&mut was_repaired, true) {
                        continue;
                    }
                    if report.shows(&placed.finding) {
                        bar.suspend_for_output(|| report.finding(&checked.file, games, &placed))?;
                    } else {
                        report.count(&placed.finding);
                    }
                }
                Ok(())
            }
        },
    )?;
    bar.clear();
    report.finish(io.err)?;
    Ok(match (is_incomplete, report.has_errors()) {
        (true, _) => Verdict::Incomplete,
        (false, true) => Verdict::Findings,
        (false, false) => Verdict::Clean,
    })
}

fn options(args: &Args) -> RuleOptions {
    let opening = if args.strict { OpeningRule::Tournament } else { OpeningRule::Any };
    args.rules.options(opening)
}

/// Checks one part.
fn work(args: &Args, replayer: &mut Replayer, part: Part) -> Done {
    match part {
        Part::Skipped(path) => Done::Skipped(path),
        Part::Unreadable(unreadable) => Done::Unreadable(unreadable),
        Part::Unknown(source) | Part::Positions { source, .. } => {
            let mut checked =
                Checked { file: source.name().to_owned(), is_first: true, ..Checked::default() };
            checked.add(args, &source, None, archive::unknown(&source));
            Done::Checked(checked)
        }
        Part::Games { source, notation, is_first, .. } => {
            let mut checked =
                Checked { file: source.name().to_owned(), is_first, ..Checked::default() };
            checked.games(args, &source, notation, replayer);
            Done::Checked(checked)
        }
    }
}

impl Checked {
    /// Checks all games of a piece.
    fn games(
        &mut self,
        args: &Args,
        source: &Source,
        notation: &dyn Notation,
        replayer: &mut Replayer,
    ) {
        if let Some(finding) = archive::repaired(source) {
            self.add(args, source, None, finding);
        }
        for record in notation.read(source) {
            self.games += 1;
            let mut findings = match record {
                Err(finding) => {
                    self.unreadable += 1;
                    vec![finding]
                }
                Ok(mut record) => {
                    let replayed = replayer.replay(&record);
                    self.plies += replayed.game.turns().len();
                    self.illegal += usize::from(replayed.fault.is_some());
                    let mut findings = std::mem::take(&mut record.findings);
                    findings.extend(replayed.findings);
                    findings.extend(replayed.fault);
                    findings
                }
            };
            findings.sort_by_key(|finding| (finding.span.start, finding.severity));
            for finding in findings {
                self.add(args, source, Some(self.games), finding);
            }
        }
    }

    fn add(&mut self, args: &Args, source: &Source, game: Option<usize>, mut finding: Finding) {
        if args.strict && finding.is_leniency {
            finding.severity = Severity::Error;
        }
        self.findings.push(Placed::new(source, game, finding));
    }
}
