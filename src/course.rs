//! The course of a game: what there is to tell of each ply, in one pass over the positions.
use crate::{
    game::{Game, Numbering},
    hex::Hex,
    notation::move_string::MoveString,
    record::Aside,
    rules::{
        Bug, Color, Key, Level, Outcome, Piece, Position, RepetitionWatch, RunningKey,
        SamePosition, Turn,
    },
};

/// What is to be found out of a game: each costs time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for by itself")]
pub struct Wants {
    /// What happens on each ply.
    pub steps: bool,
    /// How many turns were legal before each ply.
    pub legal: bool,
    /// Which queens were pinned before each ply.
    pub pinned: bool,
    /// When a position came for the third time.
    pub third: bool,
    /// Which plies missed a win, or allowed one.
    pub slips: bool,
    /// The key of each position.
    pub keys: bool,
    /// Each turn in words.
    pub texts: bool,
}

impl Wants {
    /// Nothing but what the record says.
    pub const NOTHING: Wants = Wants {
        steps: false,
        legal: false,
        pinned: false,
        third: false,
        slips: false,
        keys: false,
        texts: false,
    };

    /// What either of two wants.
    #[must_use]
    pub fn and(self, other: Wants) -> Wants {
        Wants {
            steps: self.steps || other.steps,
            legal: self.legal || other.legal,
            pinned: self.pinned || other.pinned,
            third: self.third || other.third,
            slips: self.slips || other.slips,
            keys: self.keys || other.keys,
            texts: self.texts || other.texts,
        }
    }

    /// Whether the game has to be played again.
    fn replay(self) -> bool {
        self != Wants::NOTHING
    }
}

/// What a turn is to the statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A piece comes from the hand.
    Place,
    /// A piece moves by itself.
    Move,
    /// A piece uses an ability on another one, or on itself without a step, as a pillbug throws.
    Ability,
    /// Nothing can be done.
    Pass,
}

/// A cell, and how many pieces a piece on it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The cell, counted from that of the first piece.
    pub hex: Hex,
    /// How many pieces lie below in the stack; nothing for one beneath the stack.
    pub height: Option<u8>,
}

/// What there is to tell of a ply.
#[derive(Clone, Debug)]
pub struct Step {
    /// The turn.
    pub turn: Turn,
    /// Whose it is.
    pub side: Color,
    /// The number of the turn of this side, from 1.
    pub number: u64,
    /// What it is.
    pub act: Act,
    /// The piece that changes its place, if one does; of several the one that the turn names.
    pub piece: Option<Piece>,
    /// Where it stood before, if on the table.
    pub from: Option<At>,
    /// Where it stands then.
    pub to: Option<At>,
    /// How many cells lie between, if it stood on the table before and after.
    pub distance: Option<u64>,
    /// How many legal turns there were before it: none, if it had to pass.
    pub legal: u64,
    /// Whether each queen was pinned before it.
    pub pinned: [bool; 2],
    /// How many neighbours each queen on the table has after it.
    pub around: [Option<u8>; 2],
    /// The pieces that are covered after it.
    pub covered: Vec<Piece>,
    /// How many pieces the highest stack has after it.
    pub highest: u8,
    /// Whether there was a turn that wins at once, and another one was taken.
    pub misses_win: bool,
    /// Whether the other side can win at once after it, and there was a turn after which it could not.
    pub allows_win: bool,
    /// The key of the position after it.
    pub key: Option<Key>,
    /// The turn as the Universal Hive Protocol tells it.
    pub text: Option<String>,
}

/// The course of a game.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Its plies, where they are wanted.
    pub steps: Vec<Step>,
    /// The number of the ply with which a position came for the third time (effective).
    pub third: Option<u64>,
    /// The turn of the board, as a number of an image, that has the second piece stand east of the first.
    east: usize,
    /// The names that pieces have if equal ones are numbered as they are placed.
    numbering: Option<Numbering>,
}

impl Course {
    /// Looks at a game, with its last position, from which all turns are taken back and played again.
    pub fn of(game: &Game, position: &mut Position, wants: Wants) -> Course {
        let mut course = Course { east: game.turned_east(), ..Course::default() };
        if !wants.replay() {
            return course;
        }
        let numbering = game.numbering();
        course.numbering = (!numbering.is_identity()).then_some(numbering);
        while position.undo() {}
        let mut watch = RepetitionWatch::new(SamePosition::Effective);
        let mut key = wants.keys.then(|| RunningKey::new(position));
        for (at, &turn) in game.turns().iter().enumerate() {
            let mut step = Step::before(turn, position, wants);
            position.make(turn);
            step.after(position);
            if let Some(key) = &mut key {
                key.follow(position);
                step.key = Some(key.key(position));
            }
            let turns = &game.turns()[..=at];
            if wants.third && course.third.is_none() && watch.is_third(position, turns) {
                course.third = Some(turns.len() as u64);
            }
            course.steps.push(step);
        }
        course
    }

    /// A cell as it is where the board is turned so that the second piece stands east of the first.
    pub fn turned(&self, hex: Hex) -> Hex {
        hex.image(self.east)
    }

