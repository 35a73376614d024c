//! Positions that were not played, but put together.
use super::{
    Bug, Cell, Color, GameType, LastTurn, Mark, Options, Piece, Position,
    bugs::Ability,
    change::{Change, Level, Place},
};
use crate::hex::Direction;
use std::{error, fmt};

/// What a position is put together from.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Stacks, each from the bottom to the top.
    pub stacks: Vec<(Cell, Vec<Piece>)>,
    /// Pieces beneath stacks.
    pub under: Vec<(Cell, Piece)>,
    /// Marks that pieces bear.
    pub marks: Vec<(Mark, Piece)>,
    /// How many plies were played before.
    pub ply: u32,
    /// The turn before.
    pub last: LastTurn,
}

impl Position {
    /// A position that was put together.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be one: see [`ComposeError`].
    pub fn compose(
        game_type: GameType,
        options: impl Into<Options>,
        layout: &Layout,
    ) -> Result<Position, ComposeError> {
        let mut position = Position::new(game_type, options);
        for (cell, stack) in &layout.stacks {
            for &piece in stack {
                position.set(piece, *cell)?;
            }
        }
        for &(cell, piece) in &layout.under {
            position.set_under(piece, cell)?;
        }
        for &(mark, piece) in &layout.marks {
            position.set_mark(mark, piece)?;
        }
        position.join_halves()?;
        position.settle();
        if !position.hive.is_connected() {
            return Err(ComposeError::Apart);
        }
        position.set_last(layout.last, layout.ply)?;
        position.forget_changes();
        Ok(position)
    }

    /// Puts one piece on top of a stack.
    fn set(&mut self, piece: Piece, cell: Cell) -> Result<(), ComposeError> {
        self.set_out(piece)?;
        // Where a firefly can draw any piece onto itself, only a stick insect never stands on others.
        let can_stand_there = if self.is_official() {
            piece.bug().can_stand_on_others()
        } else {
            piece.bug() != Bug::StickInsect
        };
        if self.hive.is_occupied(cell) && !can_stand_there {
            return Err(ComposeError::OnTop(piece));
        }
        if self.hive.top(cell).is_some_and(|top| top.bug() == Bug::Mite) && piece.bug() != Bug::Mite
        {
            return Err(ComposeError::OnMite(piece));
        }
        self.hive.put(piece, cell);
        Ok(())
    }

    /// Takes a piece out of the hand.
    fn set_out(&mut self, piece: Piece) -> Result<(), ComposeError> {
        if !self.game_type().has(piece) {
            return Err(ComposeError::NotInGame(piece));
        }
        if self.hive.place_of(piece).is_some() {
            return Err(ComposeError::Twice(piece));
        }
        if !piece.is_half() {
            self.hand.remove(piece);
        }
        Ok(())
    }

    fn set_under(&mut self, piece: Piece, cell: Cell) -> Result<(), ComposeError> {
        self.set_out(piece)?;
        if !self.hive.is_occupied(cell) {
            return Err(ComposeError::NoStack(piece));
        }
        if self.hive.under(cell).is_some() || piece.bug() != Bug::Cicada {
            return Err(ComposeError::Under(piece));
        }
        self.hive.apply(Change::Put(piece, Place { cell, level: Level::Under }));
        Ok(())
    }

    fn set_mark(&mut self, mark: Mark, piece: Piece) -> Result<(), ComposeError> {
        if !self.game_type().has(piece) {
            return Err(ComposeError::NotInGame(piece));
        }
        let is_on_table = self.hive.place_of(piece).is_some();
        let needs_table = !matches!(mark, Mark::Removed | Mark::PoisonSpent);
        let is_hidden_adult = mark == Mark::Adult && self.hive.cell_of(piece).is_none();
        let can_be = mark.fits(piece.bug()) && !self.is_official();
        if !can_be || needs_table && !is_on_table || is_hidden_adult {
            return Err(ComposeError::Mark(mark, piece));
        }
        if mark == Mark::Removed {
            if is_on_table {
                return Err(ComposeError::Removed(piece));
            }
            if self.has_mark(mark, piece) {
                return Err(ComposeError::Twice(piece));
            }
            self.set_out(piece)?;
            if piece.bug() == Bug::Queen {
                // The game was played by the rule that lets it happen.
                self.let_queens_be_removed();
            }
        }
        if !self.has_mark(mark, piece) {
            self.change(Change::Toggle(mark, piece));
        }
        Ok(())
    }

