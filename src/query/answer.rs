//! Answers to questions.
use super::{Date, Likeness, Number, Query, State, Text};
use crate::{
    game::Game,
    hex::Direction,
    opening::Table,
    rules::{Bug, Cell, Color, Mark, Piece, Position, Turn},
};
use std::{borrow::Cow, collections::BTreeSet};

/// A position, and the game that it is from.
#[derive(Debug)]
pub struct Facts<'g> {
    /// The game; where there is none, nothing is known of it.
    pub game: Option<&'g Game>,
    /// The position.
    pub position: &'g mut Position,
}

impl Query {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        matches!(self, Query::And(all) if all.is_empty())
    }

    /// Whether it is so. What is not known is not so: neither `rating(white) > 1500` nor `rating(white) <= 1500` where no
    /// rating is told.
    pub fn holds(&self, facts: &mut Facts<'_>) -> bool {
        match self {
            Query::Or(all) => all.iter().any(|one| one.holds(facts)),
            Query::And(all) => all.iter().all(|one| one.holds(facts)),
            Query::Not(one) => !one.holds(facts),
            Query::Is(state) => facts.is(*state),
            Query::Compare(left, relation, right) => {
                match (facts.number(*left), facts.number(*right)) {
                    (Some(left), Some(right)) => relation.holds(left.cmp(&right)),
                    _ => false,
                }
            }
            Query::Match(text, likeness) => {
                let texts = facts.texts(text);
                // Of two players neither may be the one that is excluded.
                match likeness {
                    Likeness::Relation(super::Relation::Unequal, _) => {
                        !texts.is_empty() && texts.iter().all(|text| likeness.holds(text))
                    }
                    _ => texts.iter().any(|text| likeness.holds(text)),
                }
            }
        }
    }
}

impl Likeness {
    fn holds(&self, text: &str) -> bool {
        match self {
            Likeness::Relation(relation, other) => {
                relation.holds(text.to_lowercase().as_str().cmp(other.as_str()))
            }
            Likeness::Contains(part) => text.to_lowercase().contains(part),
            Likeness::Fits(expression) => expression.is_match(text),
            Likeness::Pattern(_) => false,
            Likeness::Date(relation, date) => {
                let order = Date::told(text).and_then(|told| date.order_of(&told));
                order.is_some_and(|order| relation.holds(order))
            }
        }
    }
}

impl Facts<'_> {
    fn is(&mut self, state: State) -> bool {
        let hive = self.position.hive();
        match state {
            State::Pinned(piece) => self.position.is_pinned(piece),
            State::Covered(piece) => {
                let lies_under = |part: Piece| hive.place_of(part).is_some() && !hive.is_top(part);
                piece.parts().any(lies_under)
            }
            State::FaceDown(piece) => self.position.is_face_down(piece),
            State::Removed(piece) => self.position.has_mark(Mark::Removed, piece),
            State::Resting(piece) => self.position.is_frozen(piece),
            State::Placed(piece) => hive.place_of(piece).is_some(),
            State::Beside(one, other) => {
                // A stick insect lies on two cells.
                let cells = |piece: Piece| piece.parts().filter_map(|part| hive.cell_of(part));
                let near = |cell: Cell| Direction::ALL.map(|side| cell.step(side));
                cells(one).any(|cell| cells(other).any(|other| near(cell).contains(&other)))
            }
            State::ToMove(color) => self.position.to_move() == color,
            State::Over => self.position.outcome().is_some(),
        }
    }

    fn number(&mut self, number: Number) -> Option<i64> {
        let count = |count: usize| i64::try_from(count).ok();
        match number {
            Number::Literal(literal) => Some(literal),
            Number::Plies => self.game.and_then(|game| count(game.turns().len())),
            Number::Ply => Some(self.position.ply().into()),
            Number::Turn => Some(self.position.turn_number().into()),
            Number::Moves => count(self.moves().count()),
            Number::MovesOf(piece) if !self.position.is_official() => {
                let is_of = |turn: &Turn| {
                    let moves = turn.goes().is_some_and(|(moved, _)| moved == piece);
                    moves || turn.actor() == Some(piece)
                };
                count(self.moves().filter(is_of).count())
            }
            Number::MovesOf(piece) => {
                let goes = self.moves().filter_map(Turn::goes);
                let cells = goes.filter(|(moved, _)| *moved == piece).map(|(_, cell)| cell);
                count(cells.collect::<BTreeSet<_>>().len())
            }
            Number::Around(piece) => self.position.around(piece).map(i64::from),
            Number::OnHand(color, bug) => Some(self.counted(bug, |p, bug| p.in_hand(color, bug))),
            Number::OnTable(color, bug) => {
                let on_table = |position: &Position, bug: Bug| {
                    let removed = position.removed();
                    let removed = removed.filter(|p| p.color() == color && p.bug() == bug).count();
                    let placed = position.game_type().count(bug) - position.in_hand(color, bug);
                    placed.saturating_sub(u8::try_from(removed).unwrap_or(0))
                };
                Some(self.counted(bug, on_table))
            }
            Number::Height(piece) => {
                let hive = self.position.hive();
                hive.cell_of(piece).map(|cell| hive.height(cell).into())
            }
            Number::Rating(color) => self.game?.rating(color),
            Number::RatingGap => {
                let game = self.game?;
                Some((game.rating(Color::White)? - game.rating(Color::Black)?).abs())
            }
        }
    }

    fn moves(&mut self) -> impl Iterator<Item = Turn> + use<> {
        self.position.turns().into_iter().filter(|turn| *turn != Turn::Pass)
    }

    /// How many pieces of a kind there are, or of all.
    fn counted(&self, bug: Option<Bug>, of: impl Fn(&Position, Bug) -> u8) -> i64 {
        match bug {
            Some(bug) => of(self.position, bug).into(),
            None => Bug::ALL.iter().map(|&bug| i64::from(of(self.position, bug))).sum(),
        }
    }

    /// The texts that are asked for: those that are there, and not empty.
    fn texts(&self, text: &Text) -> Vec<Cow<'_, str>> {
        let tag = |name: &str| self.game.and_then(|game| game.tag(name)).map(Cow::Borrowed);
        let name = |color: Color| tag(&color.to_string());
        let found = match text {
            Text::Type => vec![Some(Cow::Owned(self.position.game_type().to_string()))],
            Text::Date => vec![tag("Date")],
            Text::Tag(name) => vec![self.game.and_then(|game| game.fact(name))],
            Text::Player(color) => vec![name(*color)],
            Text::AnyPlayer => Color::BOTH.map(name).to_vec(),
            Text::Result => vec![self.game.map(|game| Cow::Borrowed(game.result()))],
            Text::Cause => {
                let word = |game: &Game| game.cause().map_or("unknown", |cause| cause.word());
                vec![self.game.map(|game| Cow::Borrowed(word(game)))]
            }
            Text::Opening => {
                let code = |game| {
                    Table::shapes().opening(game).map_or("none", |opening| opening.code.as_str())
                };
                vec![self.game.map(|game| Cow::Borrowed(code(game)))]
            }
        };
        found.into_iter().flatten().filter(|text| !text.is_empty()).collect()
    }
}
