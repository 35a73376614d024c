mod search;

use super::{
    Cell, Color, Piece,
    cells::Cells,
    change::{Change, Level, Place},
    ring::{self, EULER, Ring},
};

/// What the board knows of one cell: four bytes, so that a cell and its neighbours in a row share a
/// cache line.
#[derive(Clone, Copy)]
struct Site {
    /// The sides where a stack with a white top stands, and above them those with a black one: one
    /// number, so that a change is one store. Kept up to date by the few changes of a turn, they answer
    /// nearly every question of the rules with one load.
    tops: u16,
    /// The piece on top, or [`Piece::NONE`].
    top: u8,
    /// How many pieces stand here.
    height: u8,
}

const EMPTY: Site = Site { tops: 0, top: Piece::NONE, height: 0 };

/// The pieces on the table: stacks on cells, and a slot beneath each stack.
#[derive(Clone)]
pub struct Hive {
    sites: Box<[Site; Cell::COUNT]>,
    /// The cell of each piece, by [`Piece::slot`]; [`Cell::NOWHERE`] if it is not in a stack.
    cells: [u16; Piece::SLOTS],
    /// The piece under each piece.
    below: [u8; Piece::SLOTS],
    /// The pieces in stacks, a bit for each slot of a colour.
    placed: [u128; 2],
    /// The hive's Euler characteristic: as long as it hangs together, one less the number of its holes.
    euler: i32,
    /// The pieces beneath stacks.
    under: Vec<(Cell, Piece)>,
    /// Which cells a search has seen: those that hold the current `stamp`. A new search takes a new
    /// stamp instead of clearing the marks.
    marks: Box<[u32; Cell::COUNT]>,
    stamp: u32,
    /// The group of each cell on the border, above `label_base`: see `border.rs`.
    labels: Box<[u32; Cell::COUNT]>,
    label_base: u32,
    /// The highest label that was given.
    label_top: u32,
    /// Cells that a search has yet to look at; kept to save its allocation.
    frontier: Cells,
}

impl std::fmt::Debug for Hive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.cells().map(|cell| (cell, self.stack(cell)))).finish()
    }
}

/// A boxed array, made on the heap: these are too large to pass over the stack.
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("a vector of N elements is an array of N"),
    }
}

impl Default for Hive {
    fn default() -> Hive {
        Hive {
            sites: boxed(EMPTY),
            cells: [Cell::NOWHERE; Piece::SLOTS],
            below: [Piece::NONE; Piece::SLOTS],
            placed: [0; 2],
            euler: 0,
            under: Vec::new(),
            marks: boxed(0),
            stamp: 0,
            labels: boxed(0),
            label_base: 0,
            label_top: 0,
            frontier: Cells::default(),
        }
    }
}

/// The pieces of one colour whose slots are set.
#[inline]
fn pieces_in(mut slots: u128, color: Color) -> impl Iterator<Item = Piece> {
    std::iter::from_fn(move || {
        if slots == 0 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "below 128")]
        let slot = slots.trailing_zeros() as u8;
        slots &= slots - 1;
        Piece::from_code(color as u8 * 128 + slot)
    })
}

/// What stands where.
impl Hive {
    /// The piece on top of the stack at `cell`.
    #[inline]
    pub fn top(&self, cell: Cell) -> Option<Piece> {
        Piece::from_code(self.sites[cell.index()].top)
    }

    /// How many pieces the stack at `cell` has.
    #[inline]
    pub fn height(&self, cell: Cell) -> u8 {
        self.sites[cell.index()].height
    }

