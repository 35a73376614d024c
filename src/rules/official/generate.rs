//! The second definition of legality: all turns that a position allows.
use super::{THROWERS, Thrower, Walker, border::Border, copies, destinations};
use crate::rules::{
    Bug, Cell, Hive, Piece, Position, Turn,
    bugs::Ability,
    cells::Cells,
    ring::{self, Ring, SLIDES},
};

/// What becomes of the turns. A sink that has enough stops the generator.
trait Sink {
    /// Whether the sink wants the turns themselves, and not only how many there are.
    const LISTS: bool;
    /// Each of `pieces` can be placed on each of `cells`.
    fn placements(&mut self, pieces: &[Piece], cells: &[Cell]);
    /// A piece can walk to each of `cells`.
    fn walks(&mut self, piece: Piece, cells: &[Cell]);
    /// A piece can be thrown to a cell.
    fn throw(&mut self, actor: Piece, piece: Piece, to: Cell);
    /// There are more turns, which such a sink does not want to see.
    fn more(&mut self, _count: usize) {}
    /// Whether no more turns are wanted.
    fn has_enough(&self) -> bool {
        false
    }
}

impl Sink for Vec<Turn> {
    const LISTS: bool = true;

    fn placements(&mut self, pieces: &[Piece], cells: &[Cell]) {
        for &piece in pieces {
            self.extend(cells.iter().map(|&to| Turn::Place { piece, to }));
        }
    }

    fn walks(&mut self, piece: Piece, cells: &[Cell]) {
        self.extend(cells.iter().map(|&to| Turn::Walk { piece, to }));
    }

    fn throw(&mut self, actor: Piece, piece: Piece, to: Cell) {
        self.push(Turn::Throw { actor, piece, to });
    }
}

/// Counts, for the leaves of a tree of turns.
struct Count(u64);

impl Sink for Count {
    const LISTS: bool = false;

    fn more(&mut self, count: usize) {
        self.0 += count as u64;
    }

    fn placements(&mut self, pieces: &[Piece], cells: &[Cell]) {
        self.0 += pieces.len() as u64 * cells.len() as u64;
    }

    fn walks(&mut self, _: Piece, cells: &[Cell]) {
        self.0 += cells.len() as u64;
    }

    fn throw(&mut self, _: Piece, _: Piece, _: Cell) {
        self.0 += 1;
    }
}

/// Wants to know only whether there is any.
struct Any(bool);

impl Sink for Any {
    const LISTS: bool = false;

    fn more(&mut self, count: usize) {
        self.0 |= count > 0;
    }

    fn placements(&mut self, pieces: &[Piece], cells: &[Cell]) {
        self.0 |= !pieces.is_empty() && !cells.is_empty();
    }

    fn walks(&mut self, _: Piece, cells: &[Cell]) {
        self.0 |= !cells.is_empty();
    }

    fn throw(&mut self, _: Piece, _: Piece, _: Cell) {
        self.0 = true;
    }

    fn has_enough(&self) -> bool {
        self.0
    }
}

/// A thrower, and what it can do on this turn.
#[derive(Clone, Debug)]
struct Throws {
    by: Thrower,
    /// The sides from which it can lift.
    lifts: Ring,
    /// The sides where it can set down.
    drops: Ring,
}

/// What the generator works with; kept from one position to the next, to save the allocations.
#[derive(Clone, Debug, Default)]
pub(in crate::rules) struct Scratch {
    cells: Cells,
    pieces: Vec<Piece>,
    throws: Vec<Throws>,
    border: Border,
}

impl Scratch {
    fn clear(&mut self, hive: &mut Hive) {
        self.cells.clear();
        self.pieces.clear();
        self.throws.clear();
        self.border.clear(hive);
    }
}

impl Position {
    /// Appends all turns but a pass. A throw that leads where the piece could also walk, or that two pieces could make,
    /// is one turn.
    pub(in crate::rules) fn add_official_turns(&mut self, turns: &mut Vec<Turn>) {
        self.generate(turns);
    }

