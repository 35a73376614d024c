//! `FILE[#GAME][@PLY]`, or a game string: how the user names a position.
use super::{
    Failure, archive,
    args::From,
    chunks::Chunks,
    input::{Encoding, Input, Stream, is_member},
};
use crate::{
    finding::Finding,
    game::Game,
    notation::Notation,
    position::diagram,
    record::Record,
    replay::{Replayer, RuleOptions},
    rules::{GameType, Position},
    source::Source,
};
use std::{
    io::Read,
    path::{Path, PathBuf},
};

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
        let is_game = rest.contains(';') || rest.parse::<GameType>().is_ok();
        if !is_game {
            let what = if Path::new(text).is_dir() {
                "is a folder: name a file in it"
            } else {
                "is neither a file, FILE#GAME@PLY, nor a game string"
            };
            return Err(Failure::Input(format!("`{text}` {what}")));
        }
        Ok(Address { place: Place::Text(rest.to_owned()), game: None, ply })
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

    /// Loads the game and goes to the ply, or reads the drawing.
    pub(super) fn load(&self, from: &From, options: RuleOptions) -> Result<Loaded, Failure> {
        let mut search = Search { address: self, from, options, count: 0, found: None };
        match &self.place {
            Place::Text(text) => {
                let mut reader = text.as_bytes();
                search.look_in(&mut Chunks::open("game".to_owned(), &mut reader as &mut dyn Read)?);
            }
            Place::File(path) => {
                Input::named(path.clone()).each_stream(&Encoding::default(), &mut |_, stream| {
                    match stream {
                        Ok(mut chunks) => search.look_in(&mut chunks),
                        Err(unreadable) => {
                            search.found = Some(Err(Failure::Input(unreadable.to_string())));
                            false
                        }
                    }
                });
            }
        }
        let Search { count, found, .. } = search;
        let missing = || {
            let (name, game) = (self.file_name(), self.game.unwrap_or(1));
            Failure::Input(format!("{name} has no game {game}: it has {count}"))
        };
        match found.ok_or_else(missing)?? {
            Found::Drawing(position) => {
                Ok(Loaded { position: *position, game: None, ply: 0, fault: None })
            }
            Found::Game(game, fault) => self.at_ply(game, fault),
        }
    }

    fn file_name(&self) -> String {
        match &self.place {
            Place::Text(_) => "game".to_owned(),
            Place::File(path) => path.display().to_string(),
        }
    }

    fn at_ply(&self, game: Game, fault: Option<String>) -> Result<Loaded, Failure> {
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
        Ok(Loaded { position, game: Some(game), ply, fault })
    }
}

/// What an address leads to.
enum Found {
    Drawing(Box<Position>),
    /// The legal part of a game, and what is wrong with the rest of it.
    Game(Game, Option<String>),
}

/// A search for the game of an address, through one stream after the other.
struct Search<'a> {
    address: &'a Address,
    from: &'a From,
    options: RuleOptions,
    /// How many games have been seen.
    count: usize,
    found: Option<Result<Found, Failure>>,
}

impl Search<'_> {
    /// Looks through a stream; whether to go on with the next one.
    fn look_in(&mut self, chunks: &mut Stream<'_>) -> bool {
        let head = chunks.head();
        let is_drawing = self.from.is_auto()
            && self.from.notation(head.text()).is_none()
            && diagram::sniff(head.text());
        if is_drawing {
            self.found = Some(self.drawing(&head));
            return false;
        }
        let notation = match self.from.notation_in(chunks) {
            Ok(Some(notation)) => notation,
            Ok(None) => {
                let unknown = archive::unknown(&head).message;
                return self.fail(format!("{}: {unknown}", head.name()));
            }
            Err(error) => return self.fail(format!("cannot read {}: {error}", head.name())),
        };
        loop {
            match chunks.next(notation) {
                Ok(Some(source)) if self.look_at_games(&source, notation) => {}
                Ok(Some(_)) => return false,
                Ok(None) => return true,
                Err(error) => return self.fail(format!("cannot read {}: {error}", head.name())),
            }
        }
    }

    fn fail(&mut self, message: String) -> bool {
        self.found = Some(Err(Failure::Input(message)));
        false
    }

    /// Looks through the games of a piece of a file; whether to go on.
    fn look_at_games(&mut self, source: &Source, notation: &dyn Notation) -> bool {
        for record in notation.read(source) {
            self.count += 1;
            let wanted = self.address.game;
            if wanted.is_none() && self.count > 1 {
                let name = self.address.file_name();
                let message = format!("{name} has several games: say which one, as in `{name}#1`");
                return self.fail(message);
            }
            if wanted.is_none_or(|game| game == self.count) {
                self.found = Some(self.replayed(source, record));
            }
            if wanted == Some(self.count) {
                return false;
            }
        }
        true
    }

    fn replayed(&self, source: &Source, record: Result<Record, Finding>) -> Result<Found, Failure> {
        let record = record.map_err(|finding| Failure::Game(sentence(source, &finding)))?;
        let replayed = Replayer::new(self.options).replay(&record);
        let fault = replayed.fault.map(|finding| sentence(source, &finding));
        Ok(Found::Game(replayed.game, fault))
    }

    fn drawing(&self, source: &Source) -> Result<Found, Failure> {
        if self.address.game.is_some() || self.address.ply.is_some() {
            let message = format!("{} is a drawing: it has no games and plies", source.name());
            return Err(Failure::Input(message));
        }
        let position = diagram::read(source.text(), self.options.opening)
            .map_err(|error| Failure::Game(format!("{}: {error}", source.name())))?;
        Ok(Found::Drawing(Box::new(position)))
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