    /// Whether a piece stands at `cell`.
    #[inline]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.height(cell) > 0
    }

    /// The cell of a piece that stands in a stack.
    #[inline]
    pub fn cell_of(&self, piece: Piece) -> Option<Cell> {
        Cell::from_code(self.cells[piece.slot()])
    }

    /// Whether `piece` is the top of its stack.
    #[inline]
    pub fn is_top(&self, piece: Piece) -> bool {
        self.cell_of(piece).is_some_and(|cell| self.top(cell) == Some(piece))
    }

    /// The piece that `piece` stands on.
    pub fn below(&self, piece: Piece) -> Option<Piece> {
        Piece::from_code(self.below[piece.slot()])
    }

    /// How many pieces of its stack a piece stands on.
    #[inline]
    pub fn level_of(&self, piece: Piece) -> u8 {
        let mut level = 0;
        let mut below = self.below[piece.slot()];
        while let Some(piece) = Piece::from_code(below) {
            level += 1;
            below = self.below[piece.slot()];
        }
        level
    }

    /// The stack at `cell`, bottom to top.
    pub fn stack(&self, cell: Cell) -> Vec<Piece> {
        let mut stack: Vec<Piece> =
            std::iter::successors(self.top(cell), |&piece| self.below(piece)).collect();
        stack.reverse();
        stack
    }

    /// The piece in the slot beneath the stack at `cell`.
    pub fn under(&self, cell: Cell) -> Option<Piece> {
        self.under.iter().find(|(slot, _)| *slot == cell).map(|(_, piece)| *piece)
    }

    /// The pieces beneath stacks, each with its cell.
    pub fn all_under(&self) -> impl Iterator<Item = (Cell, Piece)> + '_ {
        self.under.iter().copied()
    }

    /// Where a piece is, if it is on the table.
    pub fn place_of(&self, piece: Piece) -> Option<Place> {
        if let Some(cell) = self.cell_of(piece) {
            return Some(Place { cell, level: Level::On(self.level_of(piece)) });
        }
        let slot = self.under.iter().find(|(_, hidden)| *hidden == piece);
        slot.map(|&(cell, _)| Place { cell, level: Level::Under })
    }

    /// The piece that stands on `piece`, which is in a stack.
    pub fn above(&self, piece: Piece) -> Option<Piece> {
        let stack = self.stack(self.cell_of(piece)?);
        let at = stack.iter().position(|&known| known == piece)?;
        stack.get(at + 1).copied()
    }

    /// The pieces of one colour that stand in stacks, in the order of the box.
    #[inline]
    pub fn pieces(&self, color: Color) -> impl Iterator<Item = Piece> + use<> {
        pieces_in(self.placed[color as usize], color)
    }

    /// Those of [`Hive::pieces`] that are among some slots.
    #[inline]
    pub(super) fn pieces_among(
        &self,
        slots: u128,
        color: Color,
    ) -> impl Iterator<Item = Piece> + use<> {
        pieces_in(self.placed[color as usize] & slots, color)
    }

    /// How many pieces of one colour stand in stacks.
    #[inline]
    pub fn count(&self, color: Color) -> u32 {
        self.placed[color as usize].count_ones()
    }

    /// Whether nothing stands on the table.
    pub fn is_empty(&self) -> bool {
        self.placed == [0; 2]
    }

    /// The occupied cells, in the order of the pieces on top of them.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        Color::BOTH
            .into_iter()
            .flat_map(|color| self.pieces(color))
            .filter(|&piece| self.is_top(piece))
            .filter_map(|piece| self.cell_of(piece))
    }

    /// The sides of `cell` where a stack stands whose top has this colour.
    #[inline]
    pub(super) fn ring_of(&self, cell: Cell, color: Color) -> Ring {
        let [white, black] = self.sites[cell.index()].tops.to_le_bytes();
        if color == Color::White { white } else { black }
    }

    /// The occupied sides of `cell`.
    #[inline]
    pub(super) fn ring(&self, cell: Cell) -> Ring {
        let [white, black] = self.sites[cell.index()].tops.to_le_bytes();
        white | black
    }
}

