//! Why a turn is not legal: asked only after the turns of its piece have been listed without it.
use super::{Actor, Bug, Cell, Deed, Mark, Piece, Position, Posture, Special, Turn};
use crate::rules::{
    IllegalTurn, Rule,
    bugs::{
        Ability, Placement,
        walk::{Laws, Walk},
    },
    options::CockroachFaceChoice,
};

impl Position {
    /// The first rule that a turn breaks, which is known to be illegal.
    pub(in crate::rules) fn why_not_fan(&mut self, turn: Turn) -> IllegalTurn {
        let special = turn.as_special();
        let rule = match (turn.placed(), special) {
            (Some(piece), _) => {
                self.why_not_piece(piece).unwrap_or_else(|| self.why_not_placed_so(piece, turn))
            }
            (None, Some(special)) => self.why_not_special(special),
            (None, None) => Rule::PassWithMoves,
        };
        rule.into()
    }

    /// The first rule that keeps `piece` from coming to `to` by its own walk or, if it is the enemy's, by a throw.
    pub(in crate::rules) fn why_not_there_fan(&mut self, piece: Piece, to: Cell) -> IllegalTurn {
        if self.is_in_hand(piece) || piece.color() == self.to_move() {
            let turn = if self.is_in_hand(piece) {
                Turn::Place { piece, to }
            } else {
                Turn::Walk { piece, to }
            };
            return self.why_not_fan(turn);
        }
        let rule = self.why_not_piece(piece).unwrap_or_else(|| {
            if !self.is_open(piece) {
                Rule::CoveredPiece
            } else if self.is_protected(piece) {
                Rule::ProtectedPiece
            } else if self.is_frozen(piece) {
                Rule::FrozenPiece
            } else if !self.holds_without(&[piece]) {
                Rule::OneHive
            } else {
                Rule::OutOfReach
            }
        });
        rule.into()
    }

    fn why_not_placed_so(&mut self, piece: Piece, turn: Turn) -> Rule {
        let Some((_, to)) = turn.goes() else { return Rule::PlacementOfKind };
        let color = piece.color();
        let is_long = matches!(turn, Turn::Special(Special { deed: Deed::PlaceLong(_), .. }));
        let needs_two = self.placement(piece.bug()) == Placement::TwoCells;
        let on_ground =
            matches!(self.placement(piece.bug()), Placement::BesideFriend | Placement::TwoCells);
        let guise = match turn {
            Turn::Special(special) => special.actor.guise,
            _ => None,
        };
        let has_face = guise.is_none_or(|guise| {
            guise == Bug::Ladybug
                && piece.bug() == Bug::Cockroach
                && self.options().cockroach_face_choice == CockroachFaceChoice::Yes
        });
        if !self.is_in_hand(piece) {
            Rule::OutOfReach
        } else if !on_ground || !has_face || is_long != needs_two {
            Rule::PlacementOfKind
        } else if self.hive.is_occupied(to) {
            Rule::PlacementOnOccupied
        } else if self.touches(to, color.other()) && !self.has_none_on_table(color) {
            Rule::PlacementTouchesEnemy
        } else {
            Rule::PlacementApart
        }
    }

    fn why_not_special(&mut self, special: Special) -> Rule {
        let taker = special.controller.unwrap_or(special.actor).piece;
        if let Some(rule) = self.why_not_taker(taker) {
            return rule;
        }
        if let Some(controller) = special.controller {
            return self.why_not_controlled(controller.piece, special);
        }
        let actor = special.actor.piece;
        self.why_not_able(actor, special).unwrap_or_else(|| self.why_not_deed(special))
    }

    /// What keeps a piece from taking any turn.
    fn why_not_taker(&self, piece: Piece) -> Option<Rule> {
        if self.has_mark(Mark::Removed, piece) && self.game_type().has(piece) {
            return Some(Rule::RemovedPiece);
        }
        if let Some(rule) = self.why_not_piece(piece) {
            return Some(rule);
        }
        self.is_in_hand(piece).then_some(Rule::NotOnTable)
    }

    fn why_not_controlled(&mut self, controller: Piece, special: Special) -> Rule {
        let Some(actor) = self.actor(controller) else { return Rule::UnknownReference };
        if let Some(rule) = self.why_not_free(controller) {
            return rule;
        }
        let kinds = self.kinds_of(actor);
        if !kinds.iter().any(|kind| kind.ability() == Some(Ability::Control)) {
            return Rule::NoSuchAbility;
        }
        let target = special.actor.piece;
        if self.hive.place_of(target).is_none() {
            return Rule::NotOnTable;
        }
        if matches!(special.deed, Deed::Flip | Deed::TurnBack) {
            return Rule::NoSuchAbility;
        }
        if self.is_frozen(target) {
            return Rule::FrozenPiece;
        }
        let is_beside = self.tops_around(&[actor.cell]).contains(&target);
        if !is_beside || !self.can_be_controlled(actor, target) {
            return if self.is_protected(target) { Rule::ProtectedPiece } else { Rule::NoTarget };
        }
        self.why_not_able(target, special).unwrap_or_else(|| self.why_not_deed(special))
    }

    /// What keeps a piece from acting with all that it has.
    fn why_not_free(&self, piece: Piece) -> Option<Rule> {
        if self.is_face_down(piece) {
            Some(Rule::FaceDown)
        } else if self.posture(piece) != Posture::Open {
            Some(Rule::CoveredPiece)
        } else if self.is_frozen(piece) {
            Some(Rule::FrozenPiece)
        } else {
            None
        }
    }

