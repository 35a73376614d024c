//! What comes of all games together: in their order, with what was lost.
use super::{Args, Converted, OnLoss, output::Output};
use crate::{
    cmd::{Verdict, placed::Placed},
    finding::{self, Severity},
    notation::{Notation, Part as GamePart},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

/// Whether a finding is told: errors always.
pub(super) fn is_told(placed: &Placed, quiet: bool) -> bool {
    !quiet || placed.finding.severity == Severity::Error
}

/// What has come of the archive so far.
#[derive(Default)]
pub(super) struct Total {
    pub(super) files: usize,
    pub(super) games: usize,
    /// The games of the present file that came in earlier parts.
    games_before: usize,
    written: usize,
    lost: BTreeMap<GamePart, usize>,
    lost_tags: BTreeSet<String>,
    pub(super) verdict: Verdict,
    kept: usize,
    /// Whether the encoding of the present file was told.
    was_repaired: bool,
}

impl Total {
    pub(super) fn begin_file(&mut self) {
        self.files += 1;
        self.games_before = 0;
        self.was_repaired = false;
    }

    /// Tells what there is to say about the games of a part.
    pub(super) fn tell(
        &mut self,
        converted: &Converted,
        quiet: bool,
        err: &mut dyn io::Write,
    ) -> io::Result<()> {
        let games_before = self.games_before;
        for placed in converted.findings.iter().filter(|placed| is_told(placed, quiet)) {
            // Once is enough for a file.
            let is_encoding = placed.finding.code == finding::ENCODING.name;
            if is_encoding && std::mem::replace(&mut self.was_repaired, true) {
                continue;
            }
            writeln!(err, "{}", placed.reported(&converted.file, games_before))?;
        }
        Ok(())
    }

    pub(super) fn add(
        &mut self,
        converted: Converted,
        output: &mut Output<'_>,
        err: &mut dyn io::Write,
    ) -> io::Result<()> {
        let is_error = |placed: &Placed| placed.finding.severity == Severity::Error;
        if converted.findings.iter().any(is_error) && self.verdict == Verdict::Clean {
            self.verdict = Verdict::Findings;
        }
        let mut start = 0;
        for &(number, end) in &converted.ends {
            let text = &converted.text[start..end];
            start = end;
            if let Err(refused) = output.game(&converted.input, self.games_before + number, text)? {
                self.verdict = Verdict::Incomplete;
                refused.into_iter().try_for_each(|why| writeln!(err, "hivekit: {why}"))?;
            } else {
                self.written += 1;
            }
        }
        self.games += converted.games;
        self.kept += converted.kept;
        self.games_before += converted.games;
        self.lost_tags.extend(converted.lost_tags);
        for (part, games) in converted.lost {
            *self.lost.entry(part).or_default() += games;
        }
        Ok(())
    }

    /// The names of the tags that were lost, in brackets.
    fn lost_tag_names(&self) -> String {
        /// How many are named.
        const MOST: usize = 8;
        let mut names: Vec<&str> = self.lost_tags.iter().map(String::as_str).take(MOST).collect();
        if self.lost_tags.len() > MOST {
            names.push("...");
        }
        if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
    }

    /// Tells what was lost, and how many games were written if that is not plain.
    pub(super) fn finish(
        &self,
        args: &Args,
        to: &dyn Notation,
        err: &mut dyn io::Write,
    ) -> io::Result<()> {
        let games = |number: usize| match number {
            1 => "1 game".to_owned(),
            number => format!("{number} games"),
        };
        if args.loss == OnLoss::Warn {
            for (part, number) in &self.lost {
                let names =
                    if *part == GamePart::Tags { self.lost_tag_names() } else { String::new() };
                writeln!(err, "lost in {}: {part}{names} of {}", to.name(), games(*number))?;
            }
        }
        let left_out = self.games - self.written;
        if left_out > 0 || self.kept > 0 || args.output.is_some() {
            let kept = match self.kept {
                0 => String::new(),
                kept => format!(" ({kept} of them as they stand, since they are not proven)"),
            };
            writeln!(err, "{} written{kept}, {left_out} left out", games(self.written))?;
        }
        Ok(())
    }
}
