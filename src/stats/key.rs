//! By what games can be grouped.
use super::{Tile, View};
use crate::{
    course::Wants,
    hex::Hex,
    opening::{self, Table},
    query::Date,
    rules::{Bug, Color, Outcome, Piece},
};
use std::{collections::BTreeSet, fmt, str::FromStr};

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
    /// The first tiles of a side: each game counts for both.
    Tiles,
    /// The number of the turn on which the queen of a side was placed: each game counts for both.
    QueenTurn,
    /// Who won.
    Result,
    /// Why the game ended.
    Cause,
    /// How many plies it has, in steps of so many.
    Length(u64),
    /// The site that the record names, else the notation.
    Source,
    /// The file.
    File,
    /// The value of a tag.
    Tag(String),
    /// The kind of piece: each game counts for all that it has.
    Kind,
    /// The piece: each game counts for all that it has.
    Piece,
    /// The plies, in steps of so many: each game counts for all that it reaches.
    Ply(u64),
    /// Where pieces came to stand: each game counts for all cells.
    Cell,
    /// How many neighbours the queen of a side has: each game counts for all numbers that came.
    Around,
}

/// The words for keys without those that have a part of their own, with their meaning.
const WORDS: &[(&str, Key, &str)] = &[
    ("player", Key::Player, "The name of the player; each game counts once for each side."),
    (
        "opponent",
        Key::Opponent,
        "The name of the other player; each game counts once for each side.",
    ),
    ("colour", Key::Colour, "`white` or `black`; each game counts once for each side."),
    ("type", Key::Type, "The game type."),
    ("year", Key::Year, "The year of the date."),
    ("month", Key::Month, "The year and the month of the date."),
    ("opening", Key::Opening, "The shape of the opening, as `classify` tells it."),
    (
        "tiles",
        Key::Tiles,
        "The tiles that a side placed or moved on its first four turns, numbered as placed, such as `G1-A1-Q-A1`; each game counts once for each side.",
    ),
    (
        "queen_placed",
        Key::QueenTurn,
        "The number of the turn on which the queen of a side was placed; each game counts once for each side.",
    ),
    ("result", Key::Result, "`white`, `black`, `draw` or `open`."),
    ("cause", Key::Cause, "Why the game ended."),
    ("source", Key::Source, "The site that the record names, else its notation."),
    ("file", Key::File, "The file."),
    (
        "kind",
        Key::Kind,
        "The kind of piece; each game counts once for each that it has, and metrics of turns are of those of its pieces.",
    ),
    (
        "piece",
        Key::Piece,
        "The piece, numbered as placed; each game counts once for each that it has, and metrics of turns are of its own.",
    ),
    (
        "cell",
        Key::Cell,
        "The cell `q,r` where a turn brought a piece, counted from the first one and turned so that the second stands at `1,0`; each game counts once for each cell, and metrics are of these plies.",
    ),
    (
        "around",
        Key::Around,
        "How many neighbours the queen of a side has; each game counts once for each side and number, and metrics are of the plies after which it is so.",
    ),
];

/// The keys that have a part of their own, with their meaning.
const PARTED: &[(&str, &str)] = &[
    ("length:N", "How many plies the game has, in steps of N."),
    (
        "ply:N",
        "The plies, counted from 1, in steps of N; each game counts once for each step that it reaches, and metrics of plies are of these.",
    ),
    ("tag:NAME", "The value of a tag."),
];

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        let known = WORDS.iter().find(|(word, ..)| *word == text).map(|(_, key, _)| key.clone());
        let step = |part: &str| part.parse().ok().filter(|step| (1..=MOST).contains(step));
        let length = || text.strip_prefix("length:").and_then(step).map(Key::Length);
        let ply = || text.strip_prefix("ply:").and_then(step).map(Key::Ply);
        let tag = || {
            let name = text.strip_prefix("tag:").filter(|name| !name.is_empty());
            name.map(|name| Key::Tag(name.to_owned()))
        };
        known.or_else(length).or_else(ply).or_else(tag).ok_or_else(|| {
            let (word, _) = text.split_once(':').unwrap_or((text, ""));
            if matches!(word, "length" | "ply") {
                return format!("{word} takes a number, such as {word}:10");
            }
            let words: Vec<&str> = Key::all().map(|(word, _)| word).collect();
            format!("it is one of {}", words.join(", "))
        })
    }
}

/// The largest step of lengths and plies.
const MOST: u64 = 1_000_000;

/// The name of the column.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Length(_) => f.write_str("length"),
            Key::Ply(_) => f.write_str("ply"),
            Key::Tag(name) => f.write_str(name),
            key => {
                let word = WORDS.iter().find(|(_, known, _)| known == key);
                f.write_str(word.map_or("", |(word, ..)| word))
            }
        }
    }
}

