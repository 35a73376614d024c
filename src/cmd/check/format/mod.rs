//! How findings are written. To add a format: a file beside this one, and a line in [`Format`] and in [`Format::open`].
mod github;
mod json;
mod ndjson;
mod sarif;
mod short;
mod text;

use crate::cmd::{args::Color, check::sums::Summary, placed::Reported};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// A way to write findings.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// With the line, what stands against a turn, and what was probably meant
    #[default]
    Text,
    /// As `FILE:LINE:COLUMN: CODE: SENTENCE`, which editors understand
    Short,
    /// One document with `findings` and `summary`
    Json,
    /// An object a line
    Ndjson,
    /// A log of SARIF 2.1.0, which code hosts and viewers understand
    Sarif,
    /// As commands of GitHub's workflows, which annotate the files
    Github,
}

/// Writes findings one after the other.
pub(super) trait Writer {
    /// Writes a finding.
    fn finding(&mut self, finding: &Reported<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Writes what comes after all of them.
    fn finish(&mut self, _summary: &Summary, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

impl Format {
    pub(super) fn open(self, color: Color) -> Box<dyn Writer> {
        match self {
            Format::Text => Box::new(text::Text::new(color)),
            Format::Short => Box::new(short::Short),
            Format::Json => Box::new(json::Json::default()),
            Format::Ndjson => Box::new(ndjson::Ndjson),
            Format::Sarif => Box::new(sarif::Sarif::default()),
            Format::Github => Box::new(github::Github),
        }
    }

    /// Whether a program reads it, which wants all of it.
    pub(super) fn is_data(self) -> bool {
        matches!(self, Format::Json | Format::Ndjson | Format::Sarif)
    }

    /// Whether a person reads it, who is told the sums, too.
    pub(super) fn is_for_people(self) -> bool {
        matches!(self, Format::Text | Format::Short)
    }

    /// Whether it says more of a finding than one sentence.
    pub(super) fn is_long(self) -> bool {
        !matches!(self, Format::Short | Format::Github)
    }
}
