//! What can be counted in one game, in one pass over its positions.
use crate::{
    game::Game,
    record::Aside,
    rules::{Bug, Color, Piece, Position, RepetitionWatch, SamePosition, Turn},
};

/// What one game has: all of it whole numbers, so that sums are exact in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// How many turns were taken, passes too.
    pub plies: u64,
    /// How many pieces each side placed.
    pub placed: [u64; 2],
    /// How many turns of each side moved a piece by itself.
    pub moved: [u64; 2],
    /// How many turns of each side used an ability on another piece, as a pillbug throws.
    pub abilities: [u64; 2],
    /// How many turns of each side were passes, which are always forced.
    pub passes: [u64; 2],
    /// The number of the turn on which each side's queen was placed.
    pub queen_turn: [Option<u64>; 2],
    /// How many legal turns there were before each ply, added up; a forced pass is none.
    pub mobility: u64,
    /// The most legal turns before a ply.
    pub most_mobility: u64,
    /// Before how many plies each queen was pinned.
    pub pinned: [u64; 2],
    /// After how many plies each queen on the table had so many neighbours.
    pub around: [[u64; 7]; 2],
    /// After how many plies a piece stood on another.
    pub stacked: u64,
    /// How many pieces the highest stack had.
    pub highest: u64,
    /// The number of the ply with which a position came for the third time (effective).
    pub third: Option<u64>,
    /// How many milliseconds the players used, where the record says so of both.
    pub clock: Option<u64>,
}

impl Measures {
    /// Counts a game, with its last position, from which all turns are taken back and played again.
    pub fn of(game: &Game, position: &mut Position) -> Measures {
        let mut found = Measures { clock: clock(game), ..Measures::default() };
        while position.undo() {}
        let mut watch = RepetitionWatch::new(SamePosition::Effective);
        for (at, &turn) in game.turns().iter().enumerate() {
            found.before(turn, position);
            position.make(turn);
            found.plies += 1;
            found.after(position);
            if found.third.is_none() && watch.is_third(position, &game.turns()[..=at]) {
                found.third = Some(found.plies);
            }
        }
        found
    }

    /// Counts what there is before a turn, and the turn.
    fn before(&mut self, turn: Turn, position: &mut Position) {
        let side = position.to_move() as usize;
        let turns = match position.count_turns() {
            // A forced pass is the only turn, and no choice.
            1 if turn == Turn::Pass => 0,
            turns => turns,
        };
        self.mobility += turns;
        self.most_mobility = self.most_mobility.max(turns);
        for color in Color::BOTH {
            let queen = Piece::new(color, Bug::Queen, 1);
            self.pinned[color as usize] += u64::from(position.is_pinned(queen));
        }
        let (goes, placed) = (turn.goes(), turn.placed());
        let counted = match turn {
            Turn::Pass => &mut self.passes,
            _ if placed.is_some() => &mut self.placed,
            _ if turn.actor().is_some() && goes.map(|(moved, _)| moved) == turn.actor() => {
                &mut self.moved
            }
            _ => &mut self.abilities,
        };
        counted[side] += 1;
        if placed.is_some_and(|piece| piece.bug() == Bug::Queen) {
            self.queen_turn[side] = Some(position.turn_number().into());
        }
    }

    /// Counts what there is after a turn.
    fn after(&mut self, position: &Position) {
        for color in Color::BOTH {
            if let Some(around) = position.around_queen(color) {
                self.around[color as usize][around.min(6) as usize] += 1;
            }
        }
        let hive = position.hive();
        let highest = hive.cells().map(|cell| hive.height(cell)).max().unwrap_or(0);
        self.stacked += u64::from(highest > 1);
        self.highest = self.highest.max(highest.into());
    }
}

/// The time that both players used by the last word of the record.
fn clock(game: &Game) -> Option<u64> {
    let mut used = [None; 2];
    for remark in game.remarks() {
        if let Aside::Clock(player, milliseconds) = remark.what {
            used[player as usize] = Some(milliseconds);
        }
    }
    Some(used[0]? + used[1]?)
}