impl Key {
    /// All keys as they are asked for, each with its meaning.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        WORDS.iter().map(|&(word, _, about)| (word, about)).chain(PARTED.iter().copied())
    }

    /// The key as it is asked for.
    pub fn spelled(&self) -> String {
        match self {
            Key::Length(step) => format!("length:{step}"),
            Key::Ply(step) => format!("ply:{step}"),
            Key::Tag(name) => format!("tag:{name}"),
            key => key.to_string(),
        }
    }

    /// Whether its values have an order of their own, which is not that of how often they come.
    pub fn is_in_order(&self) -> bool {
        matches!(
            self,
            Key::Year | Key::Month | Key::QueenTurn | Key::Length(_) | Key::Ply(_) | Key::Around
        )
    }

    /// Whether its values are numbers.
    pub fn is_number(&self) -> bool {
        matches!(self, Key::Year | Key::QueenTurn | Key::Around)
    }

    /// Whether each game counts once for each side.
    pub fn is_of_side(&self) -> bool {
        matches!(
            self,
            Key::Player | Key::Opponent | Key::Colour | Key::Tiles | Key::QueenTurn | Key::Around
        )
    }

    /// What has to be found out of a game.
    pub fn wants(&self) -> Wants {
        let steps = matches!(self, Key::QueenTurn | Key::Ply(_) | Key::Cell | Key::Around);
        Wants { steps, ..Wants::NOTHING }
    }

    /// A value as it is shown.
    pub fn shown(&self, value: &str) -> String {
        let plain = |number: &str| match number.trim_start_matches('0') {
            "" => "0".to_owned(),
            number => number.to_owned(),
        };
        match self {
            Key::Length(_) | Key::Ply(_) => {
                value.split('-').map(plain).collect::<Vec<_>>().join("-")
            }
            Key::QueenTurn => plain(value),
            Key::Cell => cell_of(value).map_or(value.to_owned(), |Hex { q, r }| format!("{q},{r}")),
            _ => value.to_owned(),
        }
    }

    /// The parts of a view that keys tell apart, each with their values.
    pub fn groups<'g>(keys: &[Key], view: &View<'g>) -> Vec<(Vec<String>, View<'g>)> {
        let split = |views: Vec<View<'g>>, key: &Key| -> Vec<_> {
            views.iter().flat_map(|view| key.split(view)).collect()
        };
        let views = keys.iter().fold(vec![view.clone()], split).into_iter();
        views.map(|view| (keys.iter().map(|key| key.value(&view)).collect(), view)).collect()
    }

    /// Whether its groups have whole games, perhaps as one side sees them.
    pub fn is_of_games(&self) -> bool {
        !matches!(self, Key::Kind | Key::Piece | Key::Ply(_) | Key::Cell | Key::Around)
    }

    /// The parts of a view that this key tells apart.
    fn split<'g>(&self, view: &View<'g>) -> Vec<View<'g>> {
        match self {
            Key::Player | Key::Opponent | Key::Colour | Key::Tiles | Key::QueenTurn => {
                by_side(view)
            }
            Key::Kind | Key::Piece => by_tile(*self == Key::Piece, view),
            Key::Ply(step) => by_ply(*step, view),
            Key::Cell => by_cell(view),
            Key::Around => by_side(view).iter().flat_map(by_around).collect(),
            _ => vec![view.clone()],
        }
    }

    /// The value of a view; empty where it is not known. Values are in the order of their texts.
    fn value(&self, view: &View<'_>) -> String {
        let game = view.game;
        let known = |value: &str| if value == "?" { String::new() } else { value.to_owned() };
        let tag = |name: &str| known(game.tag(name).unwrap_or_default());
        let player =
            |color: Option<Color>| color.map_or(String::new(), |color| tag(&color.to_string()));
        match self {
            Key::Player => player(view.side),
            Key::Opponent => player(view.side.map(Color::other)),
            Key::Colour => view.side.map_or("", Color::word).to_owned(),
            Key::Type => game.game_type().to_string(),
            Key::Year => part_of_date(&tag("Date"), 4),
            Key::Month => part_of_date(&tag("Date"), 7),
            Key::Opening => {
                Table::shapes().opening(game).map_or("none", |o| o.code.as_str()).to_owned()
            }
            Key::Tiles => view.side.map_or(String::new(), |side| opening::tiles(game, side)),
            Key::QueenTurn => queen_turn(view).map_or(String::new(), |turn| format!("{turn:06}")),
            Key::Result => game.result().to_owned(),
            Key::Cause => game.cause().map_or("unknown", |cause| cause.word()).to_owned(),
            Key::Length(step) => range(game.turns().len() as u64 / step * step, *step),
            Key::Source => match tag("Site") {
                site if site.is_empty() => view.notation.to_owned(),
                site => site,
            },
            Key::File => view.file.to_owned(),
            Key::Tag(name) => known(&game.fact(name).unwrap_or_default()),
            Key::Kind => view.tile.map_or("", |tile| tile.bug.code()).to_owned(),
            Key::Piece => view.tile.map_or(String::new(), |tile| name(tile, view)),
            Key::Ply(step) => view
                .plies
                .as_ref()
                .map_or(String::new(), |plies| range(plies.start as u64 + 1, *step)),
            Key::Cell => view.cell.map_or(String::new(), spelled),
            Key::Around => view.around.map_or(String::new(), |around| around.to_string()),
        }
    }
}

