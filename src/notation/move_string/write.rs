//! Moves as we write them.
use super::special::compass;
use crate::{
    game::{Game, Numbering},
    hex::Direction,
    notation::Reference,
    record::Spot,
    rules::{Agent, Bug, Cell, Deed, Piece, Position, Special, Turn},
};
use std::{fmt, io};

/// A turn as the Universal Hive Protocol writes it.
///
/// A place is told by the top of a neighbouring stack, chosen as a [`Reference`] says; a climb names the piece
/// that is covered.
#[derive(Clone, Copy, Debug)]
pub struct MoveString<'p> {
    position: &'p Position,
    turn: Turn,
    numbering: Option<&'p Numbering>,
    reference: Reference,
    /// The spot in the words of the record.
    told: Option<Spot>,
}

impl<'p> MoveString<'p> {
    /// The text of `turn`, which is legal in `position`.
    pub fn new(position: &'p Position, turn: Turn) -> MoveString<'p> {
        MoveString { position, turn, numbering: None, reference: Reference::default(), told: None }
    }

    /// The same with other numbers for equal pieces.
    #[must_use]
    pub fn with_numbering(self, numbering: &'p Numbering) -> MoveString<'p> {
        MoveString { numbering: Some(numbering), ..self }
    }

    /// The same with the place told as a record tells it, if that is right.
    #[must_use]
    pub fn told_by(self, told: Option<Spot>) -> MoveString<'p> {
        MoveString { told, reference: Reference::Keep, ..self }
    }

    fn name(&self, piece: Piece) -> impl fmt::Display {
        let piece = self.numbering.map_or(piece, |numbering| numbering.name(piece));
        self.position.game_type().name(piece)
    }

    /// The top of a cell with the piece lifted, and what it carries.
    fn top_without(&self, piece: Piece, cell: Cell) -> Option<Piece> {
        let hive = self.position.hive();
        let top = hive.top(cell)?;
        if top.whole() == piece {
            return hive.below(top);
        }
        let is_carried = top.bug() == Bug::Moth
            && hive.below(top) == Some(piece)
            && !self.position.is_face_down(top);
        if is_carried { hive.below(piece) } else { Some(top) }
    }

    /// The piece that tells an empty place, and its side where the place is.
    fn beside(&self, piece: Piece, to: Cell) -> Option<(Piece, Direction)> {
        use Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest, West};
        if let (Reference::Keep, Some(Spot::Beside(told, side))) = (self.reference, self.told)
            && self.position.hive().cell_of(told).map(|cell| cell.step(side)) == Some(to)
        {
            return Some((told, side));
        }
        let order = match self.reference {
            Reference::Hivegame => [NorthWest, SouthEast, NorthEast, SouthWest, West, East],
            _ => Direction::ALL,
        };
        order.into_iter().find_map(|direction| {
            let near = to.step(direction);
            let top = match self.reference {
                Reference::Nokamute => self.position.hive().top(near),
                _ => self.top_without(piece, near),
            };
            top.map(|top| (top, direction.opposite()))
        })
    }

    /// The piece that tells an empty place: only where there is no other a nymph.
    fn told_beside(&self, piece: Piece, to: Cell) -> Option<(Piece, Direction)> {
        self.beside(piece, to).or_else(|| self.beside_nymph(to))
    }

    /// The nymph beneath the place that a piece leaves, and its side where a cell is that touches nothing else.
    fn beside_nymph(&self, to: Cell) -> Option<(Piece, Direction)> {
        Direction::ALL.into_iter().find_map(|direction| {
            let nymph = self.position.hive().under(to.step(direction))?;
            Some((nymph, direction.opposite()))
        })
    }
}

impl fmt::Display for MoveString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            Turn::Pass => f.write_str("pass"),
            Turn::Throw { actor, piece, to } if !self.position.is_official() => {
                self.write_deed(f, actor.into(), Deed::Throw(piece, to))
            }
            Turn::Place { piece, to }
            | Turn::Walk { piece, to }
            | Turn::Throw { piece, to, .. } => self.write_going(f, piece.into(), to),
            Turn::Special(Special { controller, actor, deed }) => {
                if let Some(controller) = controller {
                    write!(f, "{}=", self.agent(controller))?;
                }
                self.write_deed(f, actor, deed)
            }
        }
    }
}

