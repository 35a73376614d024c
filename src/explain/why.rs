//! What stands against a turn, in sentences and on a drawing.
use crate::{
    notation::move_string::MoveString,
    position::diagram::{Marks, draw_marked},
    replay::Attempt,
    rules::{Cell, Obstacle, Piece, Position, Rule, Turn},
};

/// What stands against a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Why {
    /// Sentences without full stops.
    pub notes: Vec<String>,
    /// The table with what they speak of; empty where there is nothing to see.
    pub drawing: String,
}

/// How many pieces are named one by one.
const MOST_NAMED: usize = 6;

/// Why a turn that was tried is not legal in the position.
pub fn why(position: &mut Position, attempt: &Attempt) -> Why {
    let Some(rule) = attempt.rule else { return Why::default() };
    let mut notes = Vec::new();
    let mut marks = Marks::default();
    if let Some(piece) = attempt.piece {
        marks.mover = position.hive().cell_of(piece);
        marks.sent = attempt.to;
        if let Some(obstacle) = position.obstacle(rule, piece, attempt.to) {
            notes.push(Told { position, rule, piece, sent: attempt.to }.obstacle(&obstacle));
            marks.against = cells(position, &obstacle);
        }
        if tells_reach(rule) && !position.hive().is_empty() {
            marks.ends = reach(position, piece);
            notes.push(told_reach(position, piece, &marks.ends));
        }
    }
    notes.extend(about_side(position, rule, attempt));
    let own = attempt.piece.filter(|piece| piece.color() == position.to_move());
    notes.extend(own.filter(|_| is_of_kind(rule)).map(|piece| {
        let kind = piece.bug().name();
        format!("`hivekit rules '{kind}'` tells what a piece of this kind does")
    }));
    let is_seen = marks.mover.is_some() || marks.sent.is_some() || !marks.ends.is_empty();
    let mut drawing = String::new();
    if is_seen && !position.hive().is_empty() {
        drawing = draw_marked(position, marks.clone()).to_string();
        notes.extend(legend(&marks, &drawing));
    }
    Why { notes, drawing }
}

/// What the signs of a drawing mean, of those that it has: a place far from the hive is not on it.
fn legend(marks: &Marks, drawing: &str) -> Option<String> {
    let signs = [
        (drawing.contains('>'), "`>` the piece"),
        (drawing.contains('x'), "`x` where it was sent"),
        (drawing.contains('!'), "`!` what stands against it"),
        (!marks.ends.is_empty(), "`o` where it can go"),
    ];
    let used: Vec<&str> = signs.iter().filter(|(is, _)| *is).map(|(_, words)| *words).collect();
    (!used.is_empty()).then(|| used.join(", "))
}

/// Whether a piece of another kind would not have broken the rule.
fn is_of_kind(rule: Rule) -> bool {
    matches!(rule, Rule::OutOfReach | Rule::NoSuchAbility | Rule::NoTarget | Rule::PlacementOfKind)
}