    /// The name of a piece if equal ones are numbered as they are placed.
    pub fn name(&self, piece: Piece) -> Piece {
        self.numbering.as_ref().map_or(piece, |numbering| numbering.name(piece))
    }
}

impl Step {
    /// What there is before a turn, and the turn.
    fn before(turn: Turn, position: &mut Position, wants: Wants) -> Step {
        let side = position.to_move();
        let piece = turn.goes().map(|(piece, _)| piece);
        let legal = if wants.legal { position.count_turns() } else { 0 };
        let pinned = |color| position.is_pinned(Piece::new(color, Bug::Queen, 1));
        let pinned = if wants.pinned { Color::BOTH.map(pinned) } else { [false; 2] };
        let [misses_win, allows_win] = if wants.slips { slips(turn, position) } else { [false; 2] };
        Step {
            turn,
            side,
            number: position.turn_number().into(),
            act: Act::of(turn),
            piece,
            from: piece.and_then(|piece| At::of(piece, position)),
            to: None,
            distance: None,
            // A forced pass is the only turn, and no choice.
            legal: if turn == Turn::Pass { 0 } else { legal },
            pinned,
            around: [None; 2],
            covered: Vec::new(),
            highest: 0,
            misses_win,
            allows_win,
            key: None,
            text: wants.texts.then(|| MoveString::new(position, turn).to_string()),
        }
    }

    /// Adds what there is after it.
    fn after(&mut self, position: &Position) {
        self.to = self.piece.and_then(|piece| At::of(piece, position));
        if let (Some(from), Some(to)) = (self.from, self.to) {
            let (q, r) = (to.hex.q - from.hex.q, to.hex.r - from.hex.r);
            let distance = q.abs().max(r.abs()).max((q + r).abs());
            self.distance = u64::try_from(distance).ok();
        }
        self.around = Color::BOTH
            .map(|color| position.around_queen(color).and_then(|around| around.try_into().ok()));
        let hive = position.hive();
        for cell in hive.cells() {
            let height = hive.height(cell);
            self.highest = self.highest.max(height);
            let below = std::iter::successors(hive.top(cell), |&piece| hive.below(piece)).skip(1);
            self.covered.extend(below.filter(|_| height > 1));
        }
        self.covered.extend(hive.all_under().map(|(_, piece)| piece));
    }
}

impl Act {
    fn of(turn: Turn) -> Act {
        let mover = turn.goes().map(|(piece, _)| piece);
        match turn {
            Turn::Pass => Act::Pass,
            _ if turn.placed().is_some() => Act::Place,
            _ if turn.actor().is_some() && turn.actor() == mover => Act::Move,
            _ => Act::Ability,
        }
    }
}

impl At {
    fn of(piece: Piece, position: &Position) -> Option<At> {
        let place = position.hive().place_of(piece)?;
        let height = match place.level {
            Level::On(below) => Some(below),
            Level::Under => None,
        };
        Some(At { hex: place.cell.hex(), height })
    }
}

/// Whether a turn misses a win, and whether it allows one without need.
fn slips(turn: Turn, position: &mut Position) -> [bool; 2] {
    let side = position.to_move();
    let wins = after(turn, position, |position| position.outcome() == Some(Outcome::win(side)));
    let misses = !wins && wins_at_once(position);
    // Whether the other side has won, or can win at once.
    let is_lost = |position: &mut Position| match position.outcome() {
        Some(outcome) => outcome == Outcome::win(side.other()),
        None => wins_at_once(position),
    };
    let allows = after(turn, position, is_lost)
        && position.turns().into_iter().any(|other| !after(other, position, is_lost));
    [misses, allows]
}

/// What is so after a turn, which is taken back.
fn after<T>(turn: Turn, position: &mut Position, look: impl Fn(&mut Position) -> T) -> T {
    position.make(turn);
    let found = look(position);
    position.undo();
    found
}

/// Whether the side to move has a turn that wins.
fn wins_at_once(position: &mut Position) -> bool {
    let side = position.to_move();
    let enemy = Piece::new(side.other(), Bug::Queen, 1);
    // One turn of the official game brings a queen one neighbour more, if it does not throw her.
    let is_near =
        !position.is_official() || position.around(enemy).is_some_and(|around| around > 4);
    let can_be = |turn: &Turn| is_near || turn.goes().is_some_and(|(piece, _)| piece == enemy);
    let can_throw = position.game_type().count(Bug::Pillbug) > 0;
    (is_near || can_throw)
        && position
            .turns()
            .into_iter()
            .filter(can_be)
            .any(|turn| after(turn, position, |p| p.outcome() == Some(Outcome::win(side))))
}

/// The time in milliseconds that both players used by the last word of the record, if it tells that of both.
pub fn clock(game: &Game) -> Option<u64> {
    let mut used = [None; 2];
    for remark in game.remarks() {
        if let Aside::Clock(player, milliseconds) = remark.what {
            used[player as usize] = Some(milliseconds);
        }
    }
    Some(used[0]? + used[1]?)
}
