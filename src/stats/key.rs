//! By what games can be grouped.
use super::View;
use crate::{
    opening::Table,
    rules::{Color, Outcome},
};
use std::{fmt, str::FromStr};

/// By what games are grouped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// The name of the player: each game counts for both.
    Player,
    /// The name of the other player.
    Opponent,
    /// The side: each game counts for both.
    Colour,
    /// The game type.
    Type,
    /// The year of the date.
    Year,
    /// The year and the month.
    Month,
    /// The shape of the opening.
    Opening,
    /// Who won.
    Result,
    /// Why the game ended.
    Cause,
    /// How many plies it has, in steps of so many.
    Length(u64),
    /// The file.
    File,
    /// The value of a tag.
    Tag(String),
}

/// The words for keys, without those that have a part of their own.
const WORDS: &[(&str, Key)] = &[
    ("player", Key::Player),
    ("opponent", Key::Opponent),
    ("colour", Key::Colour),
    ("type", Key::Type),
    ("year", Key::Year),
    ("month", Key::Month),
    ("opening", Key::Opening),
    ("result", Key::Result),
    ("cause", Key::Cause),
    ("file", Key::File),
];

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        let known = WORDS.iter().find(|(word, _)| *word == text).map(|(_, key)| key.clone());
        let step = |part: &str| part.parse().ok().filter(|&step| step > 0).map(Key::Length);
        let length = text.strip_prefix("length:").and_then(step);
        let tag = text.strip_prefix("tag:").filter(|name| !name.is_empty());
        known.or(length).or_else(|| tag.map(|name| Key::Tag(name.to_owned()))).ok_or_else(|| {
            let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
            format!("it is one of {}, `length:N` or `tag:NAME`", words.join(", "))
        })
    }
}

/// The name of the column.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Length(_) => f.write_str("length"),
            Key::Tag(name) => f.write_str(name),
            key => {
                let word = WORDS.iter().find(|(_, known)| known == key);
                f.write_str(word.map_or("", |(word, _)| word))
            }
        }
    }
}

impl Key {
    /// The key as it is asked for.
    pub fn spelled(&self) -> String {
        match self {
            Key::Length(step) => format!("length:{step}"),
            Key::Tag(name) => format!("tag:{name}"),
            key => key.to_string(),
        }
    }

    /// Whether it asks for the sides, so that each game counts once for each.
    pub fn is_of_side(&self) -> bool {
        matches!(self, Key::Player | Key::Opponent | Key::Colour)
    }

    /// A value as it is shown.
    pub fn shown(&self, value: &str) -> String {
        let plain = |number: &str| match number.trim_start_matches('0') {
            "" => "0".to_owned(),
            number => number.to_owned(),
        };
        match self {
            Key::Length(_) => value.split('-').map(plain).collect::<Vec<_>>().join("-"),
            _ => value.to_owned(),
        }
    }

    /// The value of a game; empty where it is not known. Values are in the order of their texts.
    pub fn value(&self, view: View<'_>) -> String {
        let View { game, side, .. } = view;
        let tag = |name: &str| game.tag(name).unwrap_or_default().to_owned();
        let name =
            |color: Option<Color>| color.map_or(String::new(), |color| tag(&color.to_string()));
        match self {
            Key::Player => name(side),
            Key::Opponent => name(side.map(Color::other)),
            Key::Colour => side.map_or("", word).to_owned(),
            Key::Type => game.game_type().to_string(),
            Key::Year => part_of_date(&tag("Date"), 4),
            Key::Month => part_of_date(&tag("Date"), 7),
            Key::Opening => {
                Table::shapes().opening(game).map_or("none", |o| o.code.as_str()).to_owned()
            }
            Key::Result => game.result().to_owned(),
            Key::Cause => game.cause().map_or("unknown", |cause| cause.word()).to_owned(),
            Key::Length(step) => {
                let plies = game.turns().len() as u64;
                let first = plies / step * step;
                format!("{first:06}-{:06}", first + step - 1)
            }
            Key::File => view.file.to_owned(),
            Key::Tag(name) => game.fact(name).unwrap_or_default().into_owned(),
        }
    }
}

fn word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The beginning of a date, if it is known so far.
fn part_of_date(date: &str, length: usize) -> String {
    let part = date.get(..length).unwrap_or_default();
    let is_known = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_known { part.to_owned() } else { String::new() }
}

/// How a game ended for a side, or for White if it counts as a whole: as wins, draws and losses.
pub(super) fn result_of(view: View<'_>) -> Option<[u64; 3]> {
    let side = view.side.unwrap_or(Color::White);
    Some(match view.game.outcome()? {
        Outcome::Draw => [0, 1, 0],
        outcome if outcome == Outcome::win(side) => [1, 0, 0],
        _ => [0, 0, 1],
    })
}
