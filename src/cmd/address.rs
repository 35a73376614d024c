//! `FILE[#GAME][@PLY]`, or a game string: how the user names a position.
use super::{
    Failure, archive,
    args::From,
    chunks::Chunks,
    content::{self, Content, Found},
    input::{Encoding, Input, Stream, is_member},
};
use crate::{
    finding::Finding,
    game::Game,
    notation::Notation,
    position::{self, Form, ReadError},
    record::Record,
    replay::{Attempt, Replayer, RuleOptions},
    rules::{GameType, Position},
    source::Source,
};
use std::{
    io::Read,
    path::{Path, PathBuf},
};

/// How a user names a game of a file, or a position of it.
pub(super) fn name_of(file: &str, game: usize, ply: Option<usize>) -> String {
    let ply = ply.map(|ply| format!("@{ply}")).unwrap_or_default();
    format!("{file}#{game}{ply}")
}

/// Which ply of a game is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ply {
    /// After as many plies; 0 is before the first.
    After(usize),
    /// As many plies before the end; 0 is the end.
    BeforeEnd(usize),
}

impl std::str::FromStr for Ply {
    type Err = String;

    fn from_str(text: &str) -> Result<Ply, String> {
        let wrong = || "a ply is a number, a negative number, or `last`".to_owned();
        match text.strip_prefix('-') {
            _ if text == "last" => Ok(Ply::BeforeEnd(0)),
            Some(back) => back.parse().map(Ply::BeforeEnd).map_err(|_| wrong()),
            None => text.parse().map(Ply::After).map_err(|_| wrong()),
        }
    }
}

/// Where to find a game.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    File(PathBuf),
    Text(String),
}

/// A position as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    place: Place,
    /// The number of the game in the file, from 1.
    game: Option<usize>,
    ply: Option<Ply>,
}

impl Address {
    /// Takes a name apart. An existing file of the whole name wins.
    pub(super) fn of(text: &str) -> Result<Address, Failure> {
        let is_file =
            |name: &str| name == "-" || Path::new(name).exists() && !Path::new(name).is_dir();
        let at_file = |name: &str, game, ply| {
            is_file(name).then(|| Address { place: Place::File(PathBuf::from(name)), game, ply })
        };
        let (rest, ply) = cut_suffix(text, '@');
        let (file, game) = cut_suffix(rest, '#');
        if let Some(address) = at_file(text, None, None).or_else(|| at_file(rest, None, ply)) {
            return Ok(address);
        }
        if let Some(address) = game.and_then(|game| at_file(file, Some(game), ply)) {
            return Ok(address);
        }
        if is_member(Path::new(file)) {
            return Ok(Address { place: Place::File(PathBuf::from(file)), game, ply });
        }
        let is_game = rest.contains(';')
            || rest.parse::<GameType>().is_ok()
            || position::detect(text).is_some();
        if !is_game {
            let what = if Path::new(text).is_dir() {
                "is a folder: name a file in it"
            } else {
                "is neither a file, FILE#GAME@PLY, a game string, nor a position"
            };
            let first = text.lines().next().unwrap_or_default();
            return Err(Failure::Input(format!("`{first}` {what}")));
        }
        Ok(Address { place: Place::Text(rest.to_owned()), game: None, ply })
    }

    /// The ply after which a position is meant, if it is told by its number.
    pub(super) fn ply_after(&self) -> Option<usize> {
        match self.ply {
            Some(Ply::After(ply)) => Some(ply),
            Some(Ply::BeforeEnd(_)) | None => None,
        }
    }

    /// Whether a ply is named.
    pub(super) fn has_ply(&self) -> bool {
        self.ply.is_some()
    }

    /// The same after another ply.
    pub(super) fn after(&self, ply: usize) -> Address {
        Address { ply: Some(Ply::After(ply)), ..self.clone() }
    }

    /// The same with another ply, if one is given.
    pub(super) fn with_ply(self, ply: Option<Ply>) -> Result<Address, Failure> {
        if ply.is_some() && self.ply.is_some() {
            return Err(Failure::Input(
                "the ply is given twice, after `@` and by an option".to_owned(),
            ));
        }
        Ok(Address { ply: ply.or(self.ply), ..self })
    }

    /// Loads the game and goes to the ply, or reads the position.
    pub(super) fn load(&self, from: &From, options: RuleOptions) -> Result<Loaded, Failure> {
        let mut first = None;
        let only = Search { address: self, from, options, takes_all: false, count: 0 };
        let count = only.run(&mut |found| {
            first = Some(found);
            true
        });
        first.unwrap_or_else(|| Err(self.missing(count)))
    }

