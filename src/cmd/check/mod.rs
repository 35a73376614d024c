mod config;
mod format;
mod levels;
mod report;
mod sums;

use super::{
    Failure, Io, Verdict,
    archive::{self, Archive, Part, Share},
    args::{Bar, Color},
    games::Reading,
    input::Unreadable,
    placed::Placed,
};
use crate::{
    explain::{Explanation, pages::Example},
    finding::{self, Finding, Severity},
    notation::{self, Notation},
    record::Record,
    replay::{Replayed, Replayer, RuleOptions},
    rules::OpeningRule,
    source::Source,
};
use config::Config;
use format::Format;
use levels::Asked;
pub(super) use levels::code;
use report::{Report, Wishes};
use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    sync::Arc,
};
pub(super) use sums::Quality;

/// Check that games can be read and are legal
///
/// Reads every game, plays it by the rules and says what is wrong and where: with the line, and for a turn that is not legal
/// what stands against it, on a drawing, and what was probably meant. An error is a text that cannot be read or a turn that
/// is not legal; a warning is a slip that leaves no doubt about the game; a note is worth knowing. `hivekit explain CODE`
/// tells more of each kind. After a bad game the next one follows. Files are read piece by piece, so an archive of any size
/// needs little memory; the findings come in the order of the games. Options can be set in a file `.hivekit.toml` in this
/// folder or one above it, under `[check]`. Exits with 0 if there is no error, 1 if there is one, 2 if some input could
/// not be opened.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit check games.uhp
  hivekit check archive/ -q --format short
  cat *.pgn | hivekit check --strict
  hivekit check --deny result-mismatch --allow unfinished,blanks archive/
  hivekit check --summary --stats archive/
  hivekit check --format json archive/ | jq .summary
  hivekit check --format sarif archive/ > findings.sarif")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// Let nothing pass: the tournament opening holds, and whatever a strict reader would refuse is an error
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    asked: Asked,
    /// How to write the findings [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write no more than so many findings; all are counted
    #[arg(long, value_name = "N")]
    max_findings: Option<usize>,
    /// Write no findings, but a table of them by code
    #[arg(long, conflicts_with = "format")]
    summary: bool,
    /// Tell on standard error how fast it went
    #[arg(long)]
    stats: bool,
    /// Do not look for a file of settings
    #[arg(long)]
    no_config: bool,
    /// Print the settings, from the file and the command line, and do nothing else
    #[arg(long)]
    show_config: bool,
    #[command(flatten)]
    share: Share,
    #[command(flatten)]
    color: Color,
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
    /// How many of them are of another share, and were only counted.
    others: usize,
    plies: usize,
    illegal: usize,
    unreadable: usize,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let config = Config::of(args)?;
    if args.show_config {
        io.out.write_all(config.shown()?.as_bytes())?;
        return Ok(Verdict::Clean);
    }
    if args.reading.inputs.is_empty() && io::stdin().is_terminal() {
        let message = "nothing to check: name files or folders, or `-` for standard input";
        return Err(Failure::Input(message.to_owned()));
    }
    let wishes = Wishes {
        format: config.format,
        color: args.color,
        quiet,
        summary: args.summary,
        stats: args.stats,
        most: config.max_findings,
    };
    let mut report = Report::new(wishes, io.out);
    let is_incomplete = {
        let (games, bar) = (args.reading.games(args.share), args.reading.progress.bar());
        check(games, &bar, Checker { config: &config, wishes }, &mut report, io.err)?
    };
    report.finish(io.err)?;
    Ok(match (is_incomplete, report.sums.has_errors()) {
        (true, _) => Verdict::Incomplete,
        (false, true) => Verdict::Findings,
        (false, false) => Verdict::Clean,
    })
}

/// What is wrong with the records, by code, and whether some could not be opened.
pub(super) fn quality(
    reading: &Reading,
    quiet: bool,
    io: &mut Io<'_>,
) -> Result<(bool, Vec<Quality>), Failure> {
    let config = Config::plain(false).with_rules(&reading.rules);
    let wishes = Wishes {
        format: Format::default(),
        color: Color::default(),
        quiet: false,
        summary: true,
        stats: false,
        most: None,
    };
    let (games, bar) = (reading.games(Share::default()), reading.progress.bar());
    let mut nowhere = io::sink();
    let mut report = Report::new(wishes, &mut nowhere);
    let is_incomplete =
        check(games, &bar, Checker { config: &config, wishes }, &mut report, io.err)?;
    if !quiet {
        report.sums.tell(false, io.err)?;
    }
    Ok((is_incomplete, report.sums.shares()))
}

