//! What was written, read back and held against the game.
use crate::{
    cmd::traces,
    game::Game,
    notation::{Notation, Part},
    replay::{Replayed, Replayer, RuleOptions},
    source::Source,
};
use std::collections::BTreeSet;

/// What is different if a text is read back as a game; `None` if it is the same but for what was told to be lost.
pub(super) fn difference(
    game: &Game,
    to: &dyn Notation,
    lost: &[Part],
    text: &str,
) -> Option<String> {
    let holds = |part| !lost.contains(&part);
    let is_turned = !holds(Part::Orientation) || !game.is_oriented();
    let turns = |game: &Game| traces::turns(game, if is_turned { game.turned_east() } else { 0 });
    let others = |game: &Game| {
        let has_turns = |&at: &usize| !game.variations()[at].turns.is_empty();
        let lines = 0..if holds(Part::Variations) { game.variations().len() } else { 0 };
        // Their numbers, since all lines of a large tree can be long.
        lines
            .filter(has_turns)
            .map(|at| traces::number(traces::turns(&game.line(at), 0)))
            .collect::<BTreeSet<u64>>()
    };
    let outcome =
        |game: &Game| game.outcome().filter(|_| game.ends_on_board() || holds(Part::Outcome));
    let source = Source::new("what was written", [to.prologue(), text].concat());
    let record = match to.read(&source).next() {
        Some(Ok(record)) => record,
        Some(Err(finding)) => return Some(format!("it cannot be read back: {}", finding.message)),
        None => return Some("it cannot be read back".to_owned()),
    };
    let options = RuleOptions { rules: game.options(), ..RuleOptions::default() };
    let Replayed { game: again, fault, .. } = Replayer::new(options).replay(&record);
    if let Some(fault) = fault {
        return Some(format!("read back it is not legal: {}", fault.message));
    }
    let (before, after) = (turns(game), turns(&again));
    match before.iter().zip(&after).position(|(one, other)| one != other) {
        Some(ply) => Some(format!("read back, ply {} is another turn", ply + 1)),
        None if before.len() != after.len() => {
            Some(format!("read back it has {} plies, not {}", after.len(), before.len()))
        }
        None if others(game) != others(&again) => {
            Some("read back it has other variations".to_owned())
        }
        None if outcome(game) != outcome(&again) => Some("read back it ends otherwise".to_owned()),
        None => None,
    }
}

/// The names of the tags that are not, or not the same, in what was written.
pub(super) fn lost_tags(game: &Game, to: &dyn Notation, text: &str) -> BTreeSet<String> {
    let source = Source::new("what was written", [to.prologue(), text].concat());
    // Where none are held, there is nothing to read back.
    let holds_some = to.holds().contains(&Part::Tags);
    let read = holds_some.then(|| to.read(&source).next()).flatten().and_then(Result::ok);
    let held = read.map(|record| record.tags).unwrap_or_default();
    let lost = game.tags().iter().filter(|tag| !held.contains(tag));
    lost.map(|tag| tag.name.clone()).collect()
}
