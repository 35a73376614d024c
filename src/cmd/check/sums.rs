//! Sums over all games of a run.
use crate::{
    cmd::{archive::Skipped, words::count},
    explain::pages::kinds,
    finding::{Finding, Severity},
    report::{self, Cell, Row},
};
use serde::{Serialize, Serializer};
use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write},
    time::Instant,
};

/// The sums, as JSON has them.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    pub(super) files: usize,
    #[serde(rename = "skipped_files")]
    pub(super) skipped: Skipped,
    /// Those that could not be opened, or not be read to their end.
    pub(super) unreadable_files: usize,
    pub(super) games: usize,
    pub(super) plies: usize,
    pub(super) illegal_games: usize,
    pub(super) unreadable_games: usize,
    by_code: BTreeMap<&'static str, OfCode>,
}

/// The sums of a run.
pub(super) struct Sums {
    pub(super) summary: Summary,
    started: Instant,
    errors: usize,
    warnings: usize,
    notes: usize,
}

impl Default for Sums {
    fn default() -> Sums {
        Sums {
            summary: Summary::default(),
            started: Instant::now(),
            errors: 0,
            warnings: 0,
            notes: 0,
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

/// As the number of the findings.
impl Serialize for OfCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.findings.serialize(serializer)
    }
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
            text(kinds().find(|kind| kind.code == self.code).map_or("", |kind| kind.about)),
        ]
    }
}

/// The findings of one code, as a share of all games.
pub(in crate::cmd) struct Quality {
    of: OfCode,
    /// How many games there are.
    all: u64,
}

impl Row for Quality {
    const COLUMNS: &'static [&'static str] =
        &["code", "severity", "findings", "games", "files", "about", "share"];

    fn cells(&self) -> Vec<Cell> {
        #[expect(clippy::cast_precision_loss, reason = "a share needs few digits")]
        let share = self.of.games as f64 / self.all.max(1) as f64;
        self.of.cells().into_iter().chain([Cell::Share(share)]).collect()
    }
}

impl Sums {
    /// Whether there was an error.
    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Counts a finding of a game of a file.
    pub(super) fn count(&mut self, finding: &Finding, file: &str, game: Option<usize>) {
        *match finding.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Note => &mut self.notes,
        } += 1;
        let (code, severity) = (finding.code, finding.severity);
        let new = || OfCode {
            code,
            severity,
            findings: 0,
            games: 0,
            files: 0,
            last: (String::new(), None),
        };
        self.summary.by_code.entry(code).or_insert_with(new).count(finding, file, game);
    }

    /// The findings by code, the worst and most first.
    fn codes(&self) -> Vec<OfCode> {
        let mut rows: Vec<OfCode> = self.summary.by_code.values().cloned().collect();
        rows.sort_by_key(|row| (std::cmp::Reverse((row.severity, row.findings)), row.code));
        rows
    }

    /// The same, as shares of all games.
    pub(super) fn shares(&self) -> Vec<Quality> {
        let all = self.summary.games as u64;
        self.codes().into_iter().map(|of| Quality { of, all }).collect()
    }

    /// Writes them as a table for people.
    pub(super) fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.codes();
        let mut writer = report::FORMATS[0].1(OfCode::COLUMNS, Box::new(out));
        rows.iter().try_for_each(|row| writer.row(row.cells()))?;
        writer.finish()
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
        for OfCode { code, findings, .. } in self.summary.by_code.values().filter(|_| tells_codes) {
            writeln!(err, "{findings:>8}  {code}")?;
        }
        self.summary.skipped.tell(err)
    }

    /// How fast it went.
    pub(super) fn tell_speed(&self, err: &mut dyn Write) -> io::Result<()> {
        let seconds = self.started.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a rate needs few digits")]
        let rate = |count: usize| count as f64 / seconds.max(1e-9);
        let Summary { files, games, plies, .. } = &self.summary;
        let [files, games, plies] = [*files, *games, *plies].map(rate);
        writeln!(
            err,
            "{seconds:.3} s; in each second {files:.0} files, {games:.0} games, {plies:.0} legal plies"
        )
    }
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
        match self.skipped.count() {
            0 => Ok(()),
            skipped => write!(f, "; {} skipped", count(skipped, "other file", "other files")),
        }
    }
}
