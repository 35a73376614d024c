use super::{
    Bug, Cell, Color, GameType, Hive, Outcome, Piece, Turn,
    change::{Change, Level, Place},
    hand::Hand,
    official::Scratch,
    ring,
};

/// May a side's first piece be its queen?
///
/// All printed rules allow it (R18); tournaments and most programs do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// Any piece may come first.
    #[default]
    Any,
    /// The queen may not.
    Tournament,
}

/// How the previous turn was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum How {
    /// There was none, or it is not known how.
    #[default]
    Unknown,
    /// It was a pass.
    Pass,
    /// A piece was placed.
    Placed,
    /// A piece moved by itself.
    Moved,
    /// A piece used its ability.
    Ability,
}

/// What the rules remember of the previous turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LastTurn {
    /// The piece with which the turn was taken: for a throw the one that threw.
    pub actor: Option<Piece>,
    /// How it was taken.
    pub how: How,
    /// The piece that went to another place, which rests for one turn (R57, R61). A placed piece
    /// did not move.
    pub displaced: Option<Piece>,
}

impl LastTurn {
    /// The piece that was placed, if one was.
    pub fn placed(self) -> Option<Piece> {
        self.actor.filter(|_| self.how == How::Placed)
    }
}

/// What [`Position::undo`] needs to go back by one turn.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// How many changes had been made before the turn.
    changes: usize,
    last: LastTurn,
    outcome: Option<Outcome>,
}

/// All that decides what may follow: the hive, the hands, whose turn it is and what the previous
/// turn was.
///
/// A position can ask whether a turn is legal ([`Position::check`], without generating the others),
/// list all legal turns ([`Position::turns`]), play and undo. Those that ask borrow it mutably, since they
/// lift pieces while they try; they leave it as it was.
///
/// # Examples
///
/// ```
/// use hivekit::rules::{GameType, OpeningRule, Position};
///
/// let mut position = Position::new(GameType::BASE, OpeningRule::Tournament);
/// let turns = position.turns();
/// assert_eq!(turns.len(), 4, "spider, beetle, grasshopper or ant");
/// position.play(turns[0])?;
/// assert_eq!(position.turns().len(), 24);
/// position.undo();
/// assert_eq!(position.turns(), turns);
/// # Ok::<_, hivekit::rules::IllegalTurn>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) hive: Hive,
    pub(super) hand: Hand,
    game_type: GameType,
    opening: OpeningRule,
    ply: u32,
    last: LastTurn,
    outcome: Option<Outcome>,
    changes: Vec<Change>,
    history: Vec<Before>,
    /// Away while the generator works with it.
    pub(super) scratch: Option<Box<Scratch>>,
}

impl Position {
    /// The position before the first turn.
    pub fn new(game_type: GameType, opening: OpeningRule) -> Position {
        Position {
            hive: Hive::default(),
            hand: Hand::full(game_type),
            game_type,
            opening,
            ply: 0,
            last: LastTurn::default(),
            outcome: None,
            changes: Vec::new(),
            history: Vec::new(),
            scratch: None,
        }
    }

    /// Begins a new game, in the memory of the old one.
    pub fn restart(&mut self, game_type: GameType, opening: OpeningRule) {
        self.hive.clear();
        self.hand = Hand::full(game_type);
        self.game_type = game_type;
        self.opening = opening;
        self.ply = 0;
        self.last = LastTurn::default();
        self.outcome = None;
        self.changes.clear();
        self.history.clear();
    }

    /// A position that was put together: stacks (each bottom to top), the number of plies played before
    /// it, and the turn before it.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be one: see [`ComposeError`].
    pub fn compose(
        game_type: GameType,
        opening: OpeningRule,
        stacks: &[(Cell, Vec<Piece>)],
        ply: u32,
        last: LastTurn,
    ) -> Result<Position, ComposeError> {
        let mut position = Position::new(game_type, opening);
        for (cell, stack) in stacks {
            for &piece in stack {
                position.set(piece, *cell)?;
            }
        }
        if !position.hive.is_connected() {
            return Err(ComposeError::Apart);
        }
        if let Some(piece) = last.displaced.filter(|&piece| !position.hive.is_top(piece)) {
            return Err(ComposeError::MovedIsCovered(piece));
        }
        position.last = last;
        position.ply = ply;
        let throws = |piece: Piece| piece.bug().ability().is_some();
        let others = || position.hive.pieces(Color::after(ply).other());
        if let Some(piece) = last.displaced.filter(|piece| piece.color() == Color::after(ply))
            && !others().any(throws)
        {
            return Err(ComposeError::MovedByNobody(piece));
        }
        position.outcome = position.judge();
        Ok(position)
    }

