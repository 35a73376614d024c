//! What turns do to the table, as lists of changes.
use super::{Agent, Bug, Cell, Color, Deed, Mark, Piece, Position, Special, Turn};
use crate::rules::{
    Few, How, LastTurn, Place,
    change::{Change, Level},
};

impl Position {
    /// Does what a turn does, and returns what the rules remember of it.
    #[inline(never)]
    pub(in crate::rules) fn make_any(&mut self, turn: Turn) -> LastTurn {
        let side = self.to_move();
        let last = match turn {
            Turn::Pass => LastTurn { how: How::Pass, ..LastTurn::default() },
            Turn::Place { piece, to } => {
                self.land(piece, to);
                self.placed(piece)
            }
            Turn::Walk { piece, to } => {
                let moved = self.go(piece, to);
                LastTurn::of(piece, How::Moved, moved)
            }
            Turn::Throw { actor, piece, to } => {
                let moved = self.go(piece, to);
                LastTurn::of(actor, How::Ability, moved)
            }
            Turn::Special(special) => self.perform(special),
        };
        self.settle();
        self.cool(side, turn);
        last
    }

    fn placed(&mut self, piece: Piece) -> LastTurn {
        self.hand.remove(piece);
        LastTurn::of(piece, How::Placed, Few::NONE)
    }

    /// The changes of a special turn; nymphs settle afterwards.
    pub(super) fn perform(&mut self, special: Special) -> LastTurn {
        let Special { controller, actor, deed } = special;
        let last = self.do_deed(actor, deed);
        match controller {
            Some(controller) => {
                LastTurn { actor: Some(controller.piece), how: How::Ability, ..last }
            }
            None => last,
        }
    }

    fn do_deed(&mut self, actor: Agent, deed: Deed) -> LastTurn {
        let piece = actor.piece;
        let moved = |pieces: Few| LastTurn::of(piece, How::Moved, pieces);
        let used = |pieces: Few| LastTurn::of(piece, How::Ability, pieces);
        match deed {
            Deed::Place(to) => {
                self.change(Change::Toggle(Mark::OtherFace, piece));
                self.land(piece, to);
                self.placed(piece)
            }
            Deed::PlaceLong(cells) => {
                self.stretch(piece, cells);
                self.placed(piece)
            }
            Deed::Walk(to) => moved(self.go(piece, to)),
            Deed::WalkLong(cells) => {
                self.lift(piece);
                self.stretch(piece, cells);
                moved(Few::one(piece))
            }
            Deed::Burrow(to) => {
                self.lift(piece);
                self.change(Change::Put(piece, Place { cell: to, level: Level::Under }));
                moved(Few::one(piece))
            }
            Deed::Swap(other) => moved(self.swap(piece, other)),
            Deed::Throw(thrown, to) | Deed::Teleport(thrown, to) => used(self.go(thrown, to)),
            Deed::TurnDown(target) => self.turn_down(actor, target),
            Deed::TurnBack => {
                self.change(Change::Toggle(Mark::FaceDown, piece));
                flipped(piece)
            }
            Deed::Flip => self.flip(piece),
            Deed::Capture(target) => {
                self.remove(piece);
                self.remove(target);
                used(Few::NONE)
            }
            Deed::Push(target) => used(self.push(piece, target)),
            Deed::Roll(target) => moved(self.roll(piece, target)),
            Deed::Attract(target) => match self.hive.cell_of(piece) {
                Some(cell) => used(self.go(target, cell)),
                None => used(Few::NONE),
            },
            Deed::Replace(target) => self.replace(piece, target),
        }
    }

    /// Sets a piece down on a cell: beneath the mites that lie there, unless it is one.
    fn land(&mut self, piece: Piece, cell: Cell) {
        let stack = self.hive.stack(cell);
        let is_mite = |piece: Piece| piece.bug() == Bug::Mite;
        let mites = stack.iter().rev().take_while(|&&top| is_mite(top) && !is_mite(piece)).count();
        // No stack is as high.
        let level = u8::try_from(stack.len() - mites).unwrap_or(u8::MAX);
        self.change(Change::Put(piece, Place { cell, level: Level::On(level) }));
    }

    /// Lets a piece go to a cell, with the moth that it carries; returns what was moved.
    fn go(&mut self, piece: Piece, to: Cell) -> Few {
        let moth = self.posture(piece).carried();
        let all: Few = [piece].into_iter().chain(moth).collect();
        moth.into_iter().chain([piece]).for_each(|piece| self.lift(piece));
        self.land(piece, to);
        self.set_upon(moth, piece);
        all
    }

    /// Sets a moth down again on the piece that carries it.
    fn set_upon(&mut self, moth: Option<Piece>, carrier: Piece) {
        if let (Some(moth), Some(place)) = (moth, self.hive.place_of(carrier))
            && let Level::On(level) = place.level
        {
            let place = Place { level: Level::On(level + 1), ..place };
            self.change(Change::Put(moth, place));
        }
    }

