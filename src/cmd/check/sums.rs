//! Sums over all games of a run.
use crate::{
    finding::{CODES, Finding, Severity},
    report::{self, Cell, Row},
    rules::Rule,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write},
    path::PathBuf,
    time::Instant,
};

/// How many skipped files are named.
const MOST_SKIPPED: usize = 10;

/// The sums, as JSON has them.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Summary {
    pub(super) files: usize,
    pub(super) skipped_files: usize,
    /// Those that could not be opened, or not be read to their end.
    pub(super) unreadable_files: usize,
    pub(super) games: usize,
    pub(super) plies: usize,
    pub(super) illegal_games: usize,
    pub(super) unreadable_games: usize,
    by_code: BTreeMap<&'static str, usize>,
}

/// The sums of a run.
pub(super) struct Sums {
    pub(super) summary: Summary,
    started: Instant,
    errors: usize,
    warnings: usize,
    notes: usize,
    skipped: Vec<PathBuf>,
    by_code: BTreeMap<&'static str, OfCode>,
}

impl Default for Sums {
    fn default() -> Sums {
        Sums {
            summary: Summary::default(),
            started: Instant::now(),
            errors: 0,
            warnings: 0,
            notes: 0,
            skipped: Vec::new(),
            by_code: BTreeMap::new(),
        }
    }
}

/// The findings of one code.
#[derive(Clone, Debug)]
struct OfCode {
    code: &'static str,
    severity: Severity,
    findings: u64,
    games: u64,
    files: u64,
    /// Where the last one was.
    last: (String, Option<usize>),
}

impl OfCode {
    fn count(&mut self, finding: &Finding, file: &str, game: Option<usize>) {
        let is_other_file = self.findings == 0 || self.last.0 != file;
        self.findings += 1;
        self.severity = self.severity.max(finding.severity);
        self.files += u64::from(is_other_file);
        self.games += u64::from(game.is_some() && (is_other_file || self.last.1 != game));
        self.last.1 = game;
        if is_other_file {
            file.clone_into(&mut self.last.0);
        }
    }
}

impl Row for OfCode {
    const COLUMNS: &'static [&'static str] =
        &["code", "severity", "findings", "games", "files", "about"];

    fn cells(&self) -> Vec<Cell> {
        let text = |text: &str| Cell::Text(text.to_owned());
        vec![
            text(self.code),
            text(self.severity.name()),
            Cell::Count(self.findings),
            Cell::Count(self.games),
            Cell::Count(self.files),
            text(about(self.code)),
        ]
    }
}

/// What a code means, in one sentence.
fn about(code: &str) -> &'static str {
    let kind = CODES.iter().find(|known| known.name == code).map(|known| known.about);
    let rule = || Rule::ALL.iter().find(|rule| rule.code() == code).map(|rule| rule.about());
    kind.or_else(rule).unwrap_or_default().trim()
}

impl Sums {
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

    /// Counts a finding of a game of a file.
    pub(super) fn count(&mut self, finding: &Finding, file: &str, game: Option<usize>) {
        *match finding.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Note => &mut self.notes,
        } += 1;
        let (code, severity) = (finding.code, finding.severity);
        *self.summary.by_code.entry(code).or_default() += 1;
        let new = || OfCode {
            code,
            severity,
            findings: 0,
            games: 0,
            files: 0,
            last: (String::new(), None),
        };
        self.by_code.entry(code).or_insert_with(new).count(finding, file, game);
    }

    /// The findings by code, the worst and most first.
    pub(super) fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rows: Vec<OfCode> = self.by_code.values().cloned().collect();
        rows.sort_by_key(|row| (std::cmp::Reverse((row.severity, row.findings)), row.code));
        report::write_rows(report::FORMATS[0].1, rows, out)
    }

    /// The sums in words.
    pub(super) fn tell(&self, tells_codes: bool, err: &mut dyn Write) -> io::Result<()> {
        writeln!(err, "{}", self.summary)?;
        let counts = [
            count(self.errors, "error", "errors"),
            count(self.warnings, "warning", "warnings"),
            count(self.notes, "note", "notes"),
        ];
        writeln!(err, "{}", counts.join(", "))?;
        for (code, number) in self.summary.by_code.iter().filter(|_| tells_codes) {
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

    /// How fast it went.
    pub(super) fn tell_speed(&self, err: &mut dyn Write) -> io::Result<()> {
        let seconds = self.started.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a rate needs few digits")]
        let rate = |count: usize| count as f64 / seconds.max(1e-9);
        let Summary { files, games, plies, .. } = self.summary;
        let [files, games, plies] = [files, games, plies].map(rate);
        writeln!(
            err,
            "{seconds:.3} s; in each second {files:.0} files, {games:.0} games, {plies:.0} legal plies"
        )
    }
}

/// A number and a noun, which is in the plural where the number asks for it.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
