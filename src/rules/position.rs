use super::{
    Bug, Cell, Color, Few, GameType, Hive, Mark, OpeningRule, Options, Outcome, Piece, Turn,
    change::{Change, Level, Place},
    hand::Hand,
    marks::Marks,
    official::Scratch,
    options::QueenRemoval,
    ring,
};

/// How the previous turn was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// A piece was turned back, or showed its other face.
    Flipped,
}

/// What the rules remember of the previous turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LastTurn {
    /// The piece with which the turn was taken: for a throw the one that threw.
    pub actor: Option<Piece>,
    /// How it was taken.
    pub how: How,
    /// The pieces that went to another place, which rest for one turn (R57, R61). A placed piece
    /// did not move.
    pub displaced: Few,
    /// The pieces that show another face.
    pub faced: Few,
}

impl LastTurn {
    pub(super) fn of(actor: Piece, how: How, displaced: Few) -> LastTurn {
        LastTurn { actor: Some(actor), how, displaced, faced: Few::NONE }
    }

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
    options: Options,
    /// Whether the game type is official, so that the fast rules judge it.
    is_official: bool,
    marks: Marks,
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
    pub fn new(game_type: GameType, options: impl Into<Options>) -> Position {
        Position {
            hive: Hive::default(),
            hand: Hand::full(game_type),
            game_type,
            options: options.into(),
            is_official: game_type.is_official(),
            marks: Marks::default(),
            ply: 0,
            last: LastTurn::default(),
            outcome: None,
            changes: Vec::new(),
            history: Vec::new(),
            scratch: None,
        }
    }

    /// Begins a new game, in the memory of the old one.
    pub fn restart(&mut self, game_type: GameType, options: impl Into<Options>) {
        self.hive.clear();
        self.hand = Hand::full(game_type);
        self.game_type = game_type;
        self.options = options.into();
        self.is_official = game_type.is_official();
        self.marks = Marks::default();
        self.ply = 0;
        self.last = LastTurn::default();
        self.outcome = None;
        self.changes.clear();
        self.history.clear();
    }

    /// The position in which White has what Black has here, and the other way round. Its turn is the next one that the
    /// other side has.
    pub(crate) fn with_other_colors(&self) -> Position {
        let other = |piece: Piece| Piece::new(piece.color().other(), piece.bug(), piece.number());
        let mut swapped = Position::new(self.game_type, self.options);
        for cell in self.hive.cells() {
            self.hive
                .stack(cell)
                .into_iter()
                .for_each(|piece| swapped.hive.put(other(piece), cell));
        }
        for (cell, piece) in self.hive.all_under() {
            swapped.hive.apply(Change::Put(other(piece), Place { cell, level: Level::Under }));
        }
        for piece in self.whole_box() {
            for &mark in Mark::ALL.iter().filter(|&&mark| self.has_mark(mark, piece)) {
                swapped.marks.toggle(mark, other(piece));
            }
            if !self.is_in_hand(piece) {
                swapped.hand.remove(other(piece));
            }
        }
        swapped.last = LastTurn {
            actor: self.last.actor.map(other),
            how: self.last.how,
            displaced: self.last.displaced.iter().map(other).collect(),
            faced: self.last.faced.iter().map(other).collect(),
        };
        swapped.ply = self.ply + 1;
        swapped.outcome = swapped.judge();
        swapped
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
        self.box_of(color).filter(|&piece| self.is_in_hand(piece))
    }

    /// All pieces of a side, in the order of the box.
    pub fn box_of(&self, color: Color) -> impl Iterator<Item = Piece> + use<> {
        let game_type = self.game_type;
        Bug::ALL.iter().flat_map(move |&bug| game_type.pieces_of(color, bug))
    }

    /// All pieces of the game, White's first.
    pub fn whole_box(&self) -> impl Iterator<Item = Piece> + use<> {
        Color::BOTH.map(|color| self.box_of(color)).into_iter().flatten()
    }