    /// Lays a stick insect on two cells.
    fn stretch(&mut self, piece: Piece, cells: [Cell; 2]) {
        for (part, cell) in piece.parts().zip(cells) {
            self.land(part, cell);
        }
    }

    /// Exchanges a piece with another one that stands alone, which takes exactly the place that the first one leaves.
    fn swap(&mut self, piece: Piece, other: Piece) -> Few {
        let moth = self.posture(piece).carried();
        let all: Few = [piece, other].into_iter().chain(moth).collect();
        let places = (self.hive.place_of(piece), self.hive.place_of(other));
        let (Some(here), Some(there)) = places else { return Few::NONE };
        if let Some(moth) = moth {
            self.lift(moth);
        }
        self.change(Change::Take(piece, here));
        self.change(Change::Take(other, there));
        if other.bug() == Bug::Mite {
            self.land(other, here.cell);
        } else {
            self.change(Change::Put(other, here));
        }
        self.change(Change::Put(piece, there));
        self.set_upon(moth, piece);
        all
    }

    fn turn_down(&mut self, actor: Agent, target: Piece) -> LastTurn {
        if actor.kind() == Bug::Scorpion {
            self.change(Change::Toggle(Mark::PoisonSpent, actor.piece));
        }
        self.change(Change::Toggle(Mark::FaceDown, target));
        let last = LastTurn::of(actor.piece, How::Ability, Few::NONE);
        LastTurn { faced: Few::one(target), ..last }
    }

    fn flip(&mut self, piece: Piece) -> LastTurn {
        if piece.bug() == Bug::Beehive {
            self.change(Change::Toggle(Mark::OtherFace, piece));
            return flipped(piece);
        }
        if let Some(Place { cell, .. }) = self.hive.place_of(piece) {
            self.lift(piece);
            self.change(Change::Toggle(Mark::Adult, piece));
            self.land(piece, cell);
        }
        flipped(piece)
    }

    fn push(&mut self, piece: Piece, target: Piece) -> Few {
        match self.pushed_to(piece, target) {
            Some(to) => self.go(target, to),
            None => Few::NONE,
        }
    }

    fn roll(&mut self, piece: Piece, target: Piece) -> Few {
        let near = self.hive.cell_of(target);
        let mut moved = self.push(piece, target);
        if let Some(near) = near {
            moved.add(piece);
            self.go(piece, near);
        }
        moved
    }

    fn replace(&mut self, piece: Piece, target: Piece) -> LastTurn {
        let cell = self.hive.cell_of(target);
        self.lift(target);
        self.clear_marks(target);
        self.change(Change::Return(target));
        if let Some(cell) = cell {
            self.go(piece, cell);
        }
        self.change(Change::Toggle(Mark::Spent, piece));
        let last = LastTurn::of(piece, How::Ability, Few::one(piece));
        LastTurn { faced: Few::one(piece), ..last }
    }

    fn remove(&mut self, piece: Piece) {
        self.lift(piece);
        self.clear_marks(piece);
        self.change(Change::Toggle(Mark::Removed, piece));
    }

    /// Takes all marks from a piece that leaves the table, but for the poison that it spent.
    fn clear_marks(&mut self, piece: Piece) {
        for mark in Mark::ALL.iter().copied().filter(|&mark| mark != Mark::PoisonSpent) {
            self.unmark(mark, piece);
        }
    }

    fn unmark(&mut self, mark: Mark, piece: Piece) {
        if self.has_mark(mark, piece) {
            self.change(Change::Toggle(mark, piece));
        }
    }

    /// Ends the rest of the side's snails and mosquitoes, and begins that of the one that has walked.
    fn cool(&mut self, side: Color, turn: Turn) {
        if self.game_type().count(Bug::Snail) == 0 {
            return;
        }
        for bug in [Bug::Snail, Bug::Mosquito] {
            for piece in self.game_type().pieces_of(side, bug) {
                self.unmark(Mark::Cooling, piece);
            }
        }
        if let Some(walker) = walker_of(turn)
            && Mark::Cooling.fits(walker.bug())
        {
            self.change(Change::Toggle(Mark::Cooling, walker));
        }
    }
}

/// The piece that walks by its owner's will.
fn walker_of(turn: Turn) -> Option<Piece> {
    match turn {
        Turn::Walk { piece, .. }
        | Turn::Special(Special {
            controller: None,
            actor: Agent { piece, .. },
            deed: Deed::Walk(_) | Deed::Swap(_) | Deed::Roll(_),
        }) => Some(piece),
        _ => None,
    }
}

fn flipped(piece: Piece) -> LastTurn {
    LastTurn { faced: Few::one(piece), ..LastTurn::of(piece, How::Flipped, Few::NONE) }
}
