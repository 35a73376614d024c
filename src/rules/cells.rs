use super::Cell;

/// How many cells a list can hold: more than there are around the longest hive.
const CAPACITY: usize = 512;

/// A list of cells that grows without a branch.
///
/// Whether a search has seen a cell is chance, so a branch on it is guessed wrong half of the time. Here
/// a cell is written behind the end at once, and what it was decides whether the end moves on.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    list: Box<[Cell; CAPACITY]>,
    len: usize,
}

impl Default for Cells {
    fn default() -> Cells {
        Cells { list: Box::new([Cell::ORIGIN; CAPACITY]), len: 0 }
    }
}

impl Cells {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, cell: Cell) {
        self.push_if(cell, true);
    }

    /// Adds the cell, if `wanted`.
    #[inline]
    pub(super) fn push_if(&mut self, cell: Cell, wanted: bool) {
        debug_assert!(self.len < CAPACITY, "more cells than a hive can have around it");
        self.list[self.len & (CAPACITY - 1)] = cell;
        self.len += usize::from(wanted);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Cell> {
        self.len = self.len.checked_sub(1)?;
        Some(self.list[self.len & (CAPACITY - 1)])
    }

    /// The cell at a place, if the list is as long.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<Cell> {
        (at < self.len).then(|| self.list[at & (CAPACITY - 1)])
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Cell] {
        &self.list[..self.len.min(CAPACITY)]
    }

    #[inline]
    pub(super) fn as_mut_slice(&mut self) -> &mut [Cell] {
        &mut self.list[..self.len.min(CAPACITY)]
    }

    pub(super) fn extend(&mut self, cells: &[Cell]) {
        let end = (self.len + cells.len()).min(CAPACITY);
        self.list[self.len..end].copy_from_slice(&cells[..end - self.len]);
        self.len = end;
    }

    /// Takes a cell out, if it is there; the last one comes in its place.
    pub(super) fn remove(&mut self, cell: Cell) {
        if let Some(at) = self.as_slice().iter().position(|&known| known == cell) {
            self.list[at] = self.list[self.len - 1];
            self.len -= 1;
        }
    }

    /// Keeps the cells that `stays` says yes to.
    pub(super) fn retain(&mut self, mut stays: impl FnMut(Cell) -> bool) {
        let mut kept = 0;
        for at in 0..self.len {
            let cell = self.list[at];
            self.list[kept] = cell;
            kept += usize::from(stays(cell));
        }
        self.len = kept;
    }
}