    /// Brings the two halves of each stick insect into order: the first is the one further north, else further west.
    fn join_halves(&mut self) -> Result<(), ComposeError> {
        for color in Color::BOTH {
            for first in self.game_type().pieces_of(color, Bug::StickInsect) {
                let Some(second) = first.half() else { continue };
                let cells = (self.hive.cell_of(first), self.hive.cell_of(second));
                let (one, other) = match cells {
                    (None, None) => continue,
                    (Some(one), Some(other)) => (one, other),
                    _ => return Err(ComposeError::Halves(first)),
                };
                match one.side_of(other) {
                    Some(side) if Direction::ALL[side].is_onward() => {}
                    Some(_) => self.hive.exchange(first, second),
                    None => return Err(ComposeError::Halves(first)),
                }
            }
        }
        Ok(())
    }

    fn set_last(&mut self, last: LastTurn, ply: u32) -> Result<(), ComposeError> {
        let mut moved = last.displaced.iter();
        if let (Some(one), Some(other)) = (moved.next(), moved.next())
            && self.is_official()
        {
            return Err(ComposeError::BothMoved(one, other));
        }
        let is_gone = |&piece: &Piece| self.hive.place_of(piece).is_none();
        let is_covered = |&piece: &Piece| !self.hive.is_top(piece);
        let moved = last.displaced.iter();
        let wrong = if self.is_official() {
            let others = || self.hive.pieces(Color::after(ply).other());
            let can_be_thrown = others()
                .any(|piece| matches!(piece.bug().ability(), Some(Ability::Throw | Ability::Copy)));
            let side = Color::after(ply);
            if let Some(piece) = last.displaced.iter().find(|piece| piece.color() == side)
                && !can_be_thrown
                && !is_covered(&piece)
            {
                return Err(ComposeError::MovedByNobody(piece));
            }
            moved.into_iter().find(is_covered)
        } else {
            moved.chain(last.faced.iter()).find(is_gone)
        };
        if let Some(piece) = wrong {
            return Err(ComposeError::MovedIsCovered(piece));
        }
        self.begin_at(ply, last);
        Ok(())
    }
}

/// Pieces that are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComposeError {
    /// The game type does not have the piece.
    NotInGame(Piece),
    /// The piece stands in two places.
    Twice(Piece),
    /// The piece stands on another, where its kind never comes.
    OnTop(Piece),
    /// The piece lies beneath a stack, where only a nymph of a cicada can lie, and only one.
    Under(Piece),
    /// The piece is said to lie beneath a stack where none is.
    NoStack(Piece),
    /// The piece lies on a mite, which is always on top.
    OnMite(Piece),
    /// The piece is said to be what its kind can never be there.
    Mark(Mark, Piece),
    /// The piece is said to be removed, and is on the table.
    Removed(Piece),
    /// A stick insect does not lie on two cells beside each other.
    Halves(Piece),
    /// The pieces do not hang together.
    Apart,
    /// Two pieces are said to have moved on one turn of an official game.
    BothMoved(Piece, Piece),
    /// The piece that moved last lies under another one, or not on the table.
    MovedIsCovered(Piece),
    /// The piece of the side to move moved last, and the other side has none that could have thrown it.
    MovedByNobody(Piece),
}

impl fmt::Display for ComposeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComposeError::NotInGame(piece) => write!(f, "the game type has no `{piece}`"),
            ComposeError::Twice(piece) => write!(f, "`{piece}` stands in two places"),
            ComposeError::OnTop(piece) => write!(f, "`{piece}` cannot stand on another piece"),
            ComposeError::Under(piece) => {
                write!(f, "`{piece}` cannot lie beneath a stack: only one nymph of a cicada can")
            }
            ComposeError::NoStack(piece) => {
                write!(f, "`{piece}` lies beneath a stack where there is none")
            }
            ComposeError::OnMite(piece) => {
                write!(f, "`{piece}` lies on a mite, which is always on top of its stack")
            }
            ComposeError::Mark(mark, piece) => {
                write!(f, "`{piece}` cannot be {}: its kind never is, or not there", mark.word())
            }
            ComposeError::Removed(piece) => {
                write!(f, "`{piece}` is said to be removed, and is on the table")
            }
            ComposeError::Halves(piece) => {
                write!(f, "`{piece}` does not lie on two cells beside each other")
            }
            ComposeError::BothMoved(one, other) => {
                write!(f, "`{one}` and `{other}` cannot both have moved last")
            }
            ComposeError::Apart => f.write_str("the pieces do not hang together"),
            ComposeError::MovedIsCovered(piece) => {
                write!(f, "`{piece}` moved last, but is not on top of a stack")
            }
            ComposeError::MovedByNobody(piece) => {
                write!(f, "`{piece}` moved last, but nothing of the other side could throw it")
            }
        }
    }
}

impl error::Error for ComposeError {}
