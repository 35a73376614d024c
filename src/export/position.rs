//! The table of positions.
use super::{Value, table};
use crate::{
    game::Game,
    position::canonical,
    rules::{Key, Outcome, Position},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A position, and the games in which it came.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Its key.
    pub key: Key,
    /// The games.
    pub tally: Tally,
}

/// The games in which a position came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    text: String,
    game_type: String,
    ply: u32,
    games: u64,
    white: u64,
    draw: u64,
    black: u64,
}

table! {
    /// A row a distinct position.
    POSITIONS = "positions" "A row a distinct position that came in games, from the empty table on; the same however the board is turned or mirrored." of Standing;
    "key" known Text => "The key of the position, 32 hexadecimal digits: rows are in its order." = |standing| format!("{:#}", standing.key).into();
    "type" known Text => "The game type." = |standing| standing.tally.game_type.as_str().into();
    "text" known Text => "The position in canonical position notation." = |standing| standing.tally.text.as_str().into();
    "ply" known Integer => "The least number of plies after which it came." = |standing| Value::count(standing.tally.ply);
    "games" known Integer => "In how many games it came; each counts once." = |standing| Value::count(standing.tally.games);
    "white" known Integer => "How many of them White won." = |standing| Value::count(standing.tally.white);
    "draw" known Integer => "How many of them were drawn." = |standing| Value::count(standing.tally.draw);
    "black" known Integer => "How many of them Black won." = |standing| Value::count(standing.tally.black);
    "open" known Integer => "How many of them have no result that is known." = |standing| Value::count(standing.tally.open());
}

impl Tally {
    /// The game type.
    pub fn game_type(&self) -> String {
        self.game_type.clone()
    }

    /// How many games have no result.
    fn open(&self) -> u64 {
        self.games - self.white - self.draw - self.black
    }

    /// Adds other games in which the same position came.
    pub fn add(&mut self, other: &Tally) {
        self.ply = self.ply.min(other.ply);
        self.games += other.games;
        self.white += other.white;
        self.draw += other.draw;
        self.black += other.black;
    }

    /// About how many bytes of memory it takes.
    pub fn size(&self) -> usize {
        size_of::<Tally>() + self.text.len() + self.game_type.len()
    }
}

/// The positions of a game, each with its game.
pub fn standings(game: &Game, position: &mut Position) -> BTreeMap<Key, Tally> {
    let is = |outcome| u64::from(game.outcome() == Some(outcome));
    let mut found = BTreeMap::new();
    game.each_key(position, |position, key| {
        found.entry(key).or_insert_with(|| Tally {
            text: canonical(position, false),
            game_type: game.game_type().to_string(),
            ply: position.ply(),
            games: 1,
            white: is(Outcome::WhiteWins),
            draw: is(Outcome::Draw),
            black: is(Outcome::BlackWins),
        });
        true
    });
    found
}