    /// How many turns but a pass there are, without listing them.
    pub(in crate::rules) fn count_official_turns(&mut self) -> u64 {
        let mut count = Count(0);
        self.generate(&mut count);
        count.0
    }

    /// Whether there is one.
    pub(in crate::rules) fn has_official_turn(&mut self) -> bool {
        let mut any = Any(false);
        self.generate(&mut any);
        any.0
    }

    fn generate(&mut self, sink: &mut impl Sink) {
        if self.outcome().is_some() {
            return;
        }
        let mut scratch = self.scratch.take().unwrap_or_default();
        scratch.clear(&mut self.hive);
        self.placements(&mut scratch, sink);
        if self.has_queen(self.to_move()) && !sink.has_enough() {
            self.find_throwers(&mut scratch);
            self.own_moves(&mut scratch, sink);
            self.throws_of_enemies(&mut scratch, sink);
        }
        self.scratch = Some(scratch);
    }

    fn placements<S: Sink>(&mut self, scratch: &mut Scratch, sink: &mut S) {
        let color = self.to_move();
        let kinds = self.placeable_kinds();
        if kinds == 0 {
            return;
        }
        self.placement_cells(&mut scratch.cells);
        if !S::LISTS {
            return sink.more(kinds.count_ones() as usize * scratch.cells.len());
        }
        scratch.pieces.extend(
            Bug::ALL
                .iter()
                .filter(|&&bug| kinds >> bug as u8 & 1 == 1)
                .filter_map(|&bug| self.next_in_hand(color, bug)),
        );
        sink.placements(&scratch.pieces, scratch.cells.as_slice());
    }

    /// The kinds of which the side to move may place a piece now, as bits by kind.
    fn placeable_kinds(&self) -> u32 {
        const QUEEN: u32 = 1 << Bug::Queen as u8;
        let kinds = self.hand.kinds(self.to_move());
        let without = if self.queen_rules_allow(Bug::Queen) { 0 } else { QUEEN };
        if self.queen_is_due() { kinds & QUEEN & !without } else { kinds & !without }
    }

    /// The cells where the side to move may place a piece.
    fn placement_cells(&mut self, cells: &mut Cells) {
        let color = self.to_move();
        if self.hive.is_empty() {
            return cells.push(Cell::ORIGIN);
        }
        if self.hive.count(color) == 0 {
            // The first piece of the second side: anywhere beside the hive.
            let other =
                self.hive.pieces(color.other()).filter_map(|piece| self.hive.cell_of(piece));
            let near: Vec<Cell> =
                other.flat_map(|at| (0..6).map(move |side| at.toward(side))).collect();
            self.hive.forget_marks();
            for cell in near {
                let fresh = self.hive.mark(cell);
                cells.push_if(cell, fresh && !self.hive.is_occupied(cell));
            }
            return;
        }
        for piece in self.hive.pieces(color) {
            let Some(at) = self.hive.cell_of(piece).filter(|_| self.hive.is_top(piece)) else {
                continue;
            };
            let empty = !self.hive.ring(at);
            for side in 0..6 {
                let cell = at.toward(side);
                let (friends, enemies) =
                    (self.hive.ring_of(cell, color), self.hive.ring_of(cell, color.other()));
                // Of all friends around a cell the one on its lowest side tells of it: so each cell
                // comes once, and nothing has to be marked, which took a third of the time.
                let is_lowest = friends & friends.wrapping_neg() == 1 << ring::opposite(side);
                cells.push_if(cell, empty >> side & 1 == 1 && is_lowest && enemies == 0);
            }
        }
    }

    fn find_throwers(&self, scratch: &mut Scratch) {
        for piece in self.hive.pieces_among(THROWERS, self.to_move()) {
            if self.throws(piece)
                && let Some(cell) = self.hive.cell_of(piece)
            {
                let by = Thrower { actor: piece, cell };
                let (lifts, drops) = (by.lifts(&self.hive), by.drops(&self.hive));
                scratch.throws.push(Throws { by, lifts, drops });
            }
        }
    }

