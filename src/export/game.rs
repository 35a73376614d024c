//! The table of games.
use super::{Value, table};
use crate::{
    course::{self, Act, Course, Wants},
    game::Game,
    notation::{self, Style},
    opening::{self, Table},
    query::Date,
    record::Cause,
    rules::{Bug, Color, Key, Piece},
};
use std::sync::Arc;

/// A game, and where it stands.
#[derive(Debug)]
pub struct Played<'g> {
    /// The game.
    pub game: &'g Game,
    /// Its course.
    pub course: &'g Course,
    /// The key of its last position.
    pub last: Key,
    /// The name of the file.
    pub file: Arc<str>,
    /// The notation of the file.
    pub notation: &'static str,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// Where it begins, in bytes from 0.
    pub offset: usize,
}

/// The place of the column with the number.
pub(super) const NUMBER: usize = 2;

table! {
    /// A row a game.
    GAMES = "games" "A row a game." of Played<'_>;
    "game" known Text => "The address of the game, `FILE#NUMBER`, as every command takes it." = |_| Value::Null;
    "file" known Text => "The name of the file as it was named; of a member of an archive `ARCHIVE!MEMBER`." = |played| Value::Shared(played.file.clone());
    "number" known Integer => "The number of the game in its file, from 1." = |_| Value::Null;
    "line" known Integer => "The line of the file on which the game begins, from 1." = |played| Value::count(played.line);
    "byte_offset" known Integer => "Where in the file (unpacked) the game begins, in bytes from 0; exact, where all that stands before it is UTF-8." = |played| Value::count(played.offset);
    "notation" known Text => "The notation of the file, as `notations` lists it." = |played| Value::Word(played.notation);
    "type" known Text => "The game type." = |played| played.game.game_type().to_string().into();
    "white" maybe Text => "The name of White." = |played| played.tag("White");
    "black" maybe Text => "The name of Black." = |played| played.tag("Black");
    "white_rating" maybe Integer => "The rating of White; of a rating with a fraction the whole part." = |played| played.game.rating(Color::White).into();
    "black_rating" maybe Integer => "The rating of Black." = |played| played.game.rating(Color::Black).into();
    "date" maybe Text => "The date as the record tells it, mostly `YYYY.MM.DD`; `?` is what is not known." = |played| played.tag("Date");
    "year" maybe Integer => "The year of the date, if it is known." = |played| played.year().into();
    "event" maybe Text => "The event." = |played| played.tag("Event");
    "site" maybe Text => "The site." = |played| played.tag("Site");
    "result" known Text => "`white`, `black` or `draw`; `open`, if no result is known." = |played| Value::Word(played.game.result());
    "cause" maybe Text => "Why the game ended, if it is known: `board`, `resignation`, `time`, `agreement`, `repetition`, `adjudication` or `forfeit`." = |played| played.game.cause().map(Cause::word).map(Value::Word).into();
    "on_board" known Flag => "Whether the board shows the result: a queen is surrounded." = |played| played.game.ends_on_board().into();
    "plies" known Integer => "The number of plies, passes too." = |played| Value::count(played.game.turns().len());
    "placed" known Integer => "How many of them placed a piece." = |played| played.acts(Act::Place);
    "moved" known Integer => "How many of them moved a piece by itself." = |played| played.acts(Act::Move);
    "abilities" known Integer => "How many of them used an ability on another piece, as a pillbug throws." = |played| played.acts(Act::Ability);
    "passes" known Integer => "How many of them were passes." = |played| played.acts(Act::Pass);
    "white_queen_turn" maybe Integer => "The number of the turn on which White's queen was placed, from 1." = |played| played.queen_turn(Color::White);
    "black_queen_turn" maybe Integer => "The same of Black." = |played| played.queen_turn(Color::Black);
    "opening" maybe Text => "The shape of the opening, as `classify` tells it." = |played| Table::shapes().opening(played.game).map(|o| o.code.as_str()).into();
    "white_tiles" known Text => "The first four tiles of White, such as `G1-A1-Q-A1`." = |played| opening::tiles(played.game, Color::White).into();
    "black_tiles" known Text => "The same of Black." = |played| opening::tiles(played.game, Color::Black).into();
    "repetition_ply" maybe Integer => "The ply with which a position came for the third time (effective definition)." = |played| played.course.third.map_or(Value::Null, Value::count);
    "clock_ms" maybe Integer => "The time in milliseconds that both players used together, if the record tells that of both." = |played| course::clock(played.game).map_or(Value::Null, Value::count);
    "key" known Text => "The key of the last position, 32 hexadecimal digits: the same however the board is turned or mirrored." = |played| format!("{:#}", played.last).into();
    "tags" known Text => "All tags of the record as a JSON object." = |played| played.tags().into();
    "uhp" known Text => "The game as a game string of the Universal Hive Protocol." = |played| played.game_string().into();
}

impl Played<'_> {
    /// What has to be found out for a row.
    pub const WANTS: Wants = Wants { steps: true, third: true, ..Wants::NOTHING };

    /// Puts the number of the game into its row, once it is known.
    pub fn set_number(row: &mut [Value], number: usize) {
        row[NUMBER] = Value::count(number);
    }

    fn tag(&self, name: &str) -> Value {
        self.game.tag(name).filter(|value| !value.is_empty()).into()
    }

    /// The year, if it is known.
    pub fn year(&self) -> Option<i64> {
        Date::told(self.game.tag("Date")?)?.as_str().get(..4)?.parse().ok()
    }

    fn acts(&self, act: Act) -> Value {
        Value::count(self.course.steps.iter().filter(|step| step.act == act).count())
    }

    fn queen_turn(&self, color: Color) -> Value {
        let queen = Some(Piece::new(color, Bug::Queen, 1));
        let mut steps = self.course.steps.iter();
        let placed = steps.find(|step| step.turn.placed() == queen);
        placed.map_or(Value::Null, |step| Value::count(step.number))
    }

    fn tags(&self) -> String {
        let tags = self.game.tags().iter();
        let tags: serde_json::Map<String, serde_json::Value> =
            tags.map(|tag| (tag.name.clone(), tag.value.clone().into())).collect();
        serde_json::Value::Object(tags).to_string()
    }

    fn game_string(&self) -> Option<String> {
        let mut out = Vec::new();
        let uhp = notation::named("uhp").filter(|uhp| uhp.why_not(self.game).is_none())?;
        uhp.write(self.game, Style::default(), &mut out).ok()?;
        Some(String::from_utf8_lossy(&out).trim_end().to_owned())
    }
}