    /// The position in which White has what Black has here, and the other way round. Its turn is the next one that the
    /// other side has.
    pub(super) fn with_other_colors(&self) -> Position {
        let other = |piece: Piece| Piece::new(piece.color().other(), piece.bug(), piece.number());
        let mut swapped = Position::new(self.game_type, self.opening);
        for cell in self.hive.cells() {
            for piece in self.hive.stack(cell) {
                swapped.hand.remove(other(piece));
                swapped.hive.put(other(piece), cell);
            }
        }
        swapped.last = LastTurn {
            actor: self.last.actor.map(other),
            how: self.last.how,
            displaced: self.last.displaced.map(other),
        };
        swapped.ply = self.ply + 1;
        swapped.outcome = swapped.judge();
        swapped
    }

    /// Puts one piece of a position that is being put together.
    fn set(&mut self, piece: Piece, cell: Cell) -> Result<(), ComposeError> {
        if !self.game_type.has(piece) {
            return Err(ComposeError::NotInGame(piece));
        }
        if self.hive.cell_of(piece).is_some() {
            return Err(ComposeError::Twice(piece));
        }
        if self.hive.is_occupied(cell) && !piece.bug().can_stand_on_others() {
            return Err(ComposeError::OnTop(piece));
        }
        self.hand.remove(piece);
        self.hive.put(piece, cell);
        Ok(())
    }

    /// The pieces on the table.
    pub fn hive(&self) -> &Hive {
        &self.hive
    }

    /// How many pieces of a kind a side has not placed.
    pub fn in_hand(&self, color: Color, bug: Bug) -> u8 {
        self.hand.count(color, bug)
    }

