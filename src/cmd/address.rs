//! `FILE[#GAME][@PLY]`, or a game string: how the user names a position.
use super::{Failure, args::From, input::Input};
use crate::{
    diagram,
    finding::Finding,
    game::Game,
    replay::{Replayer, RuleOptions},
    rules::{GameType, Position},
    source::Source,
};
use std::path::{Path, PathBuf};

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

    fn source(&self) -> Result<Source, Failure> {
        match &self.place {
            Place::Text(text) => Ok(Source::new("game", text.clone())),
            Place::File(path) => Input { path: path.clone() }
                .read()
                .map_err(|unreadable| Failure::Input(unreadable.to_string())),
        }
    }

    /// Loads the game and goes to the ply, or reads the drawing.
    pub(super) fn load(&self, from: &From, options: RuleOptions) -> Result<Loaded, Failure> {
        let source = self.source()?;
        if from.is_auto() && from.notation(source.text()).is_none() && diagram::sniff(source.text())
        {
            return self.load_drawing(&source, options);
        }
        let notation = from.notation(source.text()).ok_or_else(|| {
            Failure::Input(format!(
                "{}: no notation that hivekit reads begins like this",
                source.name()
            ))
        })?;
        let mut records: Vec<_> = notation.read(&source).collect();
        let count = records.len();
        let record = match self.game {
            None if count == 1 => records.remove(0),
            None => {
                return Err(Failure::Input(format!(
                    "{} has {count} games: say which one, as in `{}#1`",
                    source.name(),
                    source.name()
                )));
            }
            Some(game) if (1..=count).contains(&game) => records.swap_remove(game - 1),
            Some(game) => {
                return Err(Failure::Input(format!(
                    "{} has no game {game}: it has {count}",
                    source.name()
                )));
            }
        };
        let record = record.map_err(|finding| unreadable(&source, &finding))?;
        let replayed = Replayer::new(options).replay(&record);
        let fault = replayed.fault.map(|finding| sentence(&source, &finding));
        self.at_ply(replayed.game, fault)
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

fn unreadable(source: &Source, finding: &Finding) -> Failure {
    Failure::Game(sentence(source, finding))
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
