//! The rules for every kind of piece there is, for game types with fan pieces.
//!
//! The rules of the fan pieces are a reading of the collection that describes thirty kinds; where it leaves something
//! open, [`Options`](super::Options) name the readings. A kind that only walks is a row in the table of kinds; what
//! else kinds do is a file each here. A turn is judged by listing what its piece can do.
mod assassin_bug;
mod beehive;
mod cicada;
mod dung_beetle;
mod faces;
mod firefly;
mod mantis;
mod mosquito;
mod perform;
mod pillbug;
mod place;
mod questions;
mod reason;
mod snail;
mod stick_insect;
mod tick;
mod walk;

use super::{
    Agent, Bug, Cell, Color, Deed, Mark, Piece, Position, Special, Turn, bugs::Ability, ring,
};
use questions::Posture;

/// Something that a piece can do, before it is known how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Act {
    /// The piece that makes another one act, and the kind as which it does.
    controller: Option<(Piece, Bug)>,
    /// The piece that acts.
    piece: Piece,
    /// The kind as which it does: its own, or one that it copies.
    kind: Bug,
    deed: Deed,
}

/// A piece that acts, where it is.
#[derive(Clone, Copy, Debug)]
struct Actor {
    piece: Piece,
    cell: Cell,
    /// How many pieces of the stack are beneath it.
    level: u8,
    /// Whose friends are its friends.
    color: Color,
}

impl Act {
    /// What two acts of the same taker have in common if the same position comes of them.
    fn effect(&self) -> (Option<Piece>, Deed, bool) {
        // A sting spends no poison.
        let spends = matches!(self.deed, Deed::TurnDown(_)) && self.kind == Bug::Scorpion;
        let leaves_no_trace = match self.deed {
            Deed::Throw(..) => true,
            Deed::TurnDown(_) => !spends,
            _ => false,
        };
        let is_controlled = self.controller.is_some();
        let actor = (!is_controlled || !leaves_no_trace).then_some(self.piece);
        (actor, self.deed, spends)
    }

    /// The turn, as it is written.
    fn turn(&self) -> Turn {
        let agent = |piece: Piece, kind: Bug| {
            let is_guise = kind != piece.bug() && !kind.is_official();
            Agent { piece, guise: is_guise.then_some(kind) }
        };
        let actor = agent(self.piece, self.kind);
        match (self.controller, actor, self.deed) {
            (None, Agent { piece, guise: None }, Deed::Walk(to)) => Turn::Walk { piece, to },
            (None, Agent { piece, guise: None }, Deed::Throw(thrown, to)) => {
                Turn::Throw { actor: piece, piece: thrown, to }
            }
            (controller, actor, deed) => {
                let controller = controller.map(|(piece, kind)| agent(piece, kind));
                Turn::Special(Special { controller, actor, deed })
            }
        }
    }

    /// Whether this is what a turn says, in which a copied kind may be told or left out.
    fn is_said_by(&self, turn: Special) -> bool {
        let fits = |agent: Agent, piece: Piece, kind: Bug| {
            agent.piece == piece && agent.guise.is_none_or(|guise| guise == kind)
        };
        let controller = match (turn.controller, self.controller) {
            (None, None) => true,
            (Some(agent), Some((piece, kind))) => fits(agent, piece, kind),
            _ => false,
        };
        controller && fits(turn.actor, self.piece, self.kind) && turn.deed == self.deed
    }
}

impl Position {
    /// Appends all turns but a pass.
    pub(super) fn add_fan_turns(&mut self, turns: &mut Vec<Turn>) {
        if self.outcome().is_some() {
            return;
        }
        self.fan_placements(turns);
        if !self.has_queen(self.to_move()) {
            return;
        }
        for piece in self.pieces_that_may_act() {
            let acts = self.acts(piece);
            turns.extend(canonical(&acts).map(Act::turn));
        }
    }

    /// Whether the rules allow a turn, written as we write it, but for a pass.
    pub(super) fn allows_fan(&mut self, turn: Turn) -> bool {
        if self.outcome().is_some() {
            return false;
        }
        match (turn.placed(), turn.actor()) {
            (Some(piece), _) => self.placements_of(piece).contains(&turn),
            (None, Some(piece)) if self.has_queen(self.to_move()) => {
                let acts = self.acts(piece);
                canonical(&acts).any(|act| act.turn() == turn)
            }
            _ => false,
        }
    }

    /// The turn that is meant by one in which another copied kind may be told, or none.
    pub(super) fn find_fan(&mut self, turn: Turn) -> Option<Turn> {
        if let Some(piece) = turn.placed() {
            return (self.outcome().is_none() && self.placements_of(piece).contains(&turn))
                .then_some(turn);
        }
        let special = turn.as_special()?;
        if self.outcome().is_some() || !self.has_queen(self.to_move()) {
            return None;
        }
        let acts = self.acts(turn.actor()?);
        let meant = acts.iter().find(|act| act.is_said_by(special))?.effect();
        canonical(&acts).find(|act| act.effect() == meant).map(Act::turn)
    }

