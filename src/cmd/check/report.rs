//! What is said of a run: findings one after the other, and sums.
use super::{
    format::{Format, Writer},
    sums::Sums,
};
use crate::{
    cmd::{args::Color, placed::Placed},
    finding::{Finding, Severity},
};
use std::io::{self, Write};

/// What a user wants to be told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wishes {
    pub(super) format: Format,
    pub(super) color: Color,
    /// Errors only, and no sums.
    pub(super) quiet: bool,
    /// No findings, but a table of them.
    pub(super) summary: bool,
    /// How fast it went, too.
    pub(super) stats: bool,
    /// How many findings are written at most.
    pub(super) most: Option<usize>,
}

impl Wishes {
    /// Whether a finding is written, or only counted.
    pub(super) fn are_for(&self, finding: &Finding) -> bool {
        let is_loud = !self.quiet || self.format.is_data() || finding.severity == Severity::Error;
        is_loud && !self.summary
    }

    /// Whether all is wanted that there is to say of a finding.
    pub(super) fn are_long(&self) -> bool {
        self.format.is_long() && !self.summary
    }
}

/// Writes findings as they come, and adds up.
pub(super) struct Report<'o> {
    wishes: Wishes,
    writer: Box<dyn Writer>,
    out: &'o mut dyn Write,
    pub(super) sums: Sums,
    /// How many findings were written.
    written: usize,
    /// How many would have been, were it not for [`Wishes::most`].
    left_out: usize,
}

impl<'o> Report<'o> {
    pub(super) fn new(wishes: Wishes, out: &'o mut dyn Write) -> Report<'o> {
        let writer = wishes.format.open(wishes.color);
        Report { wishes, writer, out, sums: Sums::default(), written: 0, left_out: 0 }
    }

    /// Counts a finding of a file, and writes it where it is shown; `games` is the number of games of the file before its
    /// piece.
    pub(super) fn finding(&mut self, file: &str, games: usize, placed: &Placed) -> io::Result<()> {
        let reported = placed.reported(file, games);
        self.sums.count(&placed.finding, file, reported.game);
        if !self.wishes.are_for(&placed.finding) {
            return Ok(());
        }
        if self.wishes.most.is_some_and(|most| self.written >= most) {
            self.left_out += 1;
            return Ok(());
        }
        self.written += 1;
        self.writer.finding(&reported, self.out)
    }

    /// Ends the report: with the sums, for people on `err`.
    pub(super) fn finish(&mut self, err: &mut dyn Write) -> io::Result<()> {
        if self.wishes.summary {
            self.sums.write_table(self.out)?;
        } else {
            self.writer.finish(&self.sums.summary, self.out)?;
        }
        self.out.flush()?;
        match self.left_out {
            0 => {}
            1 => writeln!(err, "1 more finding is not shown")?,
            more => writeln!(err, "{more} more findings are not shown")?,
        }
        if self.wishes.format.is_for_people() && !self.wishes.quiet {
            self.sums.tell(!self.wishes.summary, err)?;
        }
        if self.wishes.stats { self.sums.tell_speed(err) } else { Ok(()) }
    }
}
