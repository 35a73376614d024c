use super::{
    Failure, Io, Verdict,
    archive::{self, Archive, Part},
    args::{From, Jobs, Rules},
    drafts::{Draft, draft, publish},
    input::{Input, Inputs, Unreadable},
    placed::Placed,
};
use crate::{
    finding::{self, Finding, Severity},
    game::Game,
    notation::{Notation, Part as GamePart, Style},
    replay::{Replayed, Replayer},
    rules::OpeningRule,
    source::Source,
};
use std::{
    io::{self, Write},
    ops::Range,
    path::PathBuf,
    sync::Arc,
};

/// Write games in one spelling, each in its own notation
///
/// Moves get the place that hivekit tells, names their case, tags their order, blanks and numbers of plies what the
/// notation asks for; the games stay the same. A game that cannot be read, is not legal, contradicts itself, or has
/// parts that cannot be written (such as unknown events) stays as it is, and what is wrong with it is
/// told on standard error; so do remarks between games. Notations of which only the games can be written, tables and JSON
/// of other programs, are refused.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit fmt games.uhp > clean.uhp
  hivekit fmt --check archive/
  hivekit fmt --in-place archive/")]
pub(super) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    /// Write nothing, name the files that would change, and exit with 1 if there are any
    #[arg(long, conflicts_with = "in_place")]
    check: bool,
    /// Write each file anew where it stands, if it would change
    #[arg(short, long)]
    in_place: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    jobs: Jobs,
}

/// What came of a part.
enum Done {
    Spelled(Spelled),
    Skipped,
    Unreadable(Unreadable),
    /// A file that is not written anew, and why.
    Refused(String),
}

/// A part in one spelling.
#[derive(Default)]
struct Spelled {
    file: String,
    input: Arc<Input>,
    is_first: bool,
    separator: &'static str,
    text: String,
    /// What it was before.
    before: String,
    games: usize,
    findings: Vec<Placed>,
}

/// A file while its parts come in.
struct File {
    input: Arc<Input>,
    draft: Option<Draft>,
    is_empty: bool,
    change: Change,
    games: usize,
}

/// Whether a text is another than it was, both of which come in parts of different lengths.
#[derive(Default)]
struct Change {
    /// What has come of one of them and not yet of the other.
    before: String,
    after: String,
    is_certain: bool,
}

impl Change {
    fn add(&mut self, before: &str, after: &str) {
        if self.is_certain {
            return;
        }
        self.before.push_str(before);
        self.after.push_str(after);
        let length = self.before.len().min(self.after.len());
        self.is_certain = self.before.as_bytes()[..length] != self.after.as_bytes()[..length];
        if !self.is_certain {
            self.before.drain(..length);
            self.after.drain(..length);
        }
    }

    fn is_there(&self) -> bool {
        self.is_certain || self.before != self.after
    }
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let archive =
        Archive { inputs: &args.inputs, from: &args.from, jobs: args.jobs, takes_positions: false };
    let mut writer = Writer { args, quiet, file: None, is_empty: true, verdict: Verdict::Clean };
    let Io { out, err } = io;
    archive.each(
        || Replayer::new(args.rules.options(OpeningRule::Any)),
        work,
        |done| match done {
            Done::Skipped => Ok(()),
            Done::Unreadable(unreadable) => {
                writer.verdict = Verdict::Incomplete;
                // A file that was not read to its end is not written anew.
                let is_present = |file: &mut File| file.input.path == unreadable.path;
                drop(writer.file.take_if(is_present));
                writer.finish_file(*out)?;
                writeln!(err, "hivekit: {unreadable}")
            }
            Done::Refused(message) => {
                writer.verdict = Verdict::Incomplete;
                writer.finish_file(*out)?;
                writeln!(err, "hivekit: {message}")
            }
            Done::Spelled(spelled) => writer.take(&spelled, *out, *err),
        },
    )?;
    writer.finish_file(*out)?;
    Ok(writer.verdict)
}

/// Spells one part.
fn work(replayer: &mut Replayer, part: Part) -> Done {
    match part {
        Part::Skipped(_) => Done::Skipped,
        Part::Unreadable(unreadable) => Done::Unreadable(unreadable),
        Part::Unknown(source) | Part::Positions { source, .. } => {
            Done::Refused(format!("{}: {}", source.name(), archive::unknown(&source).message))
        }
        Part::Games { notation, input, .. } if !notation.can_rewrite() => {
            let (path, name) = (input.path.display(), notation.name());
            Done::Refused(format!(
                "{path} is `{name}`, of which only the games can be written: see `convert`"
            ))
        }
        Part::Games { source, notation, is_first, input } => {
            let (file, separator) = (source.name().to_owned(), notation.separator());
            let mut spelled = Spelled { file, input, is_first, separator, ..Spelled::default() };
            spelled.spell(&source, notation, replayer);
            source.text().clone_into(&mut spelled.before);
            Done::Spelled(spelled)
        }
    }
}