impl MoveString<'_> {
    /// A piece with the kind as which it acts.
    fn agent(&self, agent: Agent) -> String {
        let code = agent.guise.map_or(String::new(), |guise| format!(":{}", guise.code()));
        format!("{}{code}", self.name(agent.piece))
    }

    /// A piece that goes to a cell.
    fn write_going(&self, f: &mut fmt::Formatter<'_>, agent: Agent, to: Cell) -> fmt::Result {
        match agent.guise {
            None => write!(f, "{}", self.name(agent.piece))?,
            Some(_) => f.write_str(&self.agent(agent))?,
        }
        self.write_spot(f, agent.piece, to)
    }

    /// A blank and the place to which a piece goes; nothing for the first piece of a game.
    fn write_spot(&self, f: &mut fmt::Formatter<'_>, piece: Piece, to: Cell) -> fmt::Result {
        if let Some(covered) = self.top_without(piece, to) {
            return write!(f, " {}", self.name(covered));
        }
        let Some((reference, side)) = self.told_beside(piece, to) else { return Ok(()) };
        let reference = self.name(reference);
        match side {
            Direction::NorthWest => write!(f, " \\{reference}"),
            Direction::NorthEast => write!(f, " {reference}/"),
            Direction::East => write!(f, " {reference}-"),
            Direction::SouthEast => write!(f, " {reference}\\"),
            Direction::SouthWest => write!(f, " /{reference}"),
            Direction::West => write!(f, " -{reference}"),
        }
    }

    fn write_deed(&self, f: &mut fmt::Formatter<'_>, actor: Agent, deed: Deed) -> fmt::Result {
        let name = self.agent(actor);
        let on = |sign: &str, target: Piece| format!("{name}{sign}{}", self.name(target));
        let text = match deed {
            Deed::Place(to) | Deed::Walk(to) => return self.write_going(f, actor, to),
            Deed::PlaceLong(pair) | Deed::WalkLong(pair) => {
                f.write_str(&name)?;
                return self.write_pair(f, actor.piece, pair);
            }
            Deed::Burrow(to) => match self.top_without(actor.piece, to) {
                Some(top) => format!("{name} _{}", self.name(top)),
                None => name,
            },
            Deed::Throw(piece, to) => {
                f.write_str(&on("^", piece))?;
                return self.write_spot(f, piece, to);
            }
            Deed::Teleport(piece, to) => {
                f.write_str(&on("@", piece))?;
                return self.write_spot(f, piece, to);
            }
            Deed::TurnBack | Deed::Flip => format!("{name}~"),
            Deed::TurnDown(target) => on("~", target),
            Deed::Capture(target) => on("*", target),
            Deed::Swap(target) => on("%", target),
            Deed::Push(target) => on(">", target),
            Deed::Roll(target) => on(">>", target),
            Deed::Attract(target) => on("&", target),
            Deed::Replace(target) => on("#", target),
        };
        f.write_str(&text)
    }

    /// The place of a piece that takes two cells: that of the first one that touches another piece, and the side on which
    /// the other one lies.
    fn write_pair(&self, f: &mut fmt::Formatter<'_>, piece: Piece, pair: [Cell; 2]) -> fmt::Result {
        let [first, second] = pair;
        let real = |cell: &Cell| self.beside(piece, *cell).is_some();
        let any = |cell: &Cell| self.told_beside(piece, *cell).is_some();
        let told = pair.iter().find(|cell| real(cell)).or(pair.iter().find(|cell| any(cell)));
        let told = *told.unwrap_or(&first);
        let other = if told == first { second } else { first };
        self.write_spot(f, piece, told)?;
        match Direction::ALL.into_iter().find(|&side| told.step(side) == other) {
            Some(side) => write!(f, ":{}", compass(side)),
            None => Ok(()),
        }
    }
}

/// Calls `write` with the number of each ply of a game, from 1, and its text, in which equal pieces have the numbers
/// that `numbering` gives them, or their own.
pub(crate) fn each(
    game: &Game,
    reference: Reference,
    numbering: Option<&Numbering>,
    mut write: impl FnMut(usize, MoveString<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut position = Position::new(game.game_type(), game.options());
    for ((number, &turn), &told) in (1..).zip(game.turns()).zip(game.spots()) {
        let text = MoveString { numbering, reference, told, ..MoveString::new(&position, turn) };
        write(number, text)?;
        position.make(turn);
    }
    Ok(())
}
