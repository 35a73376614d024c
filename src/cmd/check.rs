use super::{
    Failure, Io, Verdict,
    args::{From, Rules},
    input::{self, Input, Unreadable},
};
use crate::{
    finding::{self, Finding, Severity},
    replay::{Replayer, RuleOptions},
    rules::OpeningRule,
    source::Source,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    path::PathBuf,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

/// Check that games can be read and are legal
///
/// Reads every game, plays it by the rules and says what is wrong and where, one line a finding.
/// An error is a text that cannot be read or a turn that is not legal; a warning is a slip that
/// leaves no doubt about the game; a note is worth knowing. After a bad game the next one follows.
/// Exits with 0 if there is no error, 1 if there is one, 2 if some input could not be opened.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit check games.uhp
  hivekit check archive/ -q
  cat *.pgn | hivekit check --strict
  hivekit check --format json archive/ | jq .summary")]
pub(super) struct Args {
    /// Files, folders with all that is below them, or `-` for standard input
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
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
    /// How many files to work on at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// A line for each finding, and a summary on standard error
    Text,
    /// One document with `findings` and `summary`
    Json,
}

/// A finding as it is reported.
#[derive(Clone, Debug, Serialize)]
struct Reported {
    code: &'static str,
    severity: &'static str,
    file: String,
    /// The number of the game in its file, from 1.
    game: Option<usize>,
    ply: Option<usize>,
    line: usize,
    column: usize,
    message: String,
}

/// The sums over all games.
#[derive(Clone, Debug, Default, Serialize)]
struct Summary {
    files: usize,
    skipped_files: usize,
    games: usize,
    plies: usize,
    illegal_games: usize,
    unreadable_games: usize,
    by_code: BTreeMap<&'static str, usize>,
}

/// How many findings there are of each severity; the sums of a run that JSON does not hold.
#[derive(Clone, Copy, Debug, Default)]
struct BySeverity {
    errors: usize,
    warnings: usize,
    notes: usize,
}

/// What came of one file.
#[derive(Debug, Default)]
struct Checked {
    findings: Vec<Reported>,
    summary: Summary,
    by_severity: BySeverity,
    /// The file is in no notation, and nobody named it.
    skipped: Option<PathBuf>,
    unreadable: Option<Unreadable>,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let stdin = [PathBuf::from("-")];
    let paths = match args.paths.as_slice() {
        [] if io::stdin().is_terminal() => {
            let message = "nothing to check: name files or folders, or `-` for standard input";
            return Err(Failure::Input(message.to_owned()));
        }
        [] => &stdin,
        paths => paths,
    };
    let checker = Checker { args };
    let mut report = Report::new(args.format, quiet, io.out);
    let (mut summary, mut totals, mut is_incomplete) =
        (Summary::default(), BySeverity::default(), false);
    let mut skipped = Vec::new();
    checker.all(input::files(paths), |checked| {
        if let Some(unreadable) = checked.unreadable {
            is_incomplete = true;
            writeln!(io.err, "hivekit: {unreadable}")?;
        }
        totals.add(checked.by_severity);
        skipped.extend(checked.skipped.filter(|_| skipped.len() < MOST_SKIPPED));
        summary.add(&checked.summary);
        checked.findings.iter().try_for_each(|finding| report.finding(finding))
    })?;
    report.finish(&summary)?;
    if args.format == Format::Text && !quiet {
        io.out.flush()?;
        tell_end(&summary, totals, &skipped, io.err)?;
    }
    Ok(match (is_incomplete, totals.errors > 0) {
        (true, _) => Verdict::Incomplete,
        (false, true) => Verdict::Findings,
        (false, false) => Verdict::Clean,
    })
}

/// How many skipped files are named.
const MOST_SKIPPED: usize = 10;

/// Tells the sums, and which files were passed over.
fn tell_end(
    summary: &Summary,
    totals: BySeverity,
    skipped: &[PathBuf],
    err: &mut dyn Write,
) -> io::Result<()> {
    writeln!(err, "{summary}")?;
    let BySeverity { errors, warnings, notes } = totals;
    let counts = [
        count(errors, "error", "errors"),
        count(warnings, "warning", "warnings"),
        count(notes, "note", "notes"),
    ];
    writeln!(err, "{}", counts.join(", "))?;
    for (code, number) in &summary.by_code {
        writeln!(err, "{number:>8}  {code}")?;
    }
    for path in skipped {
        writeln!(err, "skipped, in no notation: {}", path.display())?;
    }
    match summary.skipped_files.saturating_sub(skipped.len()) {
        0 => Ok(()),
        more => writeln!(err, "skipped, in no notation: {more} more"),
    }
}

impl BySeverity {
    fn add(&mut self, other: BySeverity) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
    }
}