/// Putting and taking.
impl Hive {
    /// Sets `piece` on top of the stack at `cell`.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, cell: Cell) {
        let ring = self.ring(cell);
        let site = &mut self.sites[cell.index()];
        let covered = std::mem::replace(&mut site.top, piece.code());
        self.euler += if site.height == 0 { i32::from(EULER[ring as usize]) } else { 0 };
        site.height += 1;
        self.below[piece.slot()] = covered;
        self.cells[piece.slot()] = cell.code();
        self.placed[piece.color() as usize] |= 1 << (piece.slot() & 127);
        self.show(cell, Piece::from_code(covered), Some(piece));
    }

    /// Takes the top piece, which must be there, off the stack at `cell`.
    #[inline]
    pub(super) fn take(&mut self, piece: Piece, cell: Cell) {
        debug_assert_eq!(self.top(cell), Some(piece), "only a top piece can be lifted");
        let uncovered = std::mem::replace(&mut self.below[piece.slot()], Piece::NONE);
        let ring = self.ring(cell);
        let site = &mut self.sites[cell.index()];
        site.top = uncovered;
        site.height -= 1;
        self.euler -= if site.height == 0 { i32::from(EULER[ring as usize]) } else { 0 };
        self.cells[piece.slot()] = Cell::NOWHERE;
        self.placed[piece.color() as usize] &= !(1 << (piece.slot() & 127));
        self.show(cell, Some(piece), Piece::from_code(uncovered));
    }

    /// Tells the six neighbours that the top of `cell` has changed: a side that showed one colour
    /// shows another, or none, so the bits of both change.
    #[inline]
    fn show(&mut self, cell: Cell, was: Option<Piece>, is: Option<Piece>) {
        let (was, is) = (was.map(Piece::color), is.map(Piece::color));
        if was == is {
            return;
        }
        let mask = |color| u16::from(was == Some(color) || is == Some(color));
        let changes = mask(Color::White) | mask(Color::Black) << 8;
        for side in 0..6 {
            self.sites[cell.toward(side).index()].tops ^= changes << ring::opposite(side);
        }
    }

    /// Makes one change to the table; its reverse takes it back.
    pub(super) fn apply(&mut self, change: Change) {
        match change {
            Change::Put(piece, Place { cell, level: Level::Under }) => {
                self.under.push((cell, piece));
            }
            Change::Take(piece, Place { cell, level: Level::Under }) => {
                self.under.retain(|slot| *slot != (cell, piece));
            }
            Change::Put(piece, Place { cell, level: Level::On(level) }) => {
                let above = self.lift_above(cell, level);
                self.put(piece, cell);
                above.into_iter().rev().for_each(|piece| self.put(piece, cell));
            }
            Change::Take(piece, Place { cell, level: Level::On(level) }) => {
                let above = self.lift_above(cell, level + 1);
                self.take(piece, cell);
                above.into_iter().rev().for_each(|piece| self.put(piece, cell));
            }
            Change::Toggle(..) | Change::Return(_) | Change::Draw(_) => {}
        }
    }

    /// Lets two pieces of one colour change places.
    pub(super) fn exchange(&mut self, one: Piece, other: Piece) {
        let (Some(first), Some(second)) = (self.place_of(one), self.place_of(other)) else {
            return;
        };
        self.apply(Change::Take(one, first));
        self.apply(Change::Take(other, second));
        self.apply(Change::Put(other, first));
        self.apply(Change::Put(one, second));
    }

    /// Takes all pieces from height `level` on off the stack at `cell`, and returns them from the top.
    fn lift_above(&mut self, cell: Cell, level: u8) -> Vec<Piece> {
        let mut lifted = Vec::new();
        while self.height(cell) > level {
            let Some(top) = self.top(cell) else { break };
            self.take(top, cell);
            lifted.push(top);
        }
        lifted
    }

    /// Takes all pieces off the table.
    pub(super) fn clear(&mut self) {
        for color in Color::BOTH {
            for piece in self.pieces(color) {
                if let Some(cell) = self.cell_of(piece) {
                    self.lift_above(cell, 0);
                }
            }
        }
        self.under.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{hex::Hex, rules::Bug};

    fn piece(name: &str) -> Piece {
        name.parse().unwrap()
    }

    #[test]
    fn a_stack_shows_its_top_to_its_neighbours() {
        let mut hive = Hive::default();
        let east = Cell::at(Hex { q: 1, r: 0 });
        hive.put(piece("wQ"), Cell::ORIGIN);
        assert_eq!(hive.ring_of(east, Color::White).count_ones(), 1);
        hive.put(piece("bB1"), Cell::ORIGIN);
        assert_eq!(hive.ring_of(east, Color::White), 0);
        assert_eq!(hive.ring_of(east, Color::Black).count_ones(), 1);
        assert_eq!(hive.stack(Cell::ORIGIN), [piece("wQ"), piece("bB1")]);
        hive.clear();
        assert_eq!((hive.ring(east), hive.is_empty()), (0, true));
    }

    #[test]
    fn a_change_in_the_middle_of_a_stack_is_taken_back_exactly() {
        let mut hive = Hive::default();
        for name in ["wQ", "bB1", "wB1"] {
            hive.put(piece(name), Cell::ORIGIN);
        }
        let middle = Place { cell: Cell::ORIGIN, level: Level::On(1) };
        let under = Place { cell: Cell::ORIGIN, level: Level::Under };
        let changes = [
            Change::Take(piece("bB1"), middle),
            Change::Put(piece("bB2"), middle),
            Change::Put(Piece::new(Color::White, Bug::Ant, 1), under),
        ];
        changes.into_iter().for_each(|change| hive.apply(change));
        assert_eq!(hive.stack(Cell::ORIGIN), [piece("wQ"), piece("bB2"), piece("wB1")]);
        assert_eq!(hive.under(Cell::ORIGIN), Some(piece("wA1")));
        changes.into_iter().rev().for_each(|change| hive.apply(change.reversed()));
        assert_eq!(hive.stack(Cell::ORIGIN), [piece("wQ"), piece("bB1"), piece("wB1")]);
        assert_eq!(hive.under(Cell::ORIGIN), None);
    }

    #[test]
    fn the_only_link_is_found_by_search_where_the_ring_cannot_tell() {
        let mut hive = Hive::default();
        let at = |q, r| Cell::at(Hex { q, r });
        // A ring of six cells around (0,0), one of them missing: its ends hang by the others.
        for (name, cell) in ["wA1", "wA2", "wA3", "wG1", "wG2"].iter().zip([
            (0, -1),
            (1, -1),
            (1, 0),
            (0, 1),
            (-1, 1),
        ]) {
            hive.put(piece(name), at(cell.0, cell.1));
        }
        assert!(hive.is_only_link(at(1, 0)));
        assert!(!hive.is_only_link(at(0, -1)));
        hive.put(piece("wS1"), at(-1, 0));
        assert!(!hive.is_only_link(at(1, 0)), "the ring is closed");
        assert!(hive.is_connected());
    }
}