    /// What keeps a piece from doing something, whatever it is done to.
    fn why_not_able(&mut self, piece: Piece, special: Special) -> Option<Rule> {
        let deed = special.deed;
        if deed == Deed::TurnBack {
            let rule = if self.is_face_down(piece) { Rule::TurnBack } else { Rule::NoSuchAbility };
            return Some(if self.is_open(piece) { rule } else { Rule::CoveredPiece });
        }
        if self.is_face_down(piece) {
            return Some(Rule::FaceDown);
        }
        let moves = matches!(
            deed,
            Deed::Walk(_)
                | Deed::WalkLong(_)
                | Deed::Burrow(_)
                | Deed::Swap(_)
                | Deed::Roll(_)
                | Deed::Capture(_)
                | Deed::Replace(_)
        );
        let may_be_covered = match self.posture(piece) {
            Posture::Open => true,
            Posture::Carrier(_) | Posture::Leaver => matches!(deed, Deed::Walk(_) | Deed::Swap(_)),
            Posture::Covered => piece.bug() == Bug::Snail || self.is_nymph(piece),
            Posture::Stuck => false,
        };
        if !may_be_covered {
            Some(Rule::CoveredPiece)
        } else if self.is_frozen(piece) {
            Some(Rule::FrozenPiece)
        } else if moves && self.is_held(piece) || self.is_paralysed(piece) {
            Some(Rule::HeldPiece)
        } else {
            None
        }
    }

    fn why_not_deed(&mut self, special: Special) -> Rule {
        let piece = special.actor.piece;
        let Some(actor) = self.actor(piece) else { return Rule::UnknownReference };
        match special.deed {
            Deed::Walk(to) => self.why_not_walk(actor, to, special.actor.guise),
            Deed::Flip if self.last().faced.contains(piece) => Rule::TurnBack,
            Deed::Flip | Deed::TurnBack => Rule::NoSuchAbility,
            Deed::WalkLong(_) | Deed::Burrow(_) => {
                if self.holds_without(&[piece]) {
                    Rule::OutOfReach
                } else {
                    Rule::OneHive
                }
            }
            deed => match deed.target() {
                Some(target) => self.why_not_done_to(actor, deed, target),
                None => Rule::OutOfReach,
            },
        }
    }

    fn why_not_done_to(&mut self, actor: Actor, deed: Deed, target: Piece) -> Rule {
        let kinds = self.kinds_of(actor);
        let can = |kind: &Bug| match deed {
            Deed::Swap(_) => kind.read_walk().is_some_and(Walk::swaps),
            Deed::Throw(..) => kind.ability() == Some(Ability::Throw),
            Deed::TurnDown(_) => {
                matches!(kind.ability(), Some(Ability::Sting | Ability::Poison))
            }
            Deed::Capture(_) => {
                matches!(kind.ability(), Some(Ability::Hunt | Ability::Assassinate))
            }
            Deed::Push(_) | Deed::Roll(_) => kind.ability() == Some(Ability::Push),
            Deed::Attract(_) => kind.ability() == Some(Ability::Attract),
            Deed::Replace(_) => kind.ability() == Some(Ability::Replace),
            Deed::Teleport(..) => *kind == Bug::Beehive,
            _ => false,
        };
        let goes_itself =
            matches!(deed, Deed::Swap(_) | Deed::Capture(_) | Deed::Replace(_) | Deed::Roll(_));
        let is_moved = !matches!(deed, Deed::TurnDown(_) | Deed::Replace(_));
        if !kinds.iter().any(can) {
            Rule::NoSuchAbility
        } else if self.is_protected(target) {
            Rule::ProtectedPiece
        } else if is_moved && self.is_frozen(target) {
            Rule::FrozenPiece
        } else if goes_itself && !self.holds_without(&[actor.piece])
            || matches!(deed, Deed::Throw(..) | Deed::Teleport(..) | Deed::Push(_))
                && !self.holds_without(&[target])
        {
            Rule::OneHive
        } else {
            Rule::NoTarget
        }
    }

    /// Lets the walk break one law after the other: the one without which it arrives is the reason.
    fn why_not_walk(&mut self, actor: Actor, to: Cell, guise: Option<Bug>) -> Rule {
        let mut kinds = self.kinds_of(actor);
        kinds.retain(|&kind| guise.is_none_or(|guise| guise == kind));
        let walks: Vec<&Walk> = kinds.iter().filter_map(|&kind| self.walk_of(kind)).collect();
        let lifted = self.posture(actor.piece).lifted_with(actor.piece);
        if actor.cell == to {
            return Rule::SamePlace;
        }
        if walks.is_empty() {
            return Rule::OutOfReach;
        }
        let used_last = self.cells_used_last(actor);
        let is_cooling = kinds == [Bug::Snail] && self.is_cooling(actor.piece);
        let rule = self.while_lifted(&lifted, |position| {
            let arrives = |laws| {
                walks
                    .iter()
                    .any(|walk| position.ends_of(actor, walk, &used_last, laws).contains(&to))
            };
            if is_cooling && arrives(Laws::ALL) {
                Rule::RestingSnail
            } else if position.hive.is_occupied(to) && !walks.iter().any(|w| w.ends_on_top()) {
                Rule::OccupiedDestination
            } else if arrives(Laws { gates: false, contact: true }) {
                Rule::FreedomToMove
            } else if arrives(Laws { gates: true, contact: false }) {
                Rule::LosesContact
            } else {
                Rule::OutOfReach
            }
        });
        rule.unwrap_or(Rule::OneHive)
    }
}