    /// The turn that puts `piece` at `to`, as [`Position::find`] tells it.
    pub(super) fn find_fan_to(&mut self, piece: Piece, to: Cell) -> Option<Turn> {
        if self.is_in_hand(piece) {
            return self.find_fan(Turn::Place { piece, to });
        }
        self.find_fan(Turn::Walk { piece, to }).or_else(|| {
            let throws: Vec<Turn> = self
                .pieces_that_may_act()
                .into_iter()
                .filter_map(|actor| self.find_fan(Turn::Throw { actor, piece, to }))
                .collect();
            // Of two that could throw it none is meant more than the other.
            if let [throw] = throws[..] { Some(throw) } else { None }
        })
    }

    /// The pieces on the table with which the side to move could do something: its own, and beehives.
    fn pieces_that_may_act(&self) -> Vec<Piece> {
        let side = self.to_move();
        let own = self.box_of(side);
        let nests = self.box_of(side.other()).filter(|piece| piece.bug() == Bug::Beehive);
        own.chain(nests).filter(|&piece| self.hive.place_of(piece).is_some()).collect()
    }

    /// All that the side to move can do with a piece on the table, those first by which a turn is written.
    fn acts(&mut self, piece: Piece) -> Vec<Act> {
        let side = self.to_move();
        if piece.bug() == Bug::Beehive {
            let deeds = self.beehive_deeds(piece);
            return own_acts(piece, Bug::Beehive, deeds);
        }
        if piece.color() != side || piece.is_half() {
            return Vec::new();
        }
        if self.is_face_down(piece) {
            let deeds = self.can_turn_back(piece).then_some(Deed::TurnBack);
            return own_acts(piece, piece.bug(), deeds.into_iter().collect());
        }
        self.acts_face_up(piece, false)
    }

    /// All that a piece can do that lies face up, for its owner or for an enemy who controls it.
    fn acts_face_up(&mut self, piece: Piece, is_controlled: bool) -> Vec<Act> {
        let Some(place) = self.hive.place_of(piece) else { return Vec::new() };
        if self.is_frozen(piece) || self.is_paralysed(piece) {
            return Vec::new();
        }
        if piece.bug() == Bug::Cicada {
            let deeds = self.cicada_deeds(piece, place, is_controlled);
            return own_acts(piece, Bug::Cicada, deeds);
        }
        let Some(actor) = self.actor(piece) else { return Vec::new() };
        let posture = self.posture(piece);
        let kinds = self.kinds_of(actor);
        let mut acts = self.walking_acts(actor, posture, &kinds);
        if posture == Posture::Open {
            for &kind in &kinds {
                let deeds = self.deeds(actor, kind);
                acts.extend(own_acts(piece, kind, deeds));
                if kind.ability() == Some(Ability::Control) && !is_controlled {
                    acts.extend(self.controlled_acts(actor, kind));
                }
            }
        }
        acts
    }

    /// A piece on the table as one that acts.
    fn actor(&self, piece: Piece) -> Option<Actor> {
        let place = self.hive.place_of(piece)?;
        let level = self.hive.level_of(piece);
        Some(Actor { piece, cell: place.cell, level, color: piece.color() })
    }

    /// What a piece does with the ability of a kind, but for making others act.
    fn deeds(&mut self, actor: Actor, kind: Bug) -> Vec<Deed> {
        match kind.ability() {
            None | Some(Ability::Copy | Ability::Control | Ability::Nest | Ability::Emerge) => {
                Vec::new()
            }
            Some(Ability::Throw) => self.throws_of(actor),
            Some(Ability::Poison) => self.poison_deeds(actor),
            Some(Ability::Sting) => self.sting_deeds(actor),
            Some(Ability::Hunt) => self.hunt_deeds(actor),
            Some(Ability::Assassinate) => self.assassin_deeds(actor),
            Some(Ability::Attract) => self.attract_deeds(actor),
            Some(Ability::Push) => self.push_deeds(actor),
            Some(Ability::Replace) => self.replace_deeds(actor),
            Some(Ability::Stretch) => self.stick_deeds(actor),
        }
    }
}

fn own_acts(piece: Piece, kind: Bug, deeds: Vec<Deed>) -> Vec<Act> {
    deeds.into_iter().map(|deed| Act { controller: None, piece, kind, deed }).collect()
}

/// The acts of one piece, of those from which the same position comes only the first.
fn canonical(acts: &[Act]) -> impl Iterator<Item = &Act> {
    let is_first = |at: usize| acts[..at].iter().all(|act| act.effect() != acts[at].effect());
    acts.iter().enumerate().filter(move |(at, _)| is_first(*at)).map(|(_, act)| act)
}