    /// The pieces that a side has not placed, in the order of the box.
    pub fn hand(&self, color: Color) -> impl Iterator<Item = Piece> + '_ {
        Bug::ALL
            .iter()
            .flat_map(move |&bug| {
                (1..=self.game_type.count(bug)).map(move |n| Piece::new(color, bug, n))
            })
            .filter(|&piece| self.hive.cell_of(piece).is_none())
    }

    /// The pieces of the game.
    pub fn game_type(&self) -> GameType {
        self.game_type
    }

    /// Whether a queen may come first.
    pub fn opening(&self) -> OpeningRule {
        self.opening
    }

    /// Changes the opening rule for the turns to come.
    pub fn set_opening(&mut self, opening: OpeningRule) {
        self.opening = opening;
    }

    /// How many plies have been played.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The number of the turn to come, as both sides count it: 1 for each side's first.
    pub fn turn_number(&self) -> u32 {
        self.ply / 2 + 1
    }

    /// The side whose turn it is.
    #[inline]
    pub fn to_move(&self) -> Color {
        Color::after(self.ply)
    }

    /// How the game ended, if it has: the queens that are surrounded decide (R70, R71).
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The previous turn.
    #[inline]
    pub fn last(&self) -> LastTurn {
        self.last
    }

    /// Whether `piece` was moved on the previous turn and so rests on this one.
    #[inline]
    pub fn is_frozen(&self, piece: Piece) -> bool {
        self.last.displaced == Some(piece)
    }

    /// Lets every piece move, and returns what [`Position::restore_last`] needs.
    pub(super) fn forget_displaced(&mut self) -> LastTurn {
        let last = self.last;
        self.last.displaced = None;
        last
    }

    /// Undoes [`Position::forget_displaced`].
    pub(super) fn restore_last(&mut self, last: LastTurn) {
        self.last = last;
    }

    /// Takes the outcome that the table shows, and returns what [`Position::restore_outcome`] needs.
    pub(super) fn judge_anew(&mut self) -> Option<Outcome> {
        let outcome = self.judge();
        std::mem::replace(&mut self.outcome, outcome)
    }

    /// Undoes [`Position::judge_anew`].
    pub(super) fn restore_outcome(&mut self, outcome: Option<Outcome>) {
        self.outcome = outcome;
    }

    /// Whether the queen of `color` is on the table.
    #[inline]
    pub fn has_queen(&self, color: Color) -> bool {
        self.hive.cell_of(Piece::new(color, Bug::Queen, 1)).is_some()
    }

    /// How many of the six sides of a queen are occupied; `None` while she is in hand.
    pub fn around_queen(&self, color: Color) -> Option<u32> {
        self.around(Piece::new(color, Bug::Queen, 1))
    }

    /// How many of the six sides of a piece are occupied; `None` while it is in hand.
    pub fn around(&self, piece: Piece) -> Option<u32> {
        Some(self.hive.ring(self.hive.cell_of(piece)?).count_ones())
    }

    /// The piece of a kind that is placed next: equal pieces go in ascending number.
    pub fn next_in_hand(&self, color: Color, bug: Bug) -> Option<Piece> {
        (1..=self.game_type.count(bug))
            .map(|number| Piece::new(color, bug, number))
            .find(|&piece| self.hive.cell_of(piece).is_none())
    }

    /// The outcome that the table shows.
    pub(super) fn judge(&self) -> Option<Outcome> {
        let surrounded = |color| {
            let queen = Piece::new(color, Bug::Queen, 1);
            self.hive.cell_of(queen).is_some_and(|cell| self.hive.ring(cell) == ring::FULL)
        };
        match (surrounded(Color::White), surrounded(Color::Black)) {
            (false, false) => None,
            (true, false) => Some(Outcome::BlackWins),
            (false, true) => Some(Outcome::WhiteWins),
            (true, true) => Some(Outcome::Draw),
        }
    }

    /// Ends the game as a draw, for a reason that the table does not show.
    pub(crate) fn end_in_draw(&mut self) {
        self.outcome = Some(Outcome::Draw);
    }

    /// Plays a turn.
    ///
    /// # Errors
    ///
    /// Fails, and leaves the position as it is, where the rules forbid the turn.
    pub fn play(&mut self, turn: Turn) -> Result<(), super::IllegalTurn> {
        self.check(turn)?;
        self.make(turn);
        Ok(())
    }

    /// Plays a turn that is known to be legal.
    pub(crate) fn make(&mut self, turn: Turn) {
        self.history.push(Before {
            changes: self.changes.len(),
            last: self.last,
            outcome: self.outcome,
        });
        self.last = match turn {
            Turn::Place { piece, to } => {
                self.hand.remove(piece);
                self.put(piece, to);
                LastTurn { actor: Some(piece), how: How::Placed, displaced: None }
            }
            Turn::Walk { piece, to } => {
                self.shift(piece, to);
                LastTurn { actor: Some(piece), how: How::Moved, displaced: Some(piece) }
            }
            Turn::Throw { actor, piece, to } => {
                self.shift(piece, to);
                LastTurn { actor: Some(actor), how: How::Ability, displaced: Some(piece) }
            }
            Turn::Pass => LastTurn { how: How::Pass, ..LastTurn::default() },
        };
        self.ply += 1;
        self.outcome = self.judge();
    }

    /// Takes the last turn back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.history.pop() else { return false };
        while self.changes.len() > before.changes {
            if let Some(change) = self.changes.pop() {
                self.revert(change);
            }
        }
        self.last = before.last;
        self.outcome = before.outcome;
        self.ply -= 1;
        true
    }

    /// Takes back one change, and gives the hand back what came from it.
    #[inline]
    fn revert(&mut self, change: Change) {
        match change {
            // A piece on top, as in every official turn, takes the short way.
            Change::Put(piece, place) if self.is_top_at(piece, place) => {
                self.hive.take(piece, place.cell);
            }
            _ => self.hive.apply(change.reversed()),
        }
        if let Change::Put(piece, _) = change {
            // A piece that left a hand was put without having been taken; one that moved was
            // taken before, and that change is reverted next.
            if !matches!(self.changes.last(), Some(Change::Take(taken, _)) if *taken == piece) {
                self.hand.add(piece);
            }
        }
    }

    #[inline]
    fn is_top_at(&self, piece: Piece, place: Place) -> bool {
        self.hive.top(place.cell) == Some(piece)
            && place.level == Level::On(self.hive.height(place.cell) - 1)
    }

    #[inline]
    fn shift(&mut self, piece: Piece, to: Cell) {
        if let Some(from) = self.hive.cell_of(piece) {
            self.hive.take(piece, from);
            let level = Level::On(self.hive.height(from));
            self.changes.push(Change::Take(piece, Place { cell: from, level }));
            self.put(piece, to);
        }
    }

    #[inline]
    fn put(&mut self, piece: Piece, to: Cell) {
        let level = Level::On(self.hive.height(to));
        self.changes.push(Change::Put(piece, Place { cell: to, level }));
        self.hive.put(piece, to);
    }

    /// What the last turn did to the table.
    pub fn last_changes(&self) -> &[Change] {
        self.history.last().map_or(&[], |before| &self.changes[before.changes..])
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
    /// The pieces do not hang together.
    Apart,
    /// The piece that moved last lies under another one, or not on the table.
    MovedIsCovered(Piece),
    /// The piece of the side to move moved last, and the other side has none that could have thrown it.
    MovedByNobody(Piece),
}

impl std::fmt::Display for ComposeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ComposeError::NotInGame(piece) => write!(f, "the game type has no `{piece}`"),
            ComposeError::Twice(piece) => write!(f, "`{piece}` stands in two places"),
            ComposeError::OnTop(piece) => write!(f, "`{piece}` cannot stand on another piece"),
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

impl std::error::Error for ComposeError {}
