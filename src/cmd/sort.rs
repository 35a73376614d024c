use super::{
    Failure, Io, Verdict,
    address::name_of,
    games::{Batch, Reading, Run},
    records::{Text, To},
    sorted::{Room, Sorter},
};
use crate::{game::Game, opening::Table, query::Date, rules::Color};
use serde::{Deserialize, Serialize};
use std::{cmp::Reverse, str::FromStr};

/// Bring games into an order
///
/// Prints the games, as they stand or in another notation, in the order of what --by names. Games that are equal in all of it stay
/// in their order, and what is not known comes last, both ways. An archive of any size is sorted: what memory does not hold goes
/// to temporary files. A game that cannot be read or is not legal is told on standard error and left out, and makes the exit
/// code 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit sort --by date archive.pgn > sorted.pgn
  hivekit sort --by=-rating,date archive/ --to pgn > best-first.pgn
  hivekit sort --by type,plies --tmp-dir /big archive/ --to uhp")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// By what: date, white, black, type, result, cause, opening, plies, rating (of both players, the mean), file, tag:NAME;
    /// `-` before it turns the order round
    #[arg(
        long,
        value_name = "[-]KEY,...",
        value_delimiter = ',',
        required = true,
        allow_hyphen_values = true
    )]
    by: Vec<Order>,
    #[command(flatten)]
    room: Room,
    #[command(flatten)]
    to: To,
}

/// A key, and whether it goes down.
#[derive(Clone, Debug)]
struct Order {
    key: Key,
    goes_down: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    Date,
    White,
    Black,
    Type,
    Result,
    Cause,
    Opening,
    Plies,
    Rating,
    File,
    Tag(String),
}

const WORDS: &[(&str, Key)] = &[
    ("date", Key::Date),
    ("white", Key::White),
    ("black", Key::Black),
    ("type", Key::Type),
    ("result", Key::Result),
    ("cause", Key::Cause),
    ("opening", Key::Opening),
    ("plies", Key::Plies),
    ("rating", Key::Rating),
    ("file", Key::File),
];

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Order, String> {
        let (word, goes_down) = match text.strip_prefix('-') {
            Some(word) => (word, true),
            None => (text, false),
        };
        let known = WORDS.iter().find(|(known, _)| *known == word).map(|(_, key)| key.clone());
        let tag = word.strip_prefix("tag:").filter(|name| !name.is_empty());
        let key = known.or_else(|| tag.map(|name| Key::Tag(name.to_owned())));
        let words = || WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        let key = key.ok_or_else(|| format!("it is one of {}, or tag:NAME", words()))?;
        Ok(Order { key, goes_down })
    }
}

/// What a game is sorted by. Of one key all are of the same kind, or not known, which comes last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Place {
    Number(i64),
    NumberDown(Reverse<i64>),
    Text(String),
    TextDown(Reverse<String>),
    Unknown,
}

impl Order {
    fn place(&self, game: &Game, file: &str) -> Place {
        let text = |text: Option<String>| match text.filter(|text| !text.is_empty()) {
            Some(text) if self.goes_down => Place::TextDown(Reverse(text)),
            Some(text) => Place::Text(text),
            None => Place::Unknown,
        };
        let number = |number: Option<i64>| match number {
            Some(number) if self.goes_down => Place::NumberDown(Reverse(number)),
            Some(number) => Place::Number(number),
            None => Place::Unknown,
        };
        let tag = |name: &str| text(game.fact(name).map(std::borrow::Cow::into_owned));
        match &self.key {
            // One of which only the year is known stands before those of the year.
            Key::Date => text(game.tag("Date").and_then(Date::told).map(|d| d.as_str().to_owned())),
            Key::White => tag("White"),
            Key::Black => tag("Black"),
            Key::Type => text(Some(game.game_type().to_string())),
            Key::Result => text(game.outcome().map(|_| game.result().to_owned())),
            Key::Cause => text(game.cause().map(|cause| cause.word().to_owned())),
            Key::Opening => text(Table::shapes().opening(game).map(|opening| opening.code.clone())),
            Key::Plies => number(game.turns().len().try_into().ok()),
            Key::Rating => {
                let [white, black] = Color::BOTH.map(|color| game.rating(color));
                number(white.zip(black).map(|(white, black)| white + black))
            }
            Key::File => text(Some(file.to_owned())),
            Key::Tag(name) => tag(name),
        }
    }
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut records = args.to.records();
    // No two games have the same number, so none is joined.
    let size = |places: &(Vec<Place>, u64), text: &String| 100 * places.0.len() + text.len();
    let mut sorter = Sorter::new(&args.room, |_: &mut String, _| {}, size);
    let mut seen = 0_u64;
    run.each_game(
        |game, candidate| {
            let file = candidate.source.name();
            let places = args.by.iter().map(|order| order.place(game, file)).collect();
            Some((places, args.to.text(candidate)))
        },
        |batch| {
            let Batch { file, content, results, .. } = batch;
            results.into_iter().try_for_each(|(number, (places, text)): (_, (Vec<_>, Text))| {
                let address = || name_of(&file, number, None);
                let Some(text) = records.accept(&text, content, address)? else { return Ok(()) };
                seen += 1;
                sorter.add((places, seen), String::from_utf8_lossy(text).into_owned())
            })
        },
    )?;
    sorter.each(|_, text| records.put(text.as_bytes(), *out))?;
    let told = records.tell(quiet, run.err)?;
    Ok(run.verdict_of_all().max(told))
}
