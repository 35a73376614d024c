//! From what a record says that a fan piece did to the turn that is meant.
use super::{Replayer, Trouble};
use crate::{
    hex::Direction,
    record::{Action, Did, Done, Ply, Spot},
    rules::{Agent, Cell, Deed, Rule, Special, Turn, bugs::Placement},
};

impl Replayer {
    /// The turn that is meant.
    pub(super) fn find_special(&mut self, done: Done) -> Result<Turn, Trouble> {
        let taker = done.controller.unwrap_or(done.actor).piece;
        let Some(turn) = self.turn_of(done) else {
            let rule = self.position.why_not_piece(taker).unwrap_or(Rule::UnknownReference);
            return Err(rule.into());
        };
        Ok(self.position.find_turn(turn)?)
    }

    /// What is said, with cells for places; `None` where a place is told by a piece that is not on the table.
    fn turn_of(&self, done: Done) -> Option<Turn> {
        let Done { controller, actor, what } = done;
        // A piece that is said to act as its own kind does nothing special.
        let guise = actor.guise.filter(|&kind| kind != actor.piece.bug());
        let actor = Agent { guise, ..actor };
        let is_placed = controller.is_none() && self.position.is_in_hand(actor.piece);
        let deed = match what {
            Did::Go(spot) => {
                let (piece, to) = (actor.piece, self.resolve(spot)?);
                match (is_placed, controller, guise) {
                    (true, None, None) => return Some(Turn::Place { piece, to }),
                    (false, None, None) => return Some(Turn::Walk { piece, to }),
                    (true, ..) => Deed::Place(to),
                    (false, ..) => Deed::Walk(to),
                }
            }
            Did::GoLong(spot, side) => {
                let pair = self.pair(spot, side)?;
                if is_placed { Deed::PlaceLong(pair) } else { Deed::WalkLong(pair) }
            }
            Did::Burrow(above) => Deed::Burrow(self.position.hive().cell_of(above)?),
            Did::Swap(piece) => Deed::Swap(piece.whole()),
            Did::Throw(piece, spot) => Deed::Throw(piece.whole(), self.resolve(spot)?),
            Did::TurnDown(piece) => Deed::TurnDown(piece.whole()),
            Did::TurnOver if self.position.is_face_down(actor.piece) => Deed::TurnBack,
            Did::TurnOver => Deed::Flip,
            Did::Capture(piece) => Deed::Capture(piece.whole()),
            Did::Push(piece) => Deed::Push(piece.whole()),
            Did::Roll(piece) => Deed::Roll(piece.whole()),
            Did::Attract(piece) => Deed::Attract(piece.whole()),
            Did::Replace(piece) => Deed::Replace(piece.whole()),
            Did::Teleport(piece, spot) => Deed::Teleport(piece.whole(), self.resolve(spot)?),
        };
        Some(Turn::Special(Special { controller, actor, deed }))
    }

    /// The two cells of a stick insect, in their order on the plane.
    fn pair(&self, spot: Spot, side: Direction) -> Option<[Cell; 2]> {
        let told = self.resolve(spot)?;
        let other = told.step(side);
        Some(if side.is_onward() { [told, other] } else { [other, told] })
    }
}

/// Where a piece of a ply is placed, in words.
pub(super) fn placement_of(ply: &Ply) -> &'static str {
    let piece = match ply.action {
        Action::Put(piece, _) | Action::Special(Done { actor: Agent { piece, .. }, .. }) => piece,
        Action::Pass | Action::Like(_) => return "elsewhere",
    };
    match piece.bug().placement() {
        Placement::BesideBoth => "beside a piece of each side",
        Placement::OntoFriend => "onto a friend that no enemy touches",
        Placement::OntoQueen => "onto its own queen, if no enemy lies on her",
        Placement::TwoCells => "with the side of its other cell, as in `wSi wQ-:SE`",
        Placement::BesideFriend => "on one cell, with a face that it has",
    }
}