/// What is said of the findings of a code in an example, as a person reads it.
pub(super) fn told(example: &Example, code: &str, color: Color) -> io::Result<String> {
    let source = Source::decode("example", example.bytes.clone());
    let named = notation::named(&example.notation);
    let part = match named.or_else(|| notation::detect(source.text())) {
        Some(notation) => {
            let input = Arc::default();
            Part::Games { source, notation, is_first: true, is_mine: true, input }
        }
        None => Part::Unknown(source),
    };
    let config = Config::plain(example.command.contains("--strict"));
    let mut replayer = Replayer::new(config.options());
    let wishes = Wishes {
        format: Format::Text,
        color,
        quiet: false,
        summary: false,
        stats: false,
        most: None,
    };
    let mut out = Vec::new();
    if let Done::Checked(checked) = (Checker { config: &config, wishes }).work(&mut replayer, part)
    {
        let mut writer = wishes.format.open(color);
        for placed in checked.findings.iter().filter(|placed| placed.finding.code == code) {
            writer.finding(&placed.reported(&checked.file, 0), &mut out)?;
        }
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Checks all that was named; whether something could not be opened.
fn check(
    games: Archive<'_>,
    bar: &Bar,
    checker: Checker<'_>,
    report: &mut Report<'_>,
    err: &mut dyn io::Write,
) -> io::Result<bool> {
    let (mut is_incomplete, mut games_before, mut was_repaired) = (false, 0, false);
    games.each(
        || Replayer::new(checker.config.options()),
        |replayer, part| checker.work(replayer, part),
        |done| match done {
            Done::Skipped(path) => {
                report.sums.summary.skipped.add(path);
                Ok(())
            }
            Done::Unreadable(unreadable) => {
                is_incomplete = true;
                report.sums.summary.unreadable_files += 1;
                bar.suspend(|| writeln!(err, "hivekit: {unreadable}"))
            }
            Done::Checked(checked) => {
                let summary = &mut report.sums.summary;
                if checked.is_first {
                    (games_before, was_repaired) = (0, false);
                    summary.files += 1;
                }
                let games = games_before;
                games_before += checked.games;
                summary.games += checked.games - checked.others;
                summary.plies += checked.plies;
                summary.illegal_games += checked.illegal;
                summary.unreadable_games += checked.unreadable;
                bar.tell(summary.files, summary.games);
                for placed in checked.findings {
                    // Once is enough for a file.
                    let is_encoding = placed.finding.code == finding::ENCODING.name;
                    if is_encoding && std::mem::replace(&mut was_repaired, true) {
                        continue;
                    }
                    bar.suspend_for_output(|| report.finding(&checked.file, games, &placed))?;
                }
                Ok(())
            }
        },
    )?;
    bar.clear();
    Ok(is_incomplete)
}

impl Config {
    fn options(&self) -> RuleOptions {
        let opening = if self.strict { OpeningRule::Tournament } else { OpeningRule::Any };
        self.rules.options(opening)
    }
}

/// How games are checked.
#[derive(Clone, Copy)]
struct Checker<'a> {
    config: &'a Config,
    wishes: Wishes,
}

impl Checker<'_> {
    /// Checks one part.
    fn work(self, replayer: &mut Replayer, part: Part) -> Done {
        match part {
            Part::Skipped(path) => Done::Skipped(path),
            Part::Unreadable(unreadable) => Done::Unreadable(unreadable),
            Part::Unknown(source) | Part::Positions { source, .. } => {
                let mut checked = Checked::of(&source, true);
                checked.add(self, &source, None, archive::unknown(&source), None);
                Done::Checked(checked)
            }
            Part::Games { source, notation, is_first, is_mine: false, .. } => {
                let others = notation.read(&source).count();
                let checked = Checked::of(&source, is_first);
                Done::Checked(Checked { games: others, others, ..checked })
            }
            Part::Games { source, notation, is_first, .. } => {
                let mut checked = Checked::of(&source, is_first);
                checked.games(self, &source, notation, replayer);
                Done::Checked(checked)
            }
        }
    }

    /// What else there is to say of the turn that is not legal.
    fn explanation(
        self,
        replayer: &mut Replayer,
        record: &Record,
        replayed: &Replayed,
    ) -> Option<Explanation> {
        let attempt = replayed.attempt.as_ref().filter(|_| self.wishes.are_long())?;
        Some(Explanation::of(replayer, record, attempt))
    }
}

impl Checked {
    fn of(source: &Source, is_first: bool) -> Checked {
        Checked { file: source.name().to_owned(), is_first, ..Checked::default() }
    }

    /// Checks all games of a piece.
    fn games(
        &mut self,
        checker: Checker<'_>,
        source: &Source,
        notation: &dyn Notation,
        replayer: &mut Replayer,
    ) {
        if let Some(finding) = archive::repaired(source) {
            self.add(checker, source, None, finding, None);
        }
        for record in notation.read(source) {
            self.games += 1;
            let mut explanation = None;
            let mut findings = match record {
                Err(finding) => {
                    self.unreadable += 1;
                    vec![finding]
                }
                Ok(mut record) => {
                    let replayed = replayer.replay(&record);
                    explanation = checker.explanation(replayer, &record, &replayed);
                    self.plies += replayed.game.turns().len();
                    self.illegal += usize::from(replayed.fault.is_some());
                    let mut findings = std::mem::take(&mut record.findings);
                    findings.extend(replayed.findings);
                    findings.extend(replayed.fault);
                    findings
                }
            };
            // The fault is the last one.
            let fault = explanation.as_ref().and(findings.len().checked_sub(1));
            let mut findings: Vec<_> = findings.drain(..).enumerate().collect();
            findings.sort_by_key(|(_, finding)| (finding.span.start, finding.severity));
            for (at, finding) in findings {
                let explanation = if fault == Some(at) { explanation.take() } else { None };
                self.add(checker, source, Some(self.games), finding, explanation);
            }
        }
    }

    fn add(
        &mut self,
        checker: Checker<'_>,
        source: &Source,
        game: Option<usize>,
        mut finding: Finding,
        explanation: Option<Explanation>,
    ) {
        if checker.config.strict && finding.is_leniency {
            finding.severity = Severity::Error;
        }
        let Some(finding) = checker.config.levels.judge(finding) else { return };
        let is_told = checker.wishes.are_long() && checker.wishes.are_for(&finding);
        let mut placed = Placed::new(source, game, finding);
        if is_told {
            placed = placed.with_excerpt(source).explained(explanation.unwrap_or_default());
        }
        self.findings.push(placed);
    }
}
