//! Files written anew, game by game: what changes, what stays as it stands, and where the new text goes.
use super::{
    Failure, Io, Verdict,
    archive::{self, Archive, Part},
    drafts::{Draft, draft, publish},
    input::{Input, Unreadable},
    placed::Placed,
};
use crate::{
    finding::{self, Finding, Severity},
    game::Game,
    notation::{Notation, Part as GamePart, Style},
    record::Record,
    replay::{Replayed, Replayer, RuleOptions},
    source::Source,
};
use similar::TextDiff;
use std::{
    ffi::OsString,
    fs,
    io::{self, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

/// What becomes of games.
pub(super) trait Rewriter: Sync {
    /// What becomes of a game.
    fn rewrite(&self, read: Read<'_>) -> Rewritten;

    /// Whether all that is not rewritten stays to the last blank.
    fn is_verbatim(&self) -> bool;

    /// What there is to say of a game that cannot be read.
    fn unreadable(&self, finding: Finding) -> Vec<Said>;
}

/// A game that was read.
pub(super) struct Read<'r> {
    pub(super) record: Record,
    pub(super) replayed: Replayed,
    pub(super) source: &'r Source,
    pub(super) notation: &'static dyn Notation,
}

/// What becomes of a game.
pub(super) struct Rewritten {
    /// Its new text; nothing if it stays as it stands.
    pub(super) text: Option<String>,
    /// The end of what the new text replaces.
    pub(super) end: usize,
    pub(super) said: Vec<Said>,
}

/// Something to say of a game, with another word than the severity if there is one.
pub(super) struct Said {
    pub(super) finding: Finding,
    pub(super) word: Option<&'static str>,
}

impl From<Finding> for Said {
    fn from(finding: Finding) -> Said {
        Said { finding, word: None }
    }
}

/// Where new texts go.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// To standard output, one file after the other.
    Output,
    /// Nowhere: the files that would change are named.
    Names,
    /// Nowhere at all.
    Nothing,
    /// To standard output, as differences.
    Differences,
    /// Into the files themselves, which are kept under names with this ending if there is one.
    InPlace(String),
}

/// What came of a part.
enum Done {
    Spelled(Spelled),
    Skipped,
    Unreadable(Unreadable),
    /// A file that is not written anew, and why.
    Refused(String),
}

/// A part with its new text.
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
    said: Vec<(Placed, Option<&'static str>)>,
}

/// A file while its parts come in.
struct File {
    input: Arc<Input>,
    draft: Option<Draft>,
    is_empty: bool,
    change: Change,
    games: usize,
    /// The whole texts before and after, where differences are shown.
    texts: [String; 2],
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

/// Writes all files anew.
///
/// # Errors
///
/// Fails where the output cannot be written.
pub(super) fn rewrite(
    archive: Archive<'_>,
    options: RuleOptions,
    rewriter: &impl Rewriter,
    goal: &Goal,
    quiet: bool,
    io: &mut Io<'_>,
) -> Result<Verdict, Failure> {
    let mut writer = Writer { goal, quiet, file: None, is_empty: true, verdict: Verdict::Clean };
    let Io { out, err } = io;
    archive.each(
        || Replayer::new(options),
        |replayer, part| work(rewriter, replayer, part),
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

/// Writes one part anew.
fn work(rewriter: &impl Rewriter, replayer: &mut Replayer, part: Part) -> Done {
    match part {
        Part::Skipped(_) => Done::Skipped,
        Part::Unreadable(unreadable) => Done::Unreadable(unreadable),
        Part::Unknown(source) if source.text().trim().is_empty() => Done::Skipped,
        Part::Unknown(source) | Part::Positions { source, .. } => {
            Done::Refused(format!("{}: {}", source.name(), archive::unknown(&source).message))
        }
        Part::Games { notation, input, .. } if !notation.can_rewrite() => {
            let (path, name) = (input.path.display(), notation.name());
            Done::Refused(format!(
                "{path} is `{name}`, of which only the games can be written: see `convert`"
            ))
        }
        Part::Games { source, notation, is_first, input, .. } => {
            let file = source.name().to_owned();
            let separator = if rewriter.is_verbatim() { "" } else { notation.separator() };
            let mut spelled = Spelled { file, input, is_first, separator, ..Spelled::default() };
            spelled.spell(rewriter, &source, notation, replayer);
            source.text().clone_into(&mut spelled.before);
            Done::Spelled(spelled)
        }
    }
}

impl Spelled {
    fn spell(
        &mut self,
        rewriter: &impl Rewriter,
        source: &Source,
        notation: &'static dyn Notation,
        replayer: &mut Replayer,
    ) {
        let text = source.text();
        // Up to where the text is written.
        let mut done = 0;
        for record in notation.read(source) {
            self.games += 1;
            let record = match record {
                Ok(record) => record,
                // It stays as it is, with what stands before the next game.
                Err(finding) => {
                    self.say(source, rewriter.unreadable(finding));
                    continue;
                }
            };
            let span = record.span.clone();
            let replayed = replayer.replay(&record);
            let new = rewriter.rewrite(Read { record, replayed, source, notation });
            self.say(source, new.said);
            let end = new.end.max(span.end);
            let before = text.get(done..span.start).unwrap_or_default();
            let own = text.get(span.start..end).unwrap_or_default();
            if rewriter.is_verbatim() {
                self.text.push_str(before);
                self.replace(own, new.text.as_deref());
            } else {
                self.block(before.trim());
                self.block(new.text.as_deref().unwrap_or(own.trim()));
            }
            done = end;
        }
        self.tell_encoding(source);
        let rest = text.get(done..).unwrap_or_default();
        if rewriter.is_verbatim() { self.text.push_str(rest) } else { self.block(rest.trim()) }
    }

    /// Adds a text, or another one between its blanks.
    fn replace(&mut self, own: &str, new: Option<&str>) {
        let Some(new) = new else { return self.text.push_str(own) };
        let core = own.trim();
        let start = own.len() - own.trim_start().len();
        let new = new.trim();
        let ends = if own.contains("\r\n") { new.replace('\n', "\r\n") } else { new.to_owned() };
        self.text.extend([&own[..start], &ends, &own[start + core.len()..]]);
    }

    /// Tells that a text that was no UTF-8 becomes some with the games that are written anew.
    fn tell_encoding(&mut self, source: &Source) {
        let is_changed = self.said.iter().any(|(_, word)| matches!(*word, Some(FIXED | SALVAGED)));
        let code = finding::ENCODING.name;
        let is_told = self.said.iter().any(|(placed, _)| placed.finding.code == code);
        let repaired = archive::repaired(source).filter(|_| is_changed && !is_told);
        let placed = repaired.map(|finding| (Placed::new(source, None, finding), Some(FIXED)));
        self.said.extend(placed);
    }

    fn say(&mut self, source: &Source, said: Vec<Said>) {
        let games = Some(self.games);
        let placed = |said: Said| (Placed::new(source, games, said.finding), said.word);
        self.said.extend(said.into_iter().map(placed));
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

/// The game in its notation, unless a part of it would be lost.
pub(super) fn rewritten(
    game: &Game,
    notation: &dyn Notation,
    span: &Range<usize>,
) -> Result<String, Finding> {
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
    goal: &'a Goal,
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
        for (placed, word) in &spelled.said {
            let is_mended = matches!(*word, Some(FIXED | SALVAGED));
            let is_error = placed.finding.severity == Severity::Error && !is_mended;
            if is_error && self.verdict == Verdict::Clean {
                self.verdict = Verdict::Findings;
            }
            if !self.quiet || is_error {
                let mut reported = placed.reported(&spelled.file, file.games);
                reported.severity = word.unwrap_or(reported.severity);
                writeln!(err, "{reported}")?;
            }
        }
        file.games += spelled.games;
        let (text, separator) = (&spelled.text, spelled.separator);
        let is_first = text.is_empty() || std::mem::replace(&mut file.is_empty, false);
        file.change.add("", if is_first { "" } else { separator });
        file.change.add(&spelled.before, text);
        if matches!(self.goal, Goal::Differences) {
            let before = if is_first { "" } else { separator };
            file.texts[0].push_str(&spelled.before);
            file.texts[1].extend([before, text]);
        }
        let is_written = matches!(self.goal, Goal::Output | Goal::InPlace(_));
        if !is_written || text.is_empty() {
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
        let is_in_place = matches!(self.goal, Goal::InPlace(_));
        let draft = match input.plain_file().filter(|_| is_in_place) {
            Some(path) => Some(draft(path)?),
            None if is_in_place => {
                return Err(io::Error::other("it cannot be written in place"));
            }
            None => None,
        };
        let (input, change, texts) = (Arc::clone(input), Change::default(), Default::default());
        Ok(File { input, draft, is_empty: true, change, games: 0, texts })
    }

    /// Ends a file: it gets its new text, or is named, if it changed.
    fn finish_file(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(file) = self.file.take().filter(|file| file.change.is_there()) else {
            return Ok(());
        };
        let path: &PathBuf = &file.input.path;
        match (self.goal, file.draft) {
            (Goal::Names, _) => {
                self.verdict = self.verdict.max(Verdict::Findings);
                writeln!(out, "{}", path.display())
            }
            (Goal::Differences, _) => {
                let name = path.display().to_string();
                let [before, after] = &file.texts;
                let difference = TextDiff::from_lines(before, after);
                write!(out, "{}", difference.unified_diff().header(&name, &name))
            }
            (Goal::InPlace(suffix), Some(draft)) => {
                if !suffix.is_empty() {
                    keep(path, &backup_of(path, suffix))?;
                }
                publish(path, draft, true)
            }
            _ => Ok(()),
        }
    }
}

/// The word for what was put right.
pub(super) const FIXED: &str = "fixed";
/// The word for the fault of a game of which the legal part was kept.
pub(super) const SALVAGED: &str = "salvaged";

/// Keeps a file as it is under another name, which is not taken.
fn keep(path: &Path, backup: &Path) -> io::Result<()> {
    if backup.symlink_metadata().is_ok() {
        let message =
            format!("{} is there already: {} stays as it is", backup.display(), path.display());
        return Err(io::Error::other(message));
    }
    fs::copy(path, backup).map(drop)
}

/// The name under which a file is kept.
fn backup_of(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}
