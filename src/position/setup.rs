//! From what a text shows of a position to a position.
use crate::{
    hex::Hex,
    rules::{
        Cell, Color, ComposeError, GameType, LastTurn, Layout, Mark, Options, Piece, Position,
        bugs::Set,
    },
};
use std::{error, fmt};

/// What a text shows of a position. What it leaves out follows from the rest.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The pieces of the game; else the smallest game type with all that are shown.
    pub game_type: Option<GameType>,
    /// Pieces that are shown, and not on the table.
    pub others: Vec<Piece>,
    /// The side to move; else White, unless it has placed more pieces.
    pub to_move: Option<Color>,
    /// The number of the turn to come; else no more than the pieces ask for.
    pub turn: Option<u32>,
    /// The stacks, each from the bottom to the top.
    pub stacks: Vec<(Hex, Vec<Piece>)>,
    /// Pieces beneath stacks.
    pub under: Vec<(Hex, Piece)>,
    /// Marks that pieces bear; those that were removed for good are marked so.
    pub marks: Vec<(Mark, Piece)>,
    /// The previous turn.
    pub last: LastTurn,
}

/// Why a setup is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// The pieces are none.
    Pieces(ComposeError),
    /// Two stacks stand on one cell: the bottom of the second.
    SameCell(Piece),
    /// The number of the turn is none.
    Turn,
    /// The turn is too early for the pieces on the table.
    TooEarly,
}

/// More turns than a game that ever ends has.
const MOST_TURNS: u32 = 1_000_000;

/// Farther than any hive is long, where the rolled up board would bring it near again.
const FARTHEST: i32 = 60;

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Pieces(error) => error.fmt(f),
            SetupError::SameCell(piece) => {
                write!(f, "`{piece}` stands on a cell where another stack stands")
            }
            SetupError::Turn => write!(f, "the number of a turn is from 1 to {MOST_TURNS}"),
            SetupError::TooEarly => {
                f.write_str("more pieces are on the table than turns were played")
            }
        }
    }
}

impl error::Error for SetupError {}

impl From<ComposeError> for SetupError {
    fn from(error: ComposeError) -> SetupError {
        SetupError::Pieces(error)
    }
}

impl Setup {
    /// The position.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be one.
    pub fn compose(&self, options: Options) -> Result<Position, SetupError> {
        let mut stacks: Vec<(Cell, Vec<Piece>)> = Vec::with_capacity(self.stacks.len());
        let origin = self.stacks.first().map_or(Hex::ORIGIN, |(hex, _)| *hex);
        for (hex, stack) in &self.stacks {
            let (q, r) = (hex.q.saturating_sub(origin.q), hex.r.saturating_sub(origin.r));
            if q.saturating_abs().max(r.saturating_abs()) > FARTHEST {
                return Err(ComposeError::Apart.into());
            }
            let cell = Cell::at(*hex);
            match stack.first() {
                Some(&bottom) if stacks.iter().any(|(known, _)| *known == cell) => {
                    return Err(SetupError::SameCell(bottom));
                }
                Some(_) => stacks.push((cell, stack.clone())),
                None => {}
            }
        }
        let game_type = self.game_type.unwrap_or_else(|| self.smallest_type());
        let layout = Layout {
            stacks,
            under: self.under.iter().map(|&(hex, piece)| (Cell::at(hex), piece)).collect(),
            marks: self.marks.clone(),
            ply: self.ply()?,
            last: self.last,
        };
        Ok(Position::compose(game_type, options, &layout)?)
    }

    /// The pieces that have left the hand, each once.
    pub(super) fn shown(&self) -> impl Iterator<Item = Piece> + '_ {
        let stacked = self.stacks.iter().flat_map(|(_, stack)| stack.iter().copied());
        let hidden = self.under.iter().map(|(_, piece)| *piece);
        let removed = self.marks.iter().filter(|(mark, _)| *mark == Mark::Removed);
        let all = stacked.chain(hidden).chain(removed.map(|(_, piece)| *piece));
        all.filter(|piece| !piece.is_half())
    }

    fn smallest_type(&self) -> GameType {
        let pieces = self.shown().chain(self.others.iter().copied());
        pieces.filter(|piece| piece.bug().set() != Set::Base).fold(GameType::BASE, |all, piece| {
            let count = all.count(piece.bug()).max(piece.bug().count()).max(piece.number());
            all.with_count(piece.bug(), count)
        })
    }

    /// How many plies were played.
    fn ply(&self) -> Result<u32, SetupError> {
        let count = |color| {
            let placed = self.shown().filter(|piece| piece.color() == color).count();
            u32::try_from(placed).unwrap_or(u32::MAX)
        };
        let (white, black) = (count(Color::White), count(Color::Black));
        let fewest = if white > black { 2 * white - 1 } else { 2 * black };
        let to_move = self.to_move.unwrap_or(if self.turn.is_none() {
            Color::after(fewest)
        } else {
            Color::White
        });
        let ply = match self.turn {
            Some(turn) if turn == 0 || turn > MOST_TURNS => return Err(SetupError::Turn),
            Some(turn) => 2 * (turn - 1) + to_move as u32,
            None if Color::after(fewest) == to_move => fewest,
            None => fewest + 1,
        };
        if ply < fewest { Err(SetupError::TooEarly) } else { Ok(ply) }
    }
}
