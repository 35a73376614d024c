//! Turns that are told only as precisely as legality asks for, found among the legal ones.
use super::{Replayer, Trouble};
use crate::{
    finding,
    record::Ply,
    rules::{Hive, Position, Rule, SamePosition, Turn, is_same, is_turned},
    sketch::Sketch,
};

impl Replayer {
    /// The legal turn that is like a sketch.
    pub(super) fn find_like(&mut self, sketch: &Sketch, ply: &Ply) -> Result<Turn, Trouble> {
        let at = self.turns.len();
        if self.position.outcome().is_some() {
            return Err(Rule::GameOver.into());
        }
        let mut like = turns_like(&mut self.position, |hive, turn| sketch.fits(hive, turn));
        // Where a piece is said to go to a place that is there, and cannot, that is what is meant.
        let is_meant = !sketch.is_placement && sketch.has_place(self.position.hive());
        if like.is_empty() && !is_meant {
            let loosely = |hive: &Hive, turn| sketch.fits_without_colors(hive, turn);
            like = turns_like(&mut self.position, loosely);
            if like.len() == 1 {
                let message = "only with letters in another case it is a legal turn";
                self.note(&finding::OTHER_COLORS, at, ply, message);
            }
        }
        match like[..] {
            [turn] => Ok(turn),
            [] => Err(Trouble::Sketch(
                &finding::NO_SUCH_TURN,
                "no legal turn is like this".to_owned(),
            )),
            [ref first, ref second, ..] => {
                let text = |turn: &Turn| match turn.goes() {
                    Some((piece, cell)) => {
                        let hex = cell.hex();
                        format!("`{piece}` to ({},{})", hex.q, hex.r)
                    }
                    None => "a pass".to_owned(),
                };
                let message = format!("it could be {} or {}", text(first), text(second));
                Err(Trouble::Sketch(&finding::AMBIGUOUS_TURN, message))
            }
        }
    }
}

/// The legal turns that fit, of those that lead to the same position but for its numbers of equal pieces
/// and turned or mirrored only the first.
fn turns_like(position: &mut Position, fits: impl Fn(&Hive, Turn) -> bool) -> Vec<Turn> {
    let turns = position.turns();
    let mut like: Vec<Turn> =
        turns.into_iter().filter(|&turn| fits(position.hive(), turn)).collect();
    let mut at = 1;
    while at < like.len() {
        if leads_to_same(position, like[0], like[at]) {
            like.swap_remove(at);
        } else {
            at += 1;
        }
    }
    like
}

fn leads_to_same(position: &Position, one: Turn, other: Turn) -> bool {
    is_same(&mut after(position, one), &mut after(position, other), SamePosition::Symmetric)
}

/// Whether two turns lead to the same position but for its numbers of equal pieces and turned, but not mirrored.
pub(crate) fn lead_to_turned(position: &Position, one: Turn, other: Turn) -> bool {
    is_turned(&mut after(position, one), &mut after(position, other))
}

fn after(position: &Position, turn: Turn) -> Position {
    let mut after = position.clone();
    after.make(turn);
    after
}