impl Spelled {
    fn spell(&mut self, source: &Source, notation: &dyn Notation, replayer: &mut Replayer) {
        let text = source.text();
        // Up to where the text is written.
        let mut done = 0;
        for record in notation.read(source) {
            self.games += 1;
            let record = match record {
                Ok(record) => record,
                // It stays as it is, with what stands before the next game.
                Err(finding) => {
                    self.findings.push(Placed::new(source, Some(self.games), finding));
                    continue;
                }
            };
            let span = record.span.clone();
            self.block(text.get(done..span.start).unwrap_or_default().trim());
            let Replayed { game, fault, findings, .. } = replayer.replay(&record);
            let doubts = [record.findings, findings].concat().into_iter().find(is_doubt);
            let wrong = fault.or(doubts).map_or(Ok(()), Err);
            match wrong.and_then(|()| rewritten(&game, notation, &span)) {
                Ok(game) => self.block(&game),
                Err(found) => {
                    self.findings.push(Placed::new(source, Some(self.games), found));
                    self.block(text.get(span.clone()).unwrap_or_default().trim());
                }
            }
            done = span.end;
        }
        self.block(text.get(done..).unwrap_or_default().trim());
    }

    /// Adds lines behind the others.
    fn block(&mut self, lines: &str) {
        if lines.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(self.separator);
        }
        self.text.push_str(lines);
        if !lines.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// Whether a finding says that a record contradicts itself, so that one spelling would take a side, or that it says what
/// a game does not hold.
fn is_doubt(finding: &Finding) -> bool {
    [
        &finding::DUPLICATE_TAG,
        &finding::RESULT_MISMATCH,
        &finding::ILLEGAL_VARIATION,
        &finding::UNCONFIRMED,
        &finding::UNKNOWN_EVENT,
    ]
    .iter()
    .any(|code| code.name == finding.code)
}

/// The game in its notation, unless a part of it would be lost.
fn rewritten(game: &Game, notation: &dyn Notation, span: &Range<usize>) -> Result<String, Finding> {
    let mut text = Vec::new();
    let Ok(lost) = notation.write(game, Style::default(), &mut text) else {
        unreachable!("memory takes whatever is written")
    };
    // Equal pieces are renumbered as they are placed, and the board is turned as it is read.
    let is_spelling = |part: &GamePart| {
        matches!(part, GamePart::Numbers | GamePart::Orientation | GamePart::Expansions)
    };
    let parts: Vec<_> =
        lost.iter().filter(|part| !is_spelling(part)).map(ToString::to_string).collect();
    if parts.is_empty() {
        return Ok(String::from_utf8_lossy(&text).into_owned());
    }
    let message = format!("it stays as it is: {} would be lost", parts.join(", "));
    let found = Finding::new(&finding::LOSS, span.start..span.start, message);
    Err(Finding { severity: Severity::Warning, ..found })
}

struct Writer<'a> {
    args: &'a Args,
    quiet: bool,
    file: Option<File>,
    /// Whether nothing stands on standard output yet.
    is_empty: bool,
    verdict: Verdict,
}

impl Writer<'_> {
    fn take(
        &mut self,
        spelled: &Spelled,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<()> {
        if spelled.is_first {
            self.finish_file(out)?;
            match self.begin_file(&spelled.input) {
                Ok(file) => self.file = Some(file),
                Err(error) => {
                    self.verdict = Verdict::Incomplete;
                    return writeln!(err, "hivekit: {}: {error}", spelled.file);
                }
            }
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        for placed in &spelled.findings {
            if placed.finding.severity == Severity::Error && self.verdict == Verdict::Clean {
                self.verdict = Verdict::Findings;
            }
            if !self.quiet || placed.finding.severity == Severity::Error {
                writeln!(err, "{}", placed.reported(&spelled.file, file.games))?;
            }
        }
        file.games += spelled.games;
        let (text, separator) = (&spelled.text, spelled.separator);
        let is_first = text.is_empty() || std::mem::replace(&mut file.is_empty, false);
        file.change.add("", if is_first { "" } else { separator });
        file.change.add(&spelled.before, text);
        if self.args.check || text.is_empty() {
            return Ok(());
        }
        // On standard output the files stand one after the other.
        let (out, is_first) = match &mut file.draft {
            Some(draft) => (draft as &mut dyn Write, is_first),
            None => (out, std::mem::replace(&mut self.is_empty, false)),
        };
        let before = if is_first { "" } else { separator };
        out.write_all(before.as_bytes())?;
        out.write_all(text.as_bytes())
    }

    fn begin_file(&self, input: &Arc<Input>) -> io::Result<File> {
        let draft = match input.plain_file().filter(|_| self.args.in_place) {
            Some(path) => Some(draft(path)?),
            None if self.args.in_place => {
                return Err(io::Error::other("it cannot be written in place"));
            }
            None => None,
        };
        let input = Arc::clone(input);
        Ok(File { input, draft, is_empty: true, change: Change::default(), games: 0 })
    }

    /// Ends a file: it gets its new text, or is named, if it changed.
    fn finish_file(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(file) = self.file.take().filter(|file| file.change.is_there()) else {
            return Ok(());
        };
        let path: &PathBuf = &file.input.path;
        if self.args.check {
            self.verdict = self.verdict.max(Verdict::Findings);
            return writeln!(out, "{}", path.display());
        }
        file.draft.map_or(Ok(()), |draft| publish(path, draft, true))
    }
}