struct Checker<'a> {
    args: &'a Args,
}

impl Checker<'_> {
    /// Checks all files, several at a time, and hands over what came of them in their order.
    fn all(
        &self,
        inputs: impl Iterator<Item = Result<Input, Unreadable>>,
        mut done: impl FnMut(Checked) -> io::Result<()>,
    ) -> io::Result<()> {
        let inputs: Vec<_> = inputs.collect();
        let processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let jobs = self.args.jobs.map_or_else(processors, usize::from).min(inputs.len().max(1));
        let next = AtomicUsize::new(0);
        // A worker that is ahead waits, so that finished files do not pile up.
        let (sender, receiver) = mpsc::sync_channel(4 * jobs);
        let inputs = &inputs;
        let mut workers = 0;
        thread::scope(|scope| {
            for _ in 0..jobs {
                let (sender, next) = (sender.clone(), &next);
                let work = move || {
                    let mut replayer = Replayer::new(self.options());
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(input) = inputs.get(at) else { break };
                        let checked = self.input(input, &mut replayer);
                        if sender.send((at, checked)).is_err() {
                            break;
                        }
                    }
                };
                // Where the system gives no more threads, those that run do all the work.
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => workers += 1,
                    Err(error) if workers == 0 => return Err(error),
                    Err(_) => break,
                }
            }
            drop(sender);
            in_order(receiver, &mut done)
        })
    }

    fn options(&self) -> RuleOptions {
        let opening = if self.args.strict { OpeningRule::Tournament } else { OpeningRule::Any };
        self.args.rules.options(opening)
    }

    fn input(&self, input: &Result<Input, Unreadable>, replayer: &mut Replayer) -> Checked {
        let mut checked = Checked::default();
        let unreadable = |Unreadable { path, error }: &Unreadable| Unreadable {
            path: path.clone(),
            error: io::Error::new(error.kind(), error.to_string()),
        };
        match input {
            Err(error) => checked.unreadable = Some(unreadable(error)),
            Ok(input) => match input.read() {
                Err(error) => checked.unreadable = Some(error),
                Ok(source) => self.source(&source, input.is_named, replayer, &mut checked),
            },
        }
        checked
    }

    fn source(
        &self,
        source: &Source,
        is_named: bool,
        replayer: &mut Replayer,
        checked: &mut Checked,
    ) {
        let Some(notation) = self.args.from.notation_of(source) else {
            if !is_named {
                checked.summary.skipped_files = 1;
                checked.skipped = Some(PathBuf::from(source.name()));
            } else if !source.text().trim().is_empty() {
                checked.summary.files = 1;
                let message = "no notation that hivekit reads begins like this";
                let finding = Finding::new(&finding::UNKNOWN_NOTATION, 0..0, message);
                self.report(source, None, finding, checked);
            }
            return;
        };
        checked.summary.files = 1;
        if source.was_repaired() {
            let message = "the text is no UTF-8, and is read as Latin-1";
            self.report(source, None, Finding::new(&finding::ENCODING, 0..0, message), checked);
        }
        for (game, record) in (1..).zip(notation.read(source)) {
            checked.summary.games += 1;
            match record {
                Err(finding) => {
                    checked.summary.unreadable_games += 1;
                    self.report(source, Some(game), finding, checked);
                }
                Ok(record) => {
                    let replayed = replayer.replay(&record);
                    checked.summary.plies += replayed.game.turns().len();
                    checked.summary.illegal_games += usize::from(replayed.fault.is_some());
                    let mut findings = record.findings;
                    findings.extend(replayed.findings);
                    findings.extend(replayed.fault);
                    findings.sort_by_key(|finding| (finding.span.start, finding.severity));
                    for finding in findings {
                        self.report(source, Some(game), finding, checked);
                    }
                }
            }
        }
    }

    fn report(
        &self,
        source: &Source,
        game: Option<usize>,
        finding: Finding,
        checked: &mut Checked,
    ) {
        let severity = if self.args.strict && finding.is_leniency {
            Severity::Error
        } else {
            finding.severity
        };
        *match severity {
            Severity::Error => &mut checked.by_severity.errors,
            Severity::Warning => &mut checked.by_severity.warnings,
            Severity::Note => &mut checked.by_severity.notes,
        } += 1;
        *checked.summary.by_code.entry(finding.code).or_default() += 1;
        let place = source.place(finding.span.start);
        let quote = source.quote(finding.span.clone());
        let message = if quote.is_empty() {
            finding.message
        } else {
            format!("`{quote}`: {}", finding.message)
        };
        checked.findings.push(Reported {
            code: finding.code,
            severity: severity.name(),
            file: source.name().to_owned(),
            game,
            ply: finding.ply,
            line: place.line,
            column: place.column,
            message,
        });
    }
}

