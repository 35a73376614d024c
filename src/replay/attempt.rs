//! What a ply that is not legal tried to do, and what would have been legal in its place.
use super::{Replayer, Trouble, special};
use crate::{
    finding::Finding,
    record::{Action, Did, Done, Ply, PlySource, Record, Spot},
    rules::{Cell, Piece, Position, Rule, Turn},
};

/// A ply that is no legal turn on the table before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its place among the plies of the record, from 0.
    pub at: usize,
    /// The rule of the game that it breaks, if it does.
    pub rule: Option<Rule>,
    /// The piece that it would have moved or placed.
    pub piece: Option<Piece>,
    /// Where that would have gone.
    pub to: Option<Cell>,
    /// The piece that tells the place.
    pub reference: Option<Piece>,
}

impl Replayer {
    /// The finding about the turn that breaks a rule.
    pub fn fault(&self, ply: &Ply, rule: Rule) -> Finding {
        let message = match rule {
            Rule::GameOver if self.is_drawn => "the game was drawn by repetition".to_owned(),
            Rule::NotInGame => match ply.action {
                Action::Put(piece, _) => {
                    let (count, name) =
                        (self.position.game_type().count(piece.bug()), piece.bug().name());
                    format!("{rule}: each side has {count} of the kind {name}")
                }
                Action::Pass | Action::Special(_) | Action::Like(_) => rule.to_string(),
            },
            Rule::UnknownReference if matches!(ply.action, Action::Put(_, Spot::Alone)) => {
                "only the first piece of a game needs no place".to_owned()
            }
            Rule::PlacementApart if self.position.hive().count(self.position.to_move()) == 0 => {
                "the placed piece would not touch the hive".to_owned()
            }
            Rule::NotYourPiece => format!("it is {}'s turn", self.position.to_move()),
            Rule::PlacementOfKind => format!("{rule}: {}", special::placement_of(ply)),
            _ => rule.to_string(),
        };
        Finding::broken(rule.code(), ply.span.clone(), message)
    }

    /// What a ply tries, and the rule that it breaks.
    pub(super) fn attempt(&self, at: usize, ply: &Ply, trouble: &Trouble) -> Attempt {
        let rule = match trouble {
            Trouble::Illegal(illegal) => Some(illegal.rule),
            Trouble::Sketch(..) => None,
        };
        let (piece, spot) = match ply.action {
            Action::Put(piece, spot) => (Some(piece), Some(spot)),
            Action::Special(Done { actor, what, .. }) => match what {
                Did::Go(spot) | Did::GoLong(spot, _) => (Some(actor.piece), Some(spot)),
                Did::Throw(piece, spot) | Did::Teleport(piece, spot) => (Some(piece), Some(spot)),
                _ => (Some(actor.piece), None),
            },
            Action::Pass | Action::Like(_) => (None, None),
        };
        let reference = match spot {
            Some(Spot::Beside(piece, _) | Spot::OnTopOf(piece)) => Some(piece),
            Some(Spot::Alone | Spot::At(_)) | None => None,
        };
        Attempt { at, rule, piece, to: spot.and_then(|spot| self.resolve(spot)), reference }
    }

    /// The turn that a ply of the last record means in the position that it led to.
    ///
    /// # Errors
    ///
    /// Fails where it is no legal turn, and tells what it tried.
    pub fn meant(&mut self, record: &Record, ply: &Ply) -> Result<Turn, Attempt> {
        self.find(record, ply).map_err(|trouble| self.attempt(0, ply, &trouble))
    }

    /// Takes another position for the one that the last record led to.
    pub fn go_to(&mut self, position: Position) {
        self.position = position;
        self.is_drawn = false;
    }

    /// How many plies could be played one after the other in the position that the last record led to, in which nothing
    /// is changed.
    pub fn legal_from<'p>(
        &mut self,
        record: &Record,
        plies: impl IntoIterator<Item = &'p Ply>,
    ) -> usize {
        let start = self.position.ply();
        let mut legal = 0;
        for (at, ply) in plies.into_iter().enumerate() {
            let found = match self.find(record, ply) {
                Err(_) if ply.source != PlySource::Written => continue,
                Err(trouble) => self.find_after_pass(record, at, ply, trouble),
                found => found,
            };
            let Ok(turn) = found else { break };
            self.position.make(turn);
            legal = at + 1;
        }
        while self.position.ply() > start {
            self.position.undo();
        }
        self.turns.clear();
        self.spots.clear();
        self.findings.clear();
        legal
    }

    /// The same after a turn that is legal there.
    pub fn legal_after<'p>(
        &mut self,
        turn: Turn,
        record: &Record,
        plies: impl IntoIterator<Item = &'p Ply>,
    ) -> usize {
        self.position.make(turn);
        let legal = self.legal_from(record, plies);
        self.position.undo();
        legal
    }
}
