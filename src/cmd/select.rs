//! What `find` and `filter` have in common: how what they select is shown.
use super::{
    Failure, Verdict,
    address::name_of,
    content::Content,
    games::{Batch, Candidate, enough},
    input::Inputs,
    position::Form,
    records::{Records, Text, To, Written},
    rows::{Columns, Format, formats},
};
use crate::{
    game::Game,
    record::Cause,
    report::{Cell, RowWriter},
    rules::Position,
};
use std::io::{self, Write};

/// How what was selected is shown.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Show {
    /// Print how many there are, for each file if there are several
    #[arg(short, long, conflicts_with_all = ["files_with_matches", "output", "to", "form"])]
    count: bool,
    /// Print the names of the files in which there is one
    #[arg(short = 'l', long, conflicts_with_all = ["output", "to", "form"])]
    files_with_matches: bool,
    /// Take no more than so many of each file
    #[arg(short, long, value_name = "N")]
    max_count: Option<usize>,
    /// Select the games that are not so
    #[arg(short = 'v', long)]
    pub(super) invert_match: bool,
    /// What to print of each
    #[arg(long, value_enum, value_name = "WHAT")]
    output: Option<What>,
    #[command(flatten)]
    to: To,
    /// Print the positions, in this form [default: exact]
    #[arg(long, value_enum, conflicts_with_all = ["to", "format"])]
    form: Option<Form>,
    /// Print rows, in this format [default: table]
    #[arg(long, value_name = "FORMAT", value_parser = formats(),
          conflicts_with_all = ["count", "files_with_matches", "to"])]
    format: Option<Format>,
    #[command(flatten)]
    columns: Columns,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// FILE#GAME, with @PLY where it is about a ply: every command that takes a game takes these
    Addresses,
    /// The games, as they stand, or in the notation of --to
    Records,
    /// The positions, in the form of --form: of games that are selected as a whole the last one
    Positions,
    /// Rows with the address and what is known of the game
    Rows,
}

/// What a game was selected for: itself, or some of its plies.
#[derive(Clone, Debug)]
pub(super) enum Hit {
    Game,
    Plies(Vec<usize>),
}

/// A game that was selected, as it is shown.
pub(super) struct Selected {
    hit: Hit,
    /// The game as it is written, where it is.
    text: Text,
    /// Its positions, where they are.
    positions: Vec<Result<String, String>>,
    /// The line on which it begins.
    line: usize,
    /// What is known of it, where it is told.
    about: Vec<Cell>,
}

/// The columns of rows.
const COLUMNS: &[&str] = &[
    "address", "file", "game", "ply", "line", "white", "black", "result", "cause", "plies", "type",
    "date",
];

/// What rows tell of a game, or of a position.
fn about(found: &Candidate<'_>) -> Vec<Cell> {
    let text = |text: Option<&str>| text.map_or(Cell::Missing, |text| Cell::Text(text.to_owned()));
    let game = found.game;
    let tag = |name| text(game.and_then(|game| game.tag(name)));
    vec![
        tag("White"),
        tag("Black"),
        text(game.map(Game::result)),
        text(game.and_then(Game::cause).map(Cause::word)),
        game.map_or(Cell::Missing, |game| Cell::Count(game.turns().len() as u64)),
        text(Some(&found.position.game_type().to_string())),
        tag("Date"),
    ]
}

impl Show {
    /// What is printed: as the user says, else what the command prints by itself; nothing where files are counted.
    fn what(&self, default: What) -> Option<What> {
        let names_rows = self.format.is_some() || self.columns.are_named();
        let implied = match (self.to.is_named(), self.form) {
            (true, _) => What::Records,
            (false, Some(_)) => What::Positions,
            (false, None) if names_rows => What::Rows,
            (false, None) => default,
        };
        let what = self.output.unwrap_or(implied);
        (!self.count && !self.files_with_matches).then_some(what)
    }