fn by_side<'g>(view: &View<'g>) -> Vec<View<'g>> {
    match view.side {
        Some(_) => vec![view.clone()],
        None => Color::BOTH.map(|side| View { side: Some(side), ..view.clone() }).into(),
    }
}

/// By piece where it has numbers, else by kind; what is told apart so already stays as it is.
fn by_tile<'g>(has_numbers: bool, view: &View<'g>) -> Vec<View<'g>> {
    if view.tile.is_some_and(|tile| !has_numbers || tile.number.is_some()) {
        return vec![view.clone()];
    }
    let has = view.game.game_type();
    let is_wanted = |bug: Bug| has.count(bug) > 0 && view.tile.is_none_or(|known| known.bug == bug);
    let tiles = Bug::ALL.iter().copied().filter(|&bug| is_wanted(bug)).flat_map(|bug| {
        let numbers = if has_numbers { 1..=has.count(bug) } else { 0..=0 };
        numbers.map(move |number| Tile { bug, number: has_numbers.then_some(number) })
    });
    tiles.map(|tile| View { tile: Some(tile), ..view.clone() }).collect()
}

/// The name of a piece, without the colour.
fn name(tile: Tile, view: &View<'_>) -> String {
    let piece = Piece::new(Color::White, tile.bug, tile.number.unwrap_or(1));
    view.game.game_type().name(piece).to_string()[1..].to_owned()
}

fn by_ply<'g>(step: u64, view: &View<'g>) -> Vec<View<'g>> {
    let (plies, step) = (view.course.steps.len(), usize::try_from(step).unwrap_or(usize::MAX));
    let starts = (0..plies).step_by(step);
    let all = view.plies.clone().unwrap_or(0..plies);
    starts
        .map(|start| start..start.saturating_add(step))
        .filter(|part| part.start < all.end && all.start < part.end)
        .map(|part| View { plies: Some(part), ..view.clone() })
        .collect()
}

fn by_cell<'g>(view: &View<'g>) -> Vec<View<'g>> {
    let course = view.course;
    let counted = view.steps().filter(|step| step.piece.is_some_and(|piece| view.has(piece)));
    let cells: BTreeSet<Hex> =
        counted.filter_map(|step| step.to.map(|to| course.turned(to.hex))).collect();
    cells.into_iter().map(|cell| View { cell: Some(cell), ..view.clone() }).collect()
}

fn by_around<'g>(view: &View<'g>) -> Vec<View<'g>> {
    let side = view.side.map_or(0, |side| side as usize);
    let counts: BTreeSet<u8> = view.steps().filter_map(|step| step.around[side]).collect();
    counts.into_iter().map(|around| View { around: Some(around), ..view.clone() }).collect()
}

/// A range of numbers as a text that is in order.
fn range(first: u64, step: u64) -> String {
    format!("{first:07}-{:07}", first + step - 1)
}

/// By how much coordinates are raised so that their texts are in order.
const RAISED: i32 = 5000;

/// A cell as a text that is in order.
fn spelled(Hex { q, r }: Hex) -> String {
    format!("{:04},{:04}", q + RAISED, r + RAISED)
}

/// The cell that was written so.
pub fn cell_of(text: &str) -> Option<Hex> {
    let (q, r) = text.split_once(',')?;
    let lowered = |number: &str| number.parse::<i32>().ok().map(|number| number - RAISED);
    Some(Hex { q: lowered(q)?, r: lowered(r)? })
}

fn queen_turn(view: &View<'_>) -> Option<u64> {
    let side = view.side?;
    let is_queen = |piece: Piece| piece.bug() == Bug::Queen && piece.color() == side;
    let mut steps = view.course.steps.iter();
    steps.find(|step| step.turn.placed().is_some_and(is_queen)).map(|step| step.number)
}

/// The beginning of a date, if it is known so far.
fn part_of_date(date: &str, length: usize) -> String {
    let told = Date::told(date);
    told.and_then(|date| Some(date.as_str().get(..length)?.to_owned())).unwrap_or_default()
}

/// How a game ended for a side, or for White if it counts as a whole: as wins, draws and losses.
pub(super) fn result_of(view: &View<'_>) -> Option<[u64; 3]> {
    let side = view.side.unwrap_or(Color::White);
    Some(match view.game.outcome()? {
        Outcome::Draw => [0, 1, 0],
        outcome if outcome == Outcome::win(side) => [1, 0, 0],
        _ => [0, 0, 1],
    })
}
