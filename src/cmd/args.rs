//! Options that commands share.
use crate::{
    notation::{self, Notation, table::Table},
    position,
    replay::{RepetitionRule, RuleOptions},
    rules::{OpeningRule, Options, SamePosition},
    source::Source,
};
use anstream::{AutoStream, ColorChoice};
use clap::builder::PossibleValuesParser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::{
    cell::Cell,
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// In which notation the input is.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct From {
    /// Read the input in this notation
    #[arg(long, value_name = "NOTATION", default_value = "auto",
          value_parser = PossibleValuesParser::new(from_names()))]
    from: String,
    /// The input is a table, and the game strings stand in the column with this name
    #[arg(long, value_name = "NAME", value_parser = column, conflicts_with = "from")]
    column: Option<&'static Table>,
}

/// A table for as long as the program runs.
#[expect(clippy::unnecessary_wraps, reason = "a parser of values can fail")]
fn column(name: &str) -> Result<&'static Table, String> {
    Ok(Box::leak(Box::new(Table::with_column(name))))
}

fn from_names() -> impl Iterator<Item = &'static str> {
    std::iter::once("auto").chain(notation::names())
}

impl From {
    /// The notation to read a text in: the one that was asked for, else the one that it looks like.
    pub(super) fn notation(&self, text: &str) -> Option<&'static dyn Notation> {
        let table = self.column.map(|table| table as &dyn Notation);
        table.or_else(|| notation::named(&self.from)).or_else(|| notation::detect(text))
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
        self.column.is_none() && notation::named(&self.from).is_none()
    }
}

/// The rules that a game is held to, where there is a choice.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct Rules {
    /// May a queen be the first piece of a side? [default: any; tournament for `moves`, `perft` and `explain`]
    #[arg(long, value_enum, value_name = "RULE")]
    pub(super) opening: Option<Opening>,
    /// A rule for fan pieces, where there is a choice, as NAME=VALUE; `rules --options` lists them
    #[arg(long, value_name = "NAME=VALUE", value_parser = Chosen::read)]
    pub(super) rule: Vec<Chosen>,
    /// What a third occurrence of a position means [default: report]
    #[arg(long, value_enum, value_name = "RULE")]
    pub(super) repetition: Option<Repetition>,
    /// Which positions are the same, for repetition [default: effective]
    #[arg(long, value_enum, value_name = "RULE")]
    pub(super) same_position: Option<Same>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Opening {
    /// Any piece may come first
    Any,
    /// The queen may not come first
    Tournament,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Repetition {
    /// Say so, and go on
    #[default]
    Report,
    /// The game is drawn and over
    Draw,
    /// Say nothing
    Ignore,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Same {
    /// The piece that moved last always counts
    Exact,
    /// It counts where it changes what is legal
    #[default]
    Effective,
    /// As effective; turned and mirrored positions are the same
    Symmetric,
}

/// A value that was chosen for a rule.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct Chosen {
    name: String,
    value: String,
}

impl std::convert::From<Chosen> for String {
    fn from(Chosen { name, value }: Chosen) -> String {
        format!("{name}={value}")
    }
}

impl TryFrom<String> for Chosen {
    type Error = String;

    fn try_from(text: String) -> Result<Chosen, String> {
        Chosen::read(&text)
    }
}

impl Chosen {
    fn read(text: &str) -> Result<Chosen, String> {
        let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
        // What is tried here will work for any game.
        Options::default().choose(name, value).map_err(|error| error.to_string())?;
        Ok(Chosen { name: name.to_owned(), value: value.to_owned() })
    }

    fn apply(&self, rules: &mut Options, asked: &mut u16) {
        let at = Options::CHOICES.iter().position(|choice| choice.name == self.name);
        if let Some(at) = at.filter(|_| rules.choose(&self.name, &self.value).is_ok()) {
            *asked |= 1 << at;
        }
    }
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
        let opening = self.opening.map_or(opening, Opening::rule);
        let mut rules = Options { opening, ..Options::default() };
        let mut asked = 0;
        for choice in &self.rule {
            choice.apply(&mut rules, &mut asked);
        }
        RuleOptions {
            rules,
            asked,
            repetition: match self.repetition.unwrap_or_default() {
                Repetition::Report => RepetitionRule::Report,
                Repetition::Draw => RepetitionRule::Draw,
                Repetition::Ignore => RepetitionRule::Ignore,
            },
            same: match self.same_position.unwrap_or_default() {
                Same::Exact => SamePosition::Exact,
                Same::Effective => SamePosition::Effective,
                Same::Symmetric => SamePosition::Symmetric,
            },
        }
    }
}