/// Where a piece can go on this turn, by itself or thrown.
fn reach(position: &mut Position, piece: Piece) -> Vec<Cell> {
    let turns = position.turns();
    let goes = |turn: &Turn| turn.goes().filter(|(moved, _)| moved.bug() == piece.bug());
    let is_own = |moved: Piece| position.is_in_hand(piece) || moved == piece;
    let mut cells: Vec<Cell> =
        turns.iter().filter_map(goes).filter(|(p, _)| is_own(*p)).map(|(_, cell)| cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Whether it helps to know where the piece could go.
fn tells_reach(rule: Rule) -> bool {
    !matches!(
        rule,
        Rule::GameOver
            | Rule::NotInGame
            | Rule::NotYourPiece
            | Rule::QueenByTurnFour
            | Rule::MoveBeforeQueen
            | Rule::RemovedPiece
    )
}

fn told_reach(position: &Position, piece: Piece, ends: &[Cell]) -> String {
    let name = position.game_type().name(piece);
    let verb = if position.is_in_hand(piece) { "be placed on" } else { "go to" };
    match ends.len() {
        0 if position.is_in_hand(piece) => format!("`{name}` cannot be placed on this turn"),
        0 => format!("`{name}` can go nowhere on this turn"),
        1 => format!("`{name}` can {verb} the cell marked `o`"),
        count => format!("`{name}` can {verb} the {count} cells marked `o`"),
    }
}

/// The cells of what stands against a turn.
fn cells(position: &Position, obstacle: &Obstacle) -> Vec<Cell> {
    let cells = |pieces: &[Piece]| {
        let parts = pieces.iter().flat_map(|piece| piece.parts());
        parts.filter_map(|part| position.hive().cell_of(part)).collect()
    };
    match obstacle {
        Obstacle::Gate(posts) => cells(posts),
        Obstacle::Loose(pieces) | Obstacle::Pieces(pieces) => cells(pieces),
        Obstacle::Bare(cell) => vec![*cell],
    }
}

/// A rule that a piece breaks in a position.
struct Told<'p> {
    position: &'p Position,
    rule: Rule,
    piece: Piece,
    /// Where it was sent.
    sent: Option<Cell>,
}

impl Told<'_> {
    fn obstacle(&self, obstacle: &Obstacle) -> String {
        match obstacle {
            Obstacle::Gate([left, right]) => {
                let [left, right] = [left, right].map(|piece| self.name(*piece));
                format!("the gap between {left} and {right} is too narrow")
            }
            Obstacle::Loose(pieces) => format!("without it {} would come off", self.names(pieces)),
            Obstacle::Bare(cell) => {
                let sign = if Some(*cell) == self.sent { 'x' } else { '!' };
                format!(
                    "on the step to the cell marked `{sign}` it would touch nothing beside its way"
                )
            }
            Obstacle::Pieces(pieces) => self.pieces(pieces),
        }
    }

    fn pieces(&self, pieces: &[Piece]) -> String {
        let (names, is_one) = (self.names(pieces), pieces.len() == 1);
        let (is, lies) = if is_one { ("is", "lies") } else { ("are", "lie") };
        match self.rule {
            Rule::GameOver => format!("{names} {is} surrounded"),
            Rule::CoveredPiece => format!("{names} {lies} on it"),
            Rule::HeldPiece => format!("{names} {is} beside it"),
            Rule::PlacementTouchesEnemy => format!("{names} {is} beside the place"),
            Rule::FrozenPiece if pieces == [self.piece] => {
                let side = self.position.to_move().other();
                format!("{side} moved it on the turn before, so it rests on this one")
            }
            Rule::FrozenPiece => format!("{names} rested beside it, and could not throw it"),
            _ => format!("{names} {is} there"),
        }
    }

    fn name(&self, piece: Piece) -> String {
        format!("`{}`", self.position.game_type().name(piece.whole()))
    }

    fn names(&self, pieces: &[Piece]) -> String {
        let named: Vec<String> =
            pieces.iter().take(MOST_NAMED).map(|&piece| self.name(piece)).collect();
        let more = pieces.len().saturating_sub(MOST_NAMED);
        match (named.split_last(), more) {
            (Some((last, rest)), 0) if !rest.is_empty() => {
                format!("{} and {last}", rest.join(", "))
            }
            (_, 0) => named.concat(),
            (_, more) => format!("{} and {more} more", named.join(", ")),
        }
    }
}

/// What has to do with the side to move.
fn about_side(position: &mut Position, rule: Rule, attempt: &Attempt) -> Option<String> {
    let side = position.to_move();
    let enemy = attempt.piece.filter(|piece| piece.color() != side);
    match rule {
        Rule::UnknownReference => {
            let told = attempt.reference?;
            let name = position.game_type().name(told);
            Some(if position.is_in_hand(told) {
                format!("`{name}` is in {}'s hand", told.color())
            } else if position.game_type().has(told) {
                format!("`{name}` is not on the table")
            } else {
                format!("the game has no `{told}`")
            })
        }
        Rule::QueenByTurnFour => {
            Some(format!("this is {side}'s fourth turn, and its queen is in hand"))
        }
        Rule::MoveBeforeQueen => Some(format!("{side}'s queen is in hand")),
        Rule::NotYourPiece => last_turn(position),
        Rule::OutOfReach | Rule::FreedomToMove | Rule::OccupiedDestination if enemy.is_some() => {
            Some(format!("it is {side}'s turn, who could only throw {}'s piece", side.other()))
        }
        Rule::PassWithMoves => {
            let turns = position.turns();
            let first = MoveString::new(position, *turns.first()?).to_string();
            Some(match turns.len() {
                1 => format!("{side} has the turn `{first}`"),
                count => format!("{side} has {count} turns, such as `{first}`"),
            })
        }
        _ => None,
    }
}

/// Who took the previous turn, and with what.
fn last_turn(position: &Position) -> Option<String> {
    let side = position.to_move().other();
    let last = position.last();
    let piece = last.actor.or_else(|| last.displaced.iter().next())?;
    (position.ply() > 0).then(|| {
        format!("{side} took the turn before, with `{}`", position.game_type().name(piece))
    })
}