    /// The walks of the side's own pieces, and the throws of them.
    fn own_moves<S: Sink>(&mut self, scratch: &mut Scratch, sink: &mut S) {
        for piece in self.hive.pieces(self.to_move()) {
            let Some(from) = self.hive.cell_of(piece) else { continue };
            if !self.hive.is_top(piece) || self.is_frozen(piece) || self.is_link(from) {
                continue;
            }
            let level = self.hive.height(from) - 1;
            let walker = Walker { piece, from, level };
            if piece.bug() == Bug::Ant && level == 0 {
                self.ant_walks(walker, scratch, sink);
            } else {
                self.walks(walker, &mut scratch.cells);
                sink.walks(piece, scratch.cells.as_slice());
            }
            throws_of(piece, from, scratch, sink);
            if sink.has_enough() {
                return;
            }
        }
    }

    /// Whether a piece of the side to move could walk anywhere.
    pub(super) fn could_walk(&mut self, piece: Piece) -> bool {
        let Some(from) = self.hive.cell_of(piece) else { return false };
        if !self.hive.is_top(piece) || self.is_link(from) {
            return false;
        }
        let mut cells = Cells::default();
        let level = self.hive.height(from) - 1;
        self.walks(Walker { piece, from, level }, &mut cells);
        !cells.as_slice().is_empty()
    }

    /// The cells that a piece can walk to, if it may move at all.
    fn walks(&mut self, walker: Walker, cells: &mut Cells) {
        cells.clear();
        let Walker { piece, from, level } = walker;
        if piece.bug().ability() == Some(Ability::Copy) {
            for bug in copies(&self.hive, from, level) {
                destinations(&mut self.hive, bug, walker, cells);
            }
            self.hive.forget_marks();
            cells.retain(|cell| self.hive.mark(cell));
        } else {
            destinations(&mut self.hive, piece.bug(), walker, cells);
        }
    }

    /// The same for an ant, which takes its way from the border if it can.
    fn ant_walks<S: Sink>(&mut self, walker: Walker, scratch: &mut Scratch, sink: &mut S) {
        let Scratch { cells, border, throws, .. } = scratch;
        cells.clear();
        if SLIDES[self.hive.ring(walker.from) as usize] == 0 {
            return;
        }
        // The cells themselves are needed where a throw could lead to one of them, too.
        let is_beside = |throw: &Throws| throw.by.cell.side_of(walker.from).is_some();
        match border.way_of_ant(&mut self.hive, walker.from) {
            Some(way) if !S::LISTS && !throws.iter().any(is_beside) => {
                return sink.more(border.count(way));
            }
            Some(way) => border.list(way, cells),
            None => destinations(&mut self.hive, Bug::Ant, walker, cells),
        }
        sink.walks(walker.piece, cells.as_slice());
    }

    fn throws_of_enemies(&mut self, scratch: &mut Scratch, sink: &mut impl Sink) {
        if scratch.throws.is_empty() {
            return;
        }
        let enemy = self.to_move().other();
        for piece in self.hive.pieces(enemy) {
            let Some(from) = self.hive.cell_of(piece) else { continue };
            let near = scratch.throws.iter().any(|throw| throw.by.cell.side_of(from).is_some());
            if near && self.hive.height(from) == 1 && !self.is_frozen(piece) && !self.is_link(from)
            {
                scratch.cells.clear();
                throws_of(piece, from, scratch, sink);
            }
        }
    }
}

/// The throws of a piece that is free to move, except to where `scratch.cells` says it walks.
fn throws_of(piece: Piece, from: Cell, scratch: &mut Scratch, sink: &mut impl Sink) {
    let Scratch { cells, throws, .. } = scratch;
    for throw in throws.iter() {
        let by = throw.by;
        if by.cell.side_of(from).is_none_or(|side| throw.lifts >> side & 1 == 0) {
            continue;
        }
        for side in ring::sides(throw.drops) {
            let to = by.cell.toward(side);
            if !cells.as_slice().contains(&to) {
                cells.push(to);
                sink.throw(by.actor, piece, to);
            }
        }
    }
}