    /// Refuses options that contradict each other.
    pub(super) fn check(&self, default: What) -> Result<(), Failure> {
        let what = self.what(default);
        let options = [
            (self.to.is_named(), "--to", What::Records, "records"),
            (self.form.is_some(), "--form", What::Positions, "positions"),
            (self.format.is_some(), "--format", What::Rows, "rows"),
            (self.columns.are_named(), "--columns", What::Rows, "rows"),
        ];
        let wrong =
            options.iter().find(|(is_given, _, needs, _)| *is_given && what != Some(*needs));
        match wrong {
            Some((_, option, _, word)) => {
                Err(Failure::Input(format!("{option} is for --output {word}")))
            }
            None => Ok(()),
        }
    }

    /// A selected game as it will be shown.
    pub(super) fn selected(&self, found: &mut Candidate<'_>, hit: Hit, default: What) -> Selected {
        let mut selected = Selected {
            hit,
            text: Ok(Written::default()),
            positions: Vec::new(),
            line: 0,
            about: Vec::new(),
        };
        match self.what(default) {
            Some(What::Records) => selected.text = self.to.text(found),
            Some(What::Positions) => selected.positions = self.positions(found, &selected.hit),
            Some(What::Rows) => (selected.line, selected.about) = (found.line(), about(found)),
            Some(What::Addresses) | None => {}
        }
        selected
    }

    /// How positions are written.
    fn form(&self) -> Form {
        self.form.unwrap_or(Form::Exact)
    }

    /// The texts of the positions for which a game was selected.
    fn positions(&self, found: &mut Candidate<'_>, hit: &Hit) -> Vec<Result<String, String>> {
        let text = |position: &mut Position| self.form().text(position, false);
        let (Some(game), Hit::Plies(plies)) = (found.game, hit) else {
            let mut last = found.game.map(|game| game.position(game.turns().len()));
            return vec![text(last.as_mut().unwrap_or(found.position))];
        };
        let mut position = game.position(0);
        let mut texts = Vec::new();
        for ply in 0..=game.turns().len() {
            if plies.contains(&ply) {
                texts.push(text(&mut position));
            }
            game.turns().get(ply).inspect(|&&turn| position.make(turn));
        }
        texts
    }

    /// Begins to print.
    pub(super) fn printer<'o>(
        &'o self,
        inputs: &Inputs,
        default: What,
        out: &'o mut dyn Write,
    ) -> Result<Printer<'o>, Failure> {
        let what = self.what(default);
        let sink = match what {
            Some(What::Rows) => {
                Sink::Rows(self.columns.open(self.format.unwrap_or_default(), COLUMNS, out)?)
            }
            _ => Sink::Lines(out),
        };
        let is_one_file = inputs.is_one_file();
        let (records, file) = (self.to.records(), String::new());
        Ok(Printer {
            show: self,
            what,
            sink,
            is_one_file,
            names_files: !is_one_file,
            records,
            file,
            in_file: 0,
            total: 0,
        })
    }
}

enum Sink<'o> {
    Lines(&'o mut dyn Write),
    Rows(Box<dyn RowWriter + 'o>),
}

/// Prints what was selected.
pub(super) struct Printer<'o> {
    show: &'o Show,
    what: Option<What>,
    sink: Sink<'o>,
    is_one_file: bool,
    names_files: bool,
    records: Records,
    file: String,
    in_file: usize,
    total: usize,
}

