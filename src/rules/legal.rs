//! What may be done: questions that every game type answers in its own way.
use super::{Bug, Cell, IllegalTurn, OpeningRule, Piece, Position, Rule, Turn};

/// Legal turns.
impl Position {
    /// All legal turns, each once; a forced pass is one, and a finished game has none.
    ///
    /// Of equal pieces in hand only the one with the lowest number is placed. In official game types a throw that
    /// leads where the piece could also walk, or that two pieces could make, is one turn.
    pub fn turns(&mut self) -> Vec<Turn> {
        let mut turns = Vec::new();
        self.add_turns(&mut turns);
        turns
    }

    /// Appends what [`Position::turns`] lists.
    pub fn add_turns(&mut self, turns: &mut Vec<Turn>) {
        let start = turns.len();
        if self.is_official() {
            self.add_official_turns(turns);
        } else {
            self.add_fan_turns(turns);
        }
        if turns.len() == start && self.outcome().is_none() {
            turns.push(Turn::Pass);
        }
    }

    /// How many turns [`Position::turns`] lists, without listing them.
    pub fn count_turns(&mut self) -> u64 {
        if !self.is_official() {
            return self.turns().len() as u64;
        }
        let count = self.count_official_turns();
        if self.outcome().is_none() { count.max(1) } else { 0 }
    }

    /// Whether the side to move can do anything but pass.
    pub fn has_turn(&mut self) -> bool {
        if self.is_official() {
            return self.has_official_turn();
        }
        let mut turns = Vec::new();
        self.add_fan_turns(&mut turns);
        !turns.is_empty()
    }

    /// Whether the rules allow a turn.
    ///
    /// # Errors
    ///
    /// Fails where they do not, and names the first rule that the turn breaks.
    pub fn check(&mut self, turn: Turn) -> Result<(), IllegalTurn> {
        let is_legal = match turn {
            Turn::Pass => self.outcome().is_none() && !self.has_turn(),
            _ if self.is_official() => self.allows_official(turn),
            _ => self.allows_fan(turn),
        };
        if is_legal { Ok(()) } else { Err(self.why_not(turn)) }
    }

    /// The turn that puts `piece` at `to`: it is placed if it is in hand, else it walks there if it can,
    /// else it is thrown. With fan pieces it is thrown only if exactly one piece could throw it.
    ///
    /// # Errors
    ///
    /// Fails where no legal turn does so, and names the first rule in the way.
    pub fn find(&mut self, piece: Piece, to: Cell) -> Result<Turn, IllegalTurn> {
        let found = if self.is_official() {
            self.find_official(piece, to)
        } else {
            self.find_fan_to(piece, to)
        };
        match found {
            Some(turn) => Ok(turn),
            None if self.is_official() => Err(self.why_not_there(piece, to)),
            None => Err(self.why_not_there_fan(piece, to)),
        }
    }

    /// The legal turn that is meant by one in which a kind that a mosquito copies may be left out, or another one may be
    /// told from which the same position comes.
    ///
    /// # Errors
    ///
    /// Fails where there is none, and names the first rule in the way.
    pub fn find_turn(&mut self, turn: Turn) -> Result<Turn, IllegalTurn> {
        if self.is_official() || turn == Turn::Pass {
            let turn = turn.as_official();
            return self.check(turn).map(|()| turn);
        }
        match self.find_fan(turn) {
            Some(turn) => Ok(turn),
            None => Err(self.why_not(turn)),
        }
    }
}

/// Why not.
impl Position {
    /// The first rule that a turn breaks, which is known to be illegal.
    fn why_not(&mut self, turn: Turn) -> IllegalTurn {
        match turn {
            Turn::Pass if self.outcome().is_some() => Rule::GameOver.into(),
            Turn::Pass => Rule::PassWithMoves.into(),
            _ if !self.is_official() => self.why_not_fan(turn),
            Turn::Place { piece, to }
            | Turn::Walk { piece, to }
            | Turn::Throw { piece, to, .. } => self.why_not_there(piece, to),
            Turn::Special(_) => Rule::NotInGame.into(),
        }
    }

    /// The first rule that forbids any turn with `piece`, wherever it would go: those that come before
    /// the place is looked at.
    pub fn why_not_piece(&self, piece: Piece) -> Option<Rule> {
        let side = self.to_move();
        let placing = self.is_in_hand(piece);
        let queen = piece.bug() == Bug::Queen;
        let tests = [
            (self.outcome().is_some(), Rule::GameOver),
            (!self.game_type().has(piece), Rule::NotInGame),
            (piece.color() != side && !self.may_be_used(piece), Rule::NotYourPiece),
            (placing && queen && !self.queen_rules_allow(Bug::Queen), Rule::QueenOnFirstTurn),
            (self.queen_is_due() && !(placing && queen), Rule::QueenByTurnFour),
            (!placing && !self.has_queen(side), Rule::MoveBeforeQueen),
        ];
        tests.into_iter().find(|(broken, _)| *broken).map(|(_, rule)| rule)
    }
}

/// Rules that all game types share.
impl Position {
    /// Whether the side to move could do something with a piece of the other side.
    fn may_be_used(&self, piece: Piece) -> bool {
        piece.bug() == Bug::Beehive && !self.is_in_hand(piece) || self.could_be_thrown(piece)
    }

    /// Whether the two rules about when the queen is placed allow to place a piece of this kind.
    pub(super) fn queen_rules_allow(&self, bug: Bug) -> bool {
        if bug == Bug::Queen {
            self.opening() == OpeningRule::Any || self.ply() >= 2
        } else {
            !self.queen_is_due()
        }
    }

    /// Whether the side to move has come to its fourth turn without a queen.
    pub(super) fn queen_is_due(&self) -> bool {
        self.ply() >= 6 && !self.has_queen(self.to_move())
    }

    /// Whether the hive would fall apart without the only piece at `cell`.
    pub(super) fn is_link(&mut self, cell: Cell) -> bool {
        self.hive.height(cell) == 1 && self.hive.is_only_link(cell)
    }

    /// Whether a piece is pinned: alone on its cell, and the hive would fall apart without it.
    pub fn is_pinned(&mut self, piece: Piece) -> bool {
        self.hive.cell_of(piece).is_some_and(|cell| self.is_link(cell))
    }
}
