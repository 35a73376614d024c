use super::{Position, Turn};

/// How many lines of `depth` turns lead on from `position`.
///
/// A forced pass is a turn, and a finished game has none; the last turns of each line are counted
/// without being played.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    let mut turns = Vec::new();
    count(position, depth, &mut turns)
}

/// The same for each first turn by itself.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Turn, u64)> {
    let turns = if depth == 0 { Vec::new() } else { position.turns() };
    turns
        .into_iter()
        .map(|turn| {
            position.make(turn);
            let lines = perft(position, depth - 1);
            position.undo();
            (turn, lines)
        })
        .collect()
}

/// Counts with one list for the turns of all depths: each depth appends its own and drops them.
fn count(position: &mut Position, depth: u32, turns: &mut Vec<Turn>) -> u64 {
    match depth {
        0 => return 1,
        1 => return position.count_turns(),
        _ => {}
    }
    let start = turns.len();
    position.add_turns(turns);
    let mut lines = 0;
    for at in start..turns.len() {
        position.make(turns[at]);
        lines += count(position, depth - 1, turns);
        position.undo();
    }
    turns.truncate(start);
    lines
}
