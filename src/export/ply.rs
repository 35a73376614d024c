//! The table of plies.
use super::{Value, table};
use crate::{
    course::{Act, At, Course, Step, Wants},
    game::Game,
    record::Aside,
};

/// A ply.
#[derive(Debug)]
pub struct Plied<'g> {
    step: &'g Step,
    /// Its number, from 1.
    ply: usize,
    /// The time that its player used so far, in milliseconds.
    clock: Option<u64>,
    /// Whether it was looked for plies that miss or allow a win.
    has_slips: bool,
}

table! {
    /// A row a ply.
    PLIES = "plies" "A row a ply." of Plied<'_>;
    "game" known Text => "The address of the game, `FILE#NUMBER`, as in `games`." = |_| Value::Null;
    "ply" known Integer => "The number of the ply, from 1." = |plied| Value::count(plied.ply);
    "turn" known Integer => "The number of the turn of this side, from 1." = |plied| Value::count(plied.step.number);
    "colour" known Text => "Whose turn it is: `white` or `black`." = |plied| Value::Word(plied.step.side.word());
    "act" known Text => "`place`, `move` (a piece by itself), `ability` (on another piece, or without a step), or `pass`." = |plied| Value::Word(act(plied.step.act));
    "kind" known Text => "The kind of turn: `place`, `walk`, `throw` or `pass`; of fan pieces also others." = |plied| Value::Word(plied.step.turn.kind());
    "piece" maybe Text => "The piece that changes its place, by its number in the record, such as `wA1`." = |plied| plied.step.piece.map(|piece| piece.to_string()).into();
    "actor" maybe Text => "The piece with which the turn is taken: the pillbug, if it throws." = |plied| plied.step.turn.actor().map(|piece| piece.to_string()).into();
    "from_q" maybe Integer => "Where it stood, in axial coordinates: steps to the east of the first piece of the game. Nothing, if it came from the hand." = |plied| plied.step.from.map(|at| i64::from(at.hex.q)).into();
    "from_r" maybe Integer => "The same, steps to the south-east." = |plied| plied.step.from.map(|at| i64::from(at.hex.r)).into();
    "from_height" maybe Integer => "How many pieces it stood on." = |plied| height(plied.step.from);
    "to_q" maybe Integer => "Where it stands then, steps to the east of the first piece of the game." = |plied| plied.step.to.map(|at| i64::from(at.hex.q)).into();
    "to_r" maybe Integer => "The same, steps to the south-east." = |plied| plied.step.to.map(|at| i64::from(at.hex.r)).into();
    "to_height" maybe Integer => "How many pieces it stands on." = |plied| height(plied.step.to);
    "distance" maybe Integer => "How many cells lie between, of a piece that was on the table." = |plied| plied.step.distance.map_or(Value::Null, Value::count);
    "text" known Text => "The turn as the Universal Hive Protocol tells it, such as `wA1 wQ-`." = |plied| plied.step.text.clone().into();
    "clock_ms" maybe Integer => "The time in milliseconds that the player used so far, if the record tells it." = |plied| plied.clock.map_or(Value::Null, Value::count);
    "legal" known Integer => "How many legal turns there were before it; a forced pass is none." = |plied| Value::count(plied.step.legal);
    "white_pinned" known Flag => "Whether White's queen was pinned before it." = |plied| plied.step.pinned[0].into();
    "black_pinned" known Flag => "Whether Black's queen was." = |plied| plied.step.pinned[1].into();
    "white_neighbours" maybe Integer => "How many neighbours White's queen has after it, if it is on the table." = |plied| plied.step.around[0].map(i64::from).into();
    "black_neighbours" maybe Integer => "How many Black's has." = |plied| plied.step.around[1].map(i64::from).into();
    "covered" known Integer => "How many pieces lie below others after it." = |plied| Value::count(plied.step.covered.len());
    "highest" known Integer => "How many pieces the highest stack has after it." = |plied| Value::count(plied.step.highest);
    "misses_win" maybe Flag => "Whether a queen could be surrounded at once, and was not. Only with `--slips`." = |plied| plied.slip(plied.step.misses_win);
    "allows_win" maybe Flag => "Whether the other side can win at once after it, though there was a turn after which it could not. Only with `--slips`." = |plied| plied.slip(plied.step.allows_win);
    "key" known Text => "The key of the position after it, 32 hexadecimal digits, as in `positions`." = |plied| plied.step.key.map(|key| format!("{key:#}")).into();
}

impl Plied<'_> {
    /// What has to be found out for a row.
    pub const WANTS: Wants =
        Wants { steps: true, legal: true, pinned: true, keys: true, texts: true, ..Wants::NOTHING };

    fn slip(&self, is_one: bool) -> Value {
        self.has_slips.then_some(is_one).into()
    }
}

/// The plies of a game.
pub fn plied<'g>(game: &Game, course: &'g Course, has_slips: bool) -> Vec<Plied<'g>> {
    let mut clocks = vec![None; course.steps.len() + 1];
    for remark in game.remarks() {
        if let (Aside::Clock(color, used), Some(clock)) =
            (&remark.what, clocks.get_mut(remark.after))
        {
            // What is said of the other one after this ply, is not of it.
            if remark.after > 0 && course.steps[remark.after - 1].side == *color {
                *clock = Some(*used);
            }
        }
    }
    let plied = |(ply, step)| Plied { step, ply, clock: clocks[ply], has_slips };
    (1..).zip(&course.steps).map(plied).collect()
}

fn act(act: Act) -> &'static str {
    match act {
        Act::Place => "place",
        Act::Move => "move",
        Act::Ability => "ability",
        Act::Pass => "pass",
    }
}

fn height(at: Option<At>) -> Value {
    at.and_then(|at| at.height).map(i64::from).into()
}