/// Hands over what arrives with its number, in the order of the numbers.
fn in_order(
    receiver: mpsc::Receiver<(usize, Checked)>,
    done: &mut impl FnMut(Checked) -> io::Result<()>,
) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (at, checked) in receiver {
        waiting.insert(at, checked);
        while let Some(checked) = waiting.remove(&next) {
            done(checked)?;
            next += 1;
        }
    }
    Ok(())
}

/// Writes findings as they come.
struct Report<'o> {
    format: Format,
    quiet: bool,
    out: &'o mut dyn Write,
    findings: usize,
}

impl<'o> Report<'o> {
    fn new(format: Format, quiet: bool, out: &'o mut dyn Write) -> Report<'o> {
        Report { format, quiet, out, findings: 0 }
    }

    fn finding(&mut self, finding: &Reported) -> io::Result<()> {
        match self.format {
            Format::Text if self.quiet && finding.severity != Severity::Error.name() => Ok(()),
            Format::Text => writeln!(self.out, "{finding}"),
            Format::Json => {
                let before = if self.findings == 0 { "{\"findings\": [\n" } else { ",\n" };
                self.findings += 1;
                self.out.write_all(before.as_bytes())?;
                Ok(serde_json::to_writer(&mut *self.out, finding)?)
            }
        }
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        if self.format == Format::Text {
            return Ok(());
        }
        let before = if self.findings == 0 { "{\"findings\": [" } else { "\n" };
        write!(self.out, "{before}], \"summary\": ")?;
        serde_json::to_writer(&mut *self.out, summary)?;
        writeln!(self.out, "}}")
    }
}

impl std::fmt::Display for Reported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Reported { code, severity, file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {severity}[{code}]")?;
        match (self.game, self.ply) {
            (Some(game), Some(ply)) => write!(f, " game {game}, ply {ply}: {message}"),
            (Some(game), None) => write!(f, " game {game}: {message}"),
            (None, _) => write!(f, " {message}"),
        }
    }
}

impl Summary {
    fn add(&mut self, other: &Summary) {
        self.files += other.files;
        self.skipped_files += other.skipped_files;
        self.games += other.games;
        self.plies += other.plies;
        self.illegal_games += other.illegal_games;
        self.unreadable_games += other.unreadable_games;
        for (code, count) in &other.by_code {
            *self.by_code.entry(code).or_default() += count;
        }
    }
}

/// A number and a noun, which is in the plural where the number asks for it.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}, {}, {}: {} illegal, {} unreadable",
            count(self.files, "file", "files"),
            count(self.games, "game", "games"),
            count(self.plies, "legal ply", "legal plies"),
            self.illegal_games,
            self.unreadable_games
        )?;
        if self.skipped_files > 0 {
            write!(f, "; {} skipped", count(self.skipped_files, "other file", "other files"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arrives_early_waits_for_its_turn() {
        let (sender, receiver) = mpsc::sync_channel(3);
        for at in [2usize, 0, 1] {
            let summary = Summary { games: at, ..Summary::default() };
            sender.send((at, Checked { summary, ..Checked::default() })).unwrap();
        }
        drop(sender);
        let mut order = Vec::new();
        in_order(receiver, &mut |checked| {
            order.push(checked.summary.games);
            Ok(())
        })
        .unwrap();
        assert_eq!(order, [0, 1, 2]);
    }
}
