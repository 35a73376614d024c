//! `FILE[#GAME][@PLY]`, or a game string: how the user names a position.
use super::{
    Failure, archive,
    args::From,
    chunks::Chunks,
    input::{Input, Unreadable},
};
use crate::{
    diagram,
    finding::Finding,
    game::Game,
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
        match &self.place {
            Place::Text(text) => {
                let mut chunks = Chunks::open("game".to_owned(), text.as_bytes())?;
                self.load_from(&mut chunks, from, options)
            }
            Place::File(path) => {
                let chunks = Input::named(path.clone()).chunks();
                let failure = |unreadable: Unreadable| Failure::Input(unreadable.to_string());
                self.load_from(&mut chunks.map_err(failure)?, from, options)
            }
        }
    }

    fn load_from(
        &self,
        chunks: &mut Chunks<impl Read>,
        from: &From,
        options: RuleOptions,
    ) -> Result<Loaded, Failure> {
        let unreadable =
            |error| Failure::Input(format!("cannot read {}: {error}", self.file_name()));
        let head = chunks.head();
        if from.is_auto() && from.notation(head.text()).is_none() && diagram::sniff(head.text()) {
            return self.load_drawing(&head, options);
        }
        let Some(notation) = from.notation_in(chunks).map_err(unreadable)? else {
            let unknown = archive::unknown(&head);
            return Err(Failure::Input(format!("{}: {}", head.name(), unknown.message)));
        };
        let mut count = 0;
        let mut found = None;
        while let Some(source) = chunks.next(notation).map_err(unreadable)? {
            for record in notation.read(&source) {
                count += 1;
                if found.is_some() {
                    let name = source.name();
                    let message =
                        format!("{name} has several games: say which one, as in `{name}#1`");
                    return Err(Failure::Input(message));
                }
                if self.game.is_none_or(|game| game == count) {
                    found = Some(Self::replayed(&source, record, options));
                }
                if self.game == Some(count) {
                    break;
                }
            }
            if self.game == Some(count) {
                break;
            }
        }
        let missing = || {
            let (name, game) = (self.file_name(), self.game.unwrap_or(1));
            Failure::Input(format!("{name} has no game {game}: it has {count}"))
        };
        let (game, fault) = found.ok_or_else(missing)??;
        self.at_ply(game, fault)
    }

    /// The legal part of a game, and what is wrong with the rest of it.
    fn replayed(
        source: &Source,
        record: Result<Record, Finding>,
        options: RuleOptions,
    ) -> Result<(Game, Option<String>), Failure> {
        let record = record.map_err(|finding| Failure::Game(sentence(source, &finding)))?;
        let replayed = Replayer::new(options).replay(&record);
        Ok((replayed.game, replayed.fault.map(|finding| sentence(source, &finding))))
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

    fn load_drawing(&self, source: &Source, options: RuleOptions) -> Result<Loaded, Failure> {
        if self.game.is_some() || self.ply.is_some() {
            let message = format!("{} is a drawing: it has no games and plies", source.name());
            return Err(Failure::Input(message));
        }
        let position = diagram::read(source.text(), options.opening)
            .map_err(|error| Failure::Game(format!("{}: {error}", source.name())))?;
        Ok(Loaded { position, game: None, ply: 0, fault: None })
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