/// By which neighbour the place of a piece is told.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(super) enum Reference {
    /// By the one that the record names, if it does
    Keep,
    /// By the first around the place, clockwise from north-west
    Hivekit,
    /// As Mzinga chooses, which is the same
    Mzinga,
    /// As hivegame.com chooses
    Hivegame,
    /// As nokamute chooses
    Nokamute,
}

impl Reference {
    pub(super) fn choice(self) -> notation::Reference {
        match self {
            Reference::Keep => notation::Reference::Keep,
            Reference::Hivekit | Reference::Mzinga => notation::Reference::Hivekit,
            Reference::Hivegame => notation::Reference::Hivegame,
            Reference::Nokamute => notation::Reference::Nokamute,
        }
    }
}

/// The program whose PGN is imitated.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(super) enum Dialect {
    /// Our own: that of Mzinga with all tags, comments and causes
    Hivekit,
    /// Mzinga
    Mzinga,
    /// The converter from BoardSpace's files by `IongIer`
    Iongier,
    /// The download of hivegame.com
    Hivegame,
}

impl Dialect {
    pub(super) fn choice(self) -> notation::Dialect {
        match self {
            Dialect::Hivekit => notation::Dialect::Hivekit,
            Dialect::Mzinga => notation::Dialect::Mzinga,
            Dialect::Iongier => notation::Dialect::Iongier,
            Dialect::Hivegame => notation::Dialect::Hivegame,
        }
    }
}

/// Whether colours are used.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(super) struct Color {
    /// Whether to use colours: `auto` on a terminal only, and as `NO_COLOR` and `CLICOLOR_FORCE` say
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: When,
}

impl Color {
    /// Whether standard output gets colours.
    pub(super) fn is_wanted(self) -> bool {
        match self.color {
            When::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            When::Always => true,
            When::Never => false,
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

#[derive(clap::ValueEnum, Clone, Copy, Debug, Default)]
enum When {
    Auto,
    Always,
    #[default]
    Never,
}

impl Progress {
    /// What tells how far the work has come.
    pub(super) fn bar(self) -> Bar {
        let is_terminal = io::stderr().is_terminal();
        match self.progress {
            When::Auto | When::Always if is_terminal => {
                let target = ProgressDrawTarget::stderr_with_hz(10);
                let bar = ProgressBar::with_draw_target(None, target);
                Bar::Line(bar.with_style(ProgressStyle::default_spinner()))
            }
            When::Always => Bar::Log(Cell::new(Instant::now())),
            When::Auto | When::Never => Bar::Nothing,
        }
    }
}

/// How often a file is told about the progress.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Tells how far the work has come.
pub(super) enum Bar {
    /// A line on the terminal that changes.
    Line(ProgressBar),
    /// Now and then a line in a file: it was told last at this time.
    Log(Cell<Instant>),
    Nothing,
}

impl Bar {
    /// Tells how far the work has come.
    pub(super) fn tell(&self, files: usize, games: usize) {
        let message = || format!("{files} files, {games} games");
        match self {
            Bar::Line(bar) => {
                bar.tick();
                bar.set_message(message());
            }
            Bar::Log(last) if last.get().elapsed() >= LOG_EVERY => {
                last.set(Instant::now());
                // It does no harm if nobody reads it.
                let _ = writeln!(io::stderr(), "{}", message());
            }
            Bar::Log(_) | Bar::Nothing => {}
        }
    }

    /// Does something that writes to the terminal, which the line would disturb.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match self {
            Bar::Line(bar) => bar.suspend(write),
            Bar::Log(_) | Bar::Nothing => write(),
        }
    }

    /// The same for what goes to standard output.
    pub(super) fn suspend_for_output<T>(&self, write: impl FnOnce() -> T) -> T {
        if io::stdout().is_terminal() { self.suspend(write) } else { write() }
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if let Bar::Line(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// When two positions are the same.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(super) enum SameLevel {
    /// The same pieces on the same cells, and the same one moved last
    Exact,
    /// The same kinds of pieces, anywhere on the plane; who moved last counts where it changes what is legal
    Shifted,
    /// The same, turned and mirrored in any way
    Turned,
    /// The same with exchanged colours, too
    #[value(name = "turned+colours")]
    TurnedColours,
}

impl SameLevel {
    pub(super) fn level(self) -> position::Same {
        match self {
            SameLevel::Exact => position::Same::Exact,
            SameLevel::Shifted => position::Same::Shifted,
            SameLevel::Turned => position::Same::Turned,
            SameLevel::TurnedColours => position::Same::TurnedColours,
        }
    }
}