    /// The same for every game and every position of the file, unless the address names one, until `visit` has enough.
    pub(super) fn each(
        &self,
        from: &From,
        options: RuleOptions,
        visit: &mut dyn FnMut(Result<Loaded, Failure>) -> bool,
    ) {
        let mut goes_on = true;
        let all = Search { address: self, from, options, takes_all: true, count: 0 };
        let count = all.run(&mut |found| {
            goes_on = visit(found);
            goes_on
        });
        if count == 0 || self.game.is_some_and(|game| game == 0 || game > count) && goes_on {
            visit(Err(self.missing(count)));
        }
    }

    fn missing(&self, count: usize) -> Failure {
        let (name, game) = (self.file_name(), self.game.unwrap_or(1));
        Failure::Input(format!("{name} has no game {game}: it has {count}"))
    }

    fn file_name(&self) -> String {
        match &self.place {
            Place::Text(_) => "game".to_owned(),
            Place::File(path) => path.display().to_string(),
        }
    }

    fn at_ply(
        &self,
        game: Game,
        fault: Option<String>,
        stopped: Option<Box<Stopped>>,
    ) -> Result<Loaded, Failure> {
        let plies = game.turns().len();
        let ply = match self.ply.unwrap_or(Ply::BeforeEnd(0)) {
            Ply::After(ply) => Some(ply).filter(|&ply| ply <= plies),
            Ply::BeforeEnd(back) => plies.checked_sub(back),
        };
        let Some(ply) = ply else {
            return Err(fault.map_or_else(
                || Failure::Input(format!("the game has {plies} plies")),
                Failure::Game,
            ));
        };
        // What is wrong after the place that was asked for does not matter.
        let fault = fault.filter(|_| !matches!(self.ply, Some(Ply::After(_))));
        let position = game.position(ply);
        Ok(Loaded { position, game: Some(game), ply, fault, stopped })
    }
}

/// A search for what an address names, through one stream after the other.
struct Search<'a> {
    address: &'a Address,
    from: &'a From,
    options: RuleOptions,
    /// Whether all games of a file are meant where the address names none.
    takes_all: bool,
    /// How many games have been seen, or positions.
    count: usize,
}

/// Takes what was found; whether to go on.
type Visit<'v> = &'v mut dyn FnMut(Result<Loaded, Failure>) -> bool;

impl Search<'_> {
    /// Looks through everything, and returns how many games and positions there were.
    fn run(mut self, visit: Visit<'_>) -> usize {
        match &self.address.place {
            Place::Text(text) => {
                let mut reader = text.as_bytes();
                match Chunks::open("game".to_owned(), &mut reader as &mut dyn Read) {
                    Ok(mut chunks) => {
                        self.look_in(&mut chunks, visit);
                    }
                    Err(error) => {
                        self.fail(format!("cannot read the game: {error}"), visit);
                    }
                }
            }
            Place::File(path) => {
                let input = Input::named(path.clone());
                input.each_stream(&Encoding::default(), &mut |_, stream| match stream {
                    Ok(mut chunks) => self.look_in(&mut chunks, visit),
                    Err(unreadable) => self.fail(unreadable.to_string(), visit),
                });
            }
        }
        self.count
    }

    /// Looks through a stream; whether to go on with the next one.
    fn look_in(&mut self, chunks: &mut Stream<'_>, visit: Visit<'_>) -> bool {
        let head = chunks.head();
        let content = match Content::of(self.from, chunks) {
            Ok(Some(content)) => content,
            Ok(None) => {
                let unknown = archive::unknown(&head).message;
                return self.fail(format!("{}: {unknown}", head.name()), visit);
            }
            Err(error) => {
                return self.fail(format!("cannot read {}: {error}", head.name()), visit);
            }
        };
        loop {
            match chunks.next(content) {
                Ok(Some(source)) if self.look_at(&source, content, visit) => {}
                Ok(Some(_)) => return false,
                Ok(None) => return true,
                Err(error) => {
                    return self.fail(format!("cannot read {}: {error}", head.name()), visit);
                }
            }
        }
    }

    /// Looks through a piece of a file; whether to go on.
    fn look_at(&mut self, source: &Source, content: Content, visit: Visit<'_>) -> bool {
        match content {
            Content::Games(notation) => self.look_at_games(source, notation, visit),
            Content::Positions(form) => self.look_at_positions(source, form, visit),
        }
    }

    fn fail(&mut self, message: String, visit: Visit<'_>) -> bool {
        self.count += 1;
        visit(Err(Failure::Input(message)))
    }

    /// Looks through the positions of a piece of a file; whether to go on.
    fn look_at_positions(
        &mut self,
        source: &Source,
        form: &'static dyn Form,
        visit: Visit<'_>,
    ) -> bool {
        if self.address.ply.is_some() {
            self.fail(format!("{} is a position: it has no plies", source.name()), visit);
            return false;
        }
        let wanted = self.address.game;
        for Found { span, position } in content::positions(source, form, self.options.rules) {
            self.count += 1;
            if wanted.is_none() && self.count > 1 && !self.takes_all {
                self.fail(self.several("positions"), visit);
                return false;
            }
            if wanted.is_some_and(|wanted| wanted != self.count) {
                continue;
            }
            let told = |error: ReadError| Failure::Game(sentence(source, &error.finding(span)));
            let found = position.map_err(told);
            let goes_on = visit(found.map(Loaded::position));
            if !goes_on || wanted.is_some() {
                return false;
            }
        }
        true
    }

    fn several(&self, what: &str) -> String {
        let name = self.address.file_name();
        format!("{name} has several {what}: say which one, as in `{name}#1`")
    }

    /// Looks through the games of a piece of a file; whether to go on.
    fn look_at_games(
        &mut self,
        source: &Source,
        notation: &dyn Notation,
        visit: Visit<'_>,
    ) -> bool {
        let wanted = self.address.game;
        for record in notation.read(source) {
            self.count += 1;
            if wanted.is_none() && self.count > 1 && !self.takes_all {
                self.fail(self.several("games"), visit);
                return false;
            }
            if wanted.is_none_or(|game| game == self.count) {
                let goes_on = visit(self.replayed(source, record));
                if !goes_on || wanted.is_some() {
                    return false;
                }
            }
        }
        true
    }

    fn replayed(
        &self,
        source: &Source,
        record: Result<Record, Finding>,
    ) -> Result<Loaded, Failure> {
        let record = record.map_err(|finding| Failure::Game(sentence(source, &finding)))?;
        let replayed = Replayer::new(self.options).replay(&record);
        let fault = replayed.fault.as_ref().map(|finding| sentence(source, finding));
        let stopped = replayed.fault.zip(replayed.attempt).map(|(finding, attempt)| {
            let quote = source.quote(finding.span.clone());
            Box::new(Stopped { record, attempt, finding, quote })
        });
        self.address.at_ply(replayed.game, fault, stopped)
    }
}