    /// The pieces that were taken off the table for good, White's first, in the order of the box.
    pub fn removed(&self) -> impl Iterator<Item = Piece> + '_ {
        self.whole_box().filter(|&piece| self.has_mark(Mark::Removed, piece))
    }

    /// Whether a piece of the game is neither on the table nor taken off it for good.
    #[inline]
    pub fn is_in_hand(&self, piece: Piece) -> bool {
        self.hive.cell_of(piece).is_none() && (self.is_official || self.is_left_over(piece))
    }

    /// Whether a piece that stands in no stack is in hand in a game with fan pieces.
    #[cold]
    fn is_left_over(&self, piece: Piece) -> bool {
        !self.has_mark(Mark::Removed, piece) && self.hive.place_of(piece).is_none()
    }

    /// Whether a piece bears a mark.
    #[inline]
    pub fn has_mark(&self, mark: Mark, piece: Piece) -> bool {
        self.marks.has(mark, piece.whole())
    }

    /// Whether the game has no fan pieces, and the usual number of official ones.
    #[inline]
    pub fn is_official(&self) -> bool {
        self.is_official
    }

    /// The pieces of the game.
    pub fn game_type(&self) -> GameType {
        self.game_type
    }

    /// Whether a queen may come first.
    pub fn opening(&self) -> OpeningRule {
        self.options.opening
    }

    /// Changes the opening rule for the turns to come.
    pub fn set_opening(&mut self, opening: OpeningRule) {
        self.options.opening = opening;
    }

    /// Lets the rules be those by which queens can be removed.
    pub(super) fn let_queens_be_removed(&mut self) {
        self.options.queen_removal = QueenRemoval::Wins;
    }

    /// The rules between which the game could choose.
    pub fn options(&self) -> Options {
        self.options
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
        self.last.displaced.contains(piece)
    }

    /// Lets the previous turn have been another, and returns the one that it was.
    pub(super) fn replace_last(&mut self, last: LastTurn) -> LastTurn {
        std::mem::replace(&mut self.last, last)
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
        self.game_type.pieces_of(color, bug).find(|&piece| self.is_in_hand(piece))
    }

    /// The outcome that the table shows.
    pub(super) fn judge(&self) -> Option<Outcome> {
        let is_lost = |color| {
            let queen = Piece::new(color, Bug::Queen, 1);
            match self.hive.cell_of(queen) {
                Some(cell) => self.hive.ring(cell) == ring::FULL,
                None => !self.is_official && !self.is_left_over(queen),
            }
        };
        match (is_lost(Color::White), is_lost(Color::Black)) {
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
        self.last = if self.is_official { self.make_official(turn) } else { self.make_any(turn) };
        self.ply += 1;
        self.outcome = self.judge();
    }

    /// Does what a turn of an official game does.
    #[inline]
    fn make_official(&mut self, turn: Turn) -> LastTurn {
        match turn {
            Turn::Place { piece, to } => {
                self.hand.remove(piece);
                self.put(piece, to);
                LastTurn::of(piece, How::Placed, Few::NONE)
            }
            Turn::Walk { piece, to } => {
                self.shift(piece, to);
                LastTurn::of(piece, How::Moved, Few::one(piece))
            }
            Turn::Throw { actor, piece, to } => {
                self.shift(piece, to);
                LastTurn::of(actor, How::Ability, Few::one(piece))
            }
            Turn::Pass | Turn::Special(_) => LastTurn { how: How::Pass, ..LastTurn::default() },
        }
    }

    /// Makes one change, so that it can be taken back with the others of the turn.
    pub(super) fn change(&mut self, change: Change) {
        self.changes.push(change);
        self.apply(change);
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Put(..) | Change::Take(..) => self.hive.apply(change),
            Change::Toggle(mark, piece) => self.marks.toggle(mark, piece),
            Change::Return(piece) => self.hand.add(piece),
            Change::Draw(piece) => self.hand.remove(piece),
        }
    }

    /// How many changes there have been, for [`Position::take_back`].
    pub(super) fn changes_so_far(&self) -> usize {
        self.changes.len()
    }

    /// Forgets what was changed while a position was put together, and begins there.
    pub(super) fn forget_changes(&mut self) {
        self.changes.clear();
    }

    /// Lets so many plies have been played, the last one this.
    pub(super) fn begin_at(&mut self, ply: u32, last: LastTurn) {
        self.ply = ply;
        self.last = last;
        self.outcome = self.judge();
    }

    /// Takes back all changes after the first ones.
    pub(super) fn take_back(&mut self, first: usize) {
        while self.changes.len() > first {
            if let Some(change) = self.changes.pop() {
                self.revert(change);
            }
        }
    }

    /// Takes the last turn back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.history.pop() else { return false };
        self.take_back(before.changes);
        if let Some(placed) = self.last.placed() {
            self.hand.add(placed);
        }
        self.last = before.last;
        self.outcome = before.outcome;
        self.ply -= 1;
        true
    }

    /// Takes back one change.
    #[inline]
    fn revert(&mut self, change: Change) {
        match change {
            // A piece on top, as in every official turn, takes the short way.
            Change::Put(piece, place) if self.is_top_at(piece, place) => {
                self.hive.take(piece, place.cell);
            }
            _ => self.apply(change.reversed()),
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
