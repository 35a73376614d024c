//! Which games are meant: by players, result, date, length and the like.
use crate::{
    query::{Date, Likeness, Number, Query, Relation, Text, cause_words},
    rules::{Color, GameType},
};

/// All of these have to hold.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Criteria {
    /// The name of a player of either colour; given twice, both played
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// The name of White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The name of Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Who won
    #[arg(long, value_enum)]
    result: Option<Won>,
    /// Why the game ended: board, resignation, time, agreement, repetition, adjudication, forfeit, or unknown
    #[arg(long, value_name = "CAUSE", value_parser = cause)]
    cause: Option<String>,
    /// The game type, such as `Base+MLP`
    #[arg(long, value_name = "TYPE")]
    r#type: Option<GameType>,
    /// The shape of the opening, as `classify` tells it, such as C; `none` for no shape
    #[arg(long, value_name = "CODE")]
    opening_shape: Option<String>,
    /// Not before this day, month or year, such as 2024, 2024.05 or 2024-05-31
    #[arg(long, value_name = "DATE", value_parser = date)]
    since: Option<Date>,
    /// Not after it
    #[arg(long, value_name = "DATE", value_parser = date)]
    until: Option<Date>,
    /// Both players are rated at least so
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    min_rating: Option<i64>,
    /// At least so many plies
    #[arg(long, value_name = "N")]
    min_plies: Option<u32>,
    /// At most so many plies
    #[arg(long, value_name = "N")]
    max_plies: Option<u32>,
    /// A question, such as `rating_gap > 300`
    #[arg(long, value_name = "QUESTION")]
    r#where: Option<Query>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Won {
    White,
    Black,
    /// Nobody
    Draw,
    /// The game did not end, or nobody knows how
    Open,
}

fn date(text: &str) -> Result<Date, String> {
    text.parse().map_err(|expected| format!("expected {expected}"))
}

fn cause(text: &str) -> Result<String, String> {
    let known: Vec<_> = cause_words().collect();
    if known.contains(&text) {
        Ok(text.to_owned())
    } else {
        Err(format!("it is one of {}", known.join(", ")))
    }
}

impl Criteria {
    /// All that is asked, as one question.
    pub(super) fn query(&self) -> Query {
        let is = |text, word: &str| {
            Query::Match(text, Likeness::Relation(Relation::Equal, word.to_lowercase()))
        };
        let contains =
            |text, part: &String| Query::Match(text, Likeness::Contains(part.to_lowercase()));
        let date = |relation, date: &Date| {
            Query::Match(Text::Date, Likeness::Date(relation, date.clone()))
        };
        let number =
            |number, relation, other: i64| Query::Compare(number, relation, Number::Literal(other));
        let mut all = Vec::new();
        all.extend(self.player.iter().map(|name| contains(Text::AnyPlayer, name)));
        all.extend(self.white.iter().map(|name| contains(Text::Player(Color::White), name)));
        all.extend(self.black.iter().map(|name| contains(Text::Player(Color::Black), name)));
        all.extend(self.result.map(|won| is(Text::Result, won.word())));
        all.extend(self.cause.iter().map(|cause| is(Text::Cause, cause)));
        all.extend(self.r#type.map(|game_type| is(Text::Type, &game_type.to_string())));
        all.extend(self.opening_shape.iter().map(|code| is(Text::Opening, code)));
        all.extend(self.since.iter().map(|day| date(Relation::AtLeast, day)));
        all.extend(self.until.iter().map(|day| date(Relation::AtMost, day)));
        for color in Color::BOTH {
            let rating = Number::Rating(color);
            all.extend(self.min_rating.map(|least| number(rating, Relation::AtLeast, least)));
        }
        let plies = |relation| move |plies: u32| number(Number::Plies, relation, plies.into());
        all.extend(self.min_plies.map(plies(Relation::AtLeast)));
        all.extend(self.max_plies.map(plies(Relation::AtMost)));
        all.extend(self.r#where.clone());
        Query::And(all)
    }
}

impl Won {
    fn word(self) -> &'static str {
        match self {
            Won::White => "white",
            Won::Black => "black",
            Won::Draw => "draw",
            Won::Open => "open",
        }
    }
}