impl Printer<'_> {
    /// Prints what was selected of a part of a file.
    ///
    /// # Errors
    ///
    /// Fails where games as they stand are of several notations, and where the output cannot be written.
    pub(super) fn take(&mut self, batch: Batch<Selected>) -> io::Result<()> {
        if batch.is_first {
            // An archive can hold several.
            self.names_files |= !self.file.is_empty();
            self.end_file()?;
            self.file.clone_from(&batch.file);
        }
        for (number, selected) in batch.results {
            self.game(number, &selected, batch.content)?;
        }
        let has_enough = self.show.max_count.is_some_and(|most| self.in_file >= most)
            || self.show.files_with_matches && self.in_file > 0;
        if has_enough && self.is_one_file { Err(enough()) } else { Ok(()) }
    }

    /// Prints one game, or its plies.
    fn game(&mut self, number: usize, selected: &Selected, content: Content) -> io::Result<()> {
        let left = self.show.max_count.map_or(usize::MAX, |most| most.saturating_sub(self.in_file));
        let plies: Vec<Option<usize>> = match &selected.hit {
            Hit::Game => vec![None],
            Hit::Plies(plies) => plies.iter().copied().map(Some).collect(),
        };
        let plies = &plies[..plies.len().min(left)];
        let is_first_of_file = self.in_file == 0 && !plies.is_empty();
        self.in_file += plies.len();
        self.total += plies.len();
        if self.show.files_with_matches && is_first_of_file {
            let Printer { sink, file, .. } = self;
            return sink.line(file);
        }
        match self.what {
            Some(What::Records) if !plies.is_empty() => match &mut self.sink {
                Sink::Lines(out) => {
                    let address = || name_of(&self.file, number, None);
                    self.records.write(&selected.text, content, address, *out)
                }
                Sink::Rows(_) => Ok(()),
            },
            Some(What::Positions) => {
                let is_first = self.total == plies.len();
                let Printer { sink, show, file, .. } = self;
                let texts = selected.positions.iter().zip(plies).enumerate();
                texts.into_iter().try_for_each(|(at, (text, ply))| {
                    let wrong = |why| format!("{}: {why}", name_of(file, number, *ply));
                    let text = text.as_ref().map_err(|why| io::Error::other(wrong(why)))?;
                    let follows = !is_first || at > 0;
                    let before = if follows { show.form().separator() } else { "" };
                    sink.text(&[before, text].concat())
                })
            }
            Some(What::Addresses) => plies.iter().try_for_each(|ply| {
                let address = name_of(&self.file, number, *ply);
                self.sink.line(&address)
            }),
            Some(What::Rows) => plies.iter().try_for_each(|ply| {
                let address = Cell::Text(name_of(&self.file, number, *ply));
                let ply = ply.map_or(Cell::Missing, |ply| Cell::Count(ply as u64));
                let line = Cell::Count(selected.line as u64);
                let file = Cell::Text(self.file.clone());
                let place = [file, Cell::Count(number as u64), ply, line];
                let address = [address].into_iter().chain(place);
                self.sink.row(address.chain(selected.about.clone()).collect())
            }),
            Some(What::Records) | None => Ok(()),
        }
    }

    /// Ends a file: its count, if that is wanted.
    fn end_file(&mut self) -> io::Result<()> {
        let Printer { file, in_file, .. } = self;
        let is_wanted = self.show.count && !file.is_empty();
        let line = if self.names_files { format!("{file}:{in_file}") } else { in_file.to_string() };
        self.in_file = 0;
        if is_wanted { self.sink.line(&line) } else { Ok(()) }
    }

    /// Ends the output; whether anything was selected, as an exit code of `grep`.
    ///
    /// # Errors
    ///
    /// Passes on the error of the output.
    pub(super) fn finish(
        mut self,
        run: Verdict,
        quiet: bool,
        err: &mut dyn Write,
    ) -> Result<Verdict, Failure> {
        self.end_file()?;
        let told = self.records.tell(quiet, err)?;
        if let Sink::Rows(rows) = self.sink {
            rows.finish()?;
        }
        let nothing = if self.total == 0 { Verdict::Findings } else { Verdict::Clean };
        Ok(run.max(nothing).max(told))
    }
}

impl Sink<'_> {
    fn line(&mut self, line: &str) -> io::Result<()> {
        match self {
            Sink::Lines(out) => writeln!(out, "{line}"),
            Sink::Rows(_) => Ok(()),
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        match self {
            Sink::Lines(out) => out.write_all(text.as_bytes()),
            Sink::Rows(_) => Ok(()),
        }
    }

    fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        match self {
            Sink::Rows(rows) => rows.row(cells),
            Sink::Lines(_) => Ok(()),
        }
    }
}
