//! How findings and sums are written.
use crate::{
    cmd::placed::Placed,
    finding::{Finding, Severity},
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

/// How many skipped files are named.
const MOST_SKIPPED: usize = 10;

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A line for each finding, and a summary on standard error
    Text,
    /// One document with `findings` and `summary`
    Json,
}

/// The sums over all games, as JSON has them.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Summary {
    pub(super) files: usize,
    pub(super) skipped_files: usize,
    pub(super) games: usize,
    pub(super) plies: usize,
    pub(super) illegal_games: usize,
    pub(super) unreadable_games: usize,
    by_code: BTreeMap<&'static str, usize>,
}

/// Writes findings as they come, and adds up.
pub(super) struct Report<'o> {
    format: Format,
    quiet: bool,
    out: &'o mut dyn Write,
    pub(super) summary: Summary,
    errors: usize,
    warnings: usize,
    notes: usize,
    skipped: Vec<PathBuf>,
}

impl<'o> Report<'o> {
    pub(super) fn new(format: Format, quiet: bool, out: &'o mut dyn Write) -> Report<'o> {
        Report {
            format,
            quiet,
            out,
            summary: Summary::default(),
            errors: 0,
            warnings: 0,
            notes: 0,
            skipped: Vec::new(),
        }
    }

    /// Whether there was an error.
    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// A file was passed over.
    pub(super) fn skip(&mut self, path: PathBuf) {
        self.summary.skipped_files += 1;
        if self.skipped.len() < MOST_SKIPPED {
            self.skipped.push(path);
        }
    }

    /// Whether a finding is written, or only counted.
    pub(super) fn shows(&self, finding: &Finding) -> bool {
        self.format == Format::Json || !self.quiet || finding.severity == Severity::Error
    }

    /// Counts a finding.
    pub(super) fn count(&mut self, finding: &Finding) {
        *match finding.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Note => &mut self.notes,
        } += 1;
        *self.summary.by_code.entry(finding.code).or_default() += 1;
    }

    /// Counts and writes a finding; `games` is the number of games of the file before its piece.
    pub(super) fn finding(&mut self, file: &str, games: usize, placed: &Placed) -> io::Result<()> {
        let findings = self.errors + self.warnings + self.notes;
        self.count(&placed.finding);
        let reported = placed.reported(file, games);
        match self.format {
            Format::Text => writeln!(self.out, "{reported}"),
            Format::Json => {
                let before = if findings == 0 { "{\"findings\": [\n" } else { ",\n" };
                self.out.write_all(before.as_bytes())?;
                Ok(serde_json::to_writer(&mut *self.out, &reported)?)
            }
        }
    }

    /// Ends the report: JSON with its summary, text with one on `err`.
    pub(super) fn finish(&mut self, err: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Json => {
                let is_empty = self.errors + self.warnings + self.notes == 0;
                let before = if is_empty { "{\"findings\": [" } else { "\n" };
                write!(self.out, "{before}], \"summary\": ")?;
                serde_json::to_writer(&mut *self.out, &self.summary)?;
                writeln!(self.out, "}}")
            }
            Format::Text if self.quiet => Ok(()),
            Format::Text => {
                self.out.flush()?;
                self.tell_sums(err)
            }
        }
    }

    fn tell_sums(&self, err: &mut dyn Write) -> io::Result<()> {
        writeln!(err, "{}", self.summary)?;
        let counts = [
            count(self.errors, "error", "errors"),
            count(self.warnings, "warning", "warnings"),
            count(self.notes, "note", "notes"),
        ];
        writeln!(err, "{}", counts.join(", "))?;
        for (code, number) in &self.summary.by_code {
            writeln!(err, "{number:>8}  {code}")?;
        }
        for path in &self.skipped {
            writeln!(err, "skipped, in no notation: {}", path.display())?;
        }
        match self.summary.skipped_files - self.skipped.len() {
            0 => Ok(()),
            more => writeln!(err, "skipped, in no notation: {more} more"),
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
