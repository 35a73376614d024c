//! Options that commands share.
use crate::{
    notation::{self, Notation},
    replay::{RepetitionRule, RuleOptions},
    report,
    rules::{OpeningRule, SamePosition},
    source::Source,
};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal},
    num::NonZeroUsize,
    path::Path,
    thread,
};

/// In which notation the input is.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct From {
    /// Read the input in this notation
    #[arg(long, value_name = "NOTATION", default_value = "auto",
          value_parser = PossibleValuesParser::new(from_names()))]
    from: String,
}

fn from_names() -> impl Iterator<Item = &'static str> {
    std::iter::once("auto").chain(notation::ALL.iter().map(|notation| notation.name()))
}

impl From {
    /// The notation to read a text in: the one that was asked for, else the one that it looks like.
    pub(super) fn notation(&self, text: &str) -> Option<&'static dyn Notation> {
        notation::named(&self.from).or_else(|| notation::detect(text))
    }

    /// The same for a file: where its text looks like nothing, its name still may tell, so that a damaged
    /// file is reported and not taken for something else.
    pub(super) fn notation_of(&self, source: &Source) -> Option<&'static dyn Notation> {
        self.notation(source.text()).or_else(|| {
            let extension = Path::new(source.name()).extension()?.to_str()?;
            let is_empty = source.text().trim().is_empty();
            notation::named(&extension.to_ascii_lowercase()).filter(|_| !is_empty)
        })
    }

    /// Whether the notation is to be guessed.
    pub(super) fn is_auto(&self) -> bool {
        notation::named(&self.from).is_none()
    }
}

/// The rules that a game is held to, where there is a choice.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Rules {
    /// May a queen be the first piece of a side? [default: any; tournament for `moves` and `perft`]
    #[arg(long, value_enum, value_name = "RULE")]
    pub(super) opening: Option<Opening>,
    /// What a third occurrence of a position means
    #[arg(long, value_enum, value_name = "RULE", default_value = "report")]
    repetition: Repetition,
    /// Which positions are the same, for repetition
    #[arg(long, value_enum, value_name = "RULE", default_value = "effective")]
    same_position: Same,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Any piece may come first
    Any,
    /// The queen may not come first
    Tournament,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Repetition {
    /// Say so, and go on
    Report,
    /// The game is drawn and over
    Draw,
    /// Say nothing
    Ignore,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Same {
    /// The piece that moved last always counts
    Exact,
    /// It counts where it changes what is legal
    Effective,
    /// As effective; turned and mirrored positions are the same
    Symmetric,
}

impl Opening {
    pub(super) fn rule(self) -> OpeningRule {
        match self {
            Opening::Any => OpeningRule::Any,
            Opening::Tournament => OpeningRule::Tournament,
        }
    }
}

impl Rules {
    /// The rules, with the opening rule that a command uses by itself.
    pub(super) fn options(&self, opening: OpeningRule) -> RuleOptions {
        RuleOptions {
            opening: self.opening.map_or(opening, Opening::rule),
            repetition: match self.repetition {
                Repetition::Report => RepetitionRule::Report,
                Repetition::Draw => RepetitionRule::Draw,
                Repetition::Ignore => RepetitionRule::Ignore,
            },
            same: match self.same_position {
                Same::Exact => SamePosition::Exact,
                Same::Effective => SamePosition::Effective,
                Same::Symmetric => SamePosition::Symmetric,
            },
        }
    }
}

/// How many threads work.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Jobs {
    /// How many threads work at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// The number of threads.
    pub(super) fn count(self) -> usize {
        let processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(processors, usize::from)
    }
}

/// Whether the user is told how far the work has come.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Progress {
    /// Whether to tell on standard error how far the work has come: `auto` on a terminal only
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    progress: When,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum When {
    Auto,
    Always,
    Never,
}

impl Progress {
    /// A line that tells how far the work has come, or nothing.
    pub(super) fn bar(self) -> Bar {
        let is_shown = match self.progress {
            When::Auto => io::stderr().is_terminal(),
            When::Always => true,
            When::Never => false,
        };
        Bar(is_shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            bar.with_style(ProgressStyle::default_spinner())
        }))
    }
}

/// A line on the terminal, or nothing.
pub(super) struct Bar(Option<ProgressBar>);

impl Bar {
    /// Tells how far the work has come.
    pub(super) fn tell(&self, files: usize, games: usize) {
        if let Some(bar) = &self.0 {
            bar.tick();
            bar.set_message(format!("{files} files, {games} games"));
        }
    }

    /// Does something that writes to the terminal, which the line would disturb.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// The shape of a report.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Output {
    /// How to write the rows
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats())]
    format: report::Open,
}

fn formats() -> impl clap::builder::TypedValueParser<Value = report::Open> {
    PossibleValuesParser::new(report::FORMATS.iter().map(|(name, _)| *name)).map(|name| {
        let found = report::FORMATS.iter().find(|(known, _)| *known == name);
        found.map_or(report::FORMATS[0].1, |(_, open)| *open)
    })
}

impl Output {
    /// Writes rows.
    pub(super) fn write<R: report::Row>(
        &self,
        rows: impl IntoIterator<Item = R>,
        out: &mut dyn std::io::Write,
    ) -> std::io::Result<()> {
        report::write_rows(self.format, rows, out)
    }
}