/// A position that was found.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) position: Position,
    /// The game that it is from, unless it was drawn.
    pub(super) game: Option<Game>,
    /// How many of its turns were played.
    pub(super) ply: usize,
    /// Why the game goes no further, if its next turn is not legal.
    pub(super) fault: Option<String>,
    /// The same with all that an explanation needs.
    pub(super) stopped: Option<Box<Stopped>>,
}

/// Where a record stops being a game.
#[derive(Debug)]
pub(super) struct Stopped {
    pub(super) record: Record,
    pub(super) attempt: Attempt,
    pub(super) finding: Finding,
    /// The text of the ply.
    pub(super) quote: String,
}

impl Loaded {
    /// A position of no game.
    fn position(position: Position) -> Loaded {
        Loaded { position, game: None, ply: 0, fault: None, stopped: None }
    }
}

/// A finding in one line.
pub(super) fn sentence(source: &Source, finding: &Finding) -> String {
    let place = source.place(finding.span.start);
    let ply = finding.ply.map(|ply| format!("ply {ply}: ")).unwrap_or_default();
    format!(
        "{}:{}:{}: {ply}`{}`: {} [{}]",
        source.name(),
        place.line,
        place.column,
        source.quote(finding.span.clone()),
        finding.message,
        finding.code
    )
}

/// A text without what follows the last `sign`, if that can be read.
fn cut_suffix<T: std::str::FromStr>(text: &str, sign: char) -> (&str, Option<T>) {
    match text.rsplit_once(sign) {
        Some((rest, suffix)) => match suffix.parse() {
            Ok(value) => (rest, Some(value)),
            Err(_) => (text, None),
        },
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ply_is_counted_from_either_end() {
        for (text, ply) in [
            ("0", Ply::After(0)),
            ("12", Ply::After(12)),
            ("last", Ply::BeforeEnd(0)),
            ("-3", Ply::BeforeEnd(3)),
        ] {
            assert_eq!(text.parse(), Ok(ply), "{text}");
        }
        for text in ["", "-", "x", "1.5", "--1"] {
            assert!(text.parse::<Ply>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_game_string_may_have_a_ply() {
        let address = Address::of("Base;InProgress;Black[1];wS1@0").unwrap();
        assert_eq!(address.ply, Some(Ply::After(0)));
        assert_eq!(address.place, Place::Text("Base;InProgress;Black[1];wS1".to_owned()));
        assert!(Address::of("no-such-file.pgn").is_err());
    }
}
