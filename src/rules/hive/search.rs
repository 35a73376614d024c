//! Searches over the board: marks, ways along the ground, gaps, and whether the hive holds together.
use super::{
    Hive,
    ring::{self, RUNS, Ring, SLIDES},
};
use crate::rules::{Cell, cells::Cells};

impl Hive {
    /// Begins a new search: no cell is marked.
    #[inline]
    pub(in crate::rules) fn forget_marks(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.marks.fill(0);
            self.stamp = 1;
        }
    }

    /// Marks a cell; `false` if this search has marked it before.
    #[inline]
    pub(in crate::rules) fn mark(&mut self, cell: Cell) -> bool {
        let mark = &mut self.marks[cell.index()];
        let fresh = *mark != self.stamp;
        *mark = self.stamp;
        fresh
    }

    /// Forgets all labels.
    #[inline]
    pub(in crate::rules) fn forget_labels(&mut self) {
        if self.label_top > u32::MAX - 1024 {
            self.labels.fill(0);
            self.label_top = 0;
        }
        self.label_base = self.label_top;
    }

    /// Gives a cell the label of a group, unless it has one; whether it had none.
    #[inline]
    pub(in crate::rules) fn label(&mut self, cell: Cell, group: usize) -> bool {
        // Fewer groups than cells around the hive.
        #[expect(clippy::cast_possible_truncation)]
        let new = self.label_base + 1 + group as u32;
        let label = &mut self.labels[cell.index()];
        let is_fresh = *label <= self.label_base;
        *label = if is_fresh { new } else { *label };
        self.label_top = self.label_top.max(new);
        is_fresh
    }

    /// The group of a cell, if it has a label.
    #[inline]
    pub(in crate::rules) fn label_of(&self, cell: Cell) -> Option<usize> {
        let label = self.labels[cell.index()];
        (label > self.label_base).then(|| (label - self.label_base - 1) as usize)
    }

    /// Whether the hive would fall apart without the stack at `cell` (R30, R31).
    ///
    /// Without a hole in the hive, each run of neighbours hangs on the cell alone: a way from one
    /// to another would enclose the empty cells between them. So two runs or more decide at
    /// once, and only a hive with a hole has to be searched. Whether it has one is known from its Euler
    /// characteristic, which each piece that comes or goes changes by what its ring says.
    #[inline]
    pub(in crate::rules) fn is_only_link(&mut self, cell: Cell) -> bool {
        RUNS[self.ring(cell) as usize] > 1 && (self.euler == 1 || !self.holds_without(cell))
    }

    /// Whether the neighbours of `cell` are connected by other ways than over `cell`.
    fn holds_without(&mut self, cell: Cell) -> bool {
        let ring = self.ring(cell);
        let mut missing = ring;
        self.forget_marks();
        self.mark(cell);
        let first = cell.toward(ring.trailing_zeros() as usize);
        self.mark(first);
        self.frontier.clear();
        self.frontier.push(first);
        while let Some(at) = self.frontier.pop() {
            if let Some(side) = cell.side_of(at) {
                missing &= !(1 << side);
                if missing == 0 {
                    return true;
                }
            }
            for side in ring::sides(self.ring(at)) {
                let next = at.toward(side);
                let fresh = self.mark(next);
                self.frontier.push_if(next, fresh);
            }
        }
        false
    }

    /// Walks along the ground from `from`, where nothing stands, and adds each cell that it comes to
    /// to `out`.
    #[inline]
    pub(in crate::rules) fn walk_around(&mut self, from: Cell, out: &mut Cells) {
        self.forget_marks();
        self.mark(from);
        let mut at = from;
        let mut next = out.len();
        loop {
            let slides = SLIDES[self.ring(at) as usize];
            ring::each_side(slides, |side| {
                let to = at.toward(side);
                out.push_if(to, self.mark(to));
            });
            let Some(cell) = out.get(next) else { return };
            (at, next) = (cell, next + 1);
        }
    }

    /// Whether a walk along the ground leads from `from`, where nothing stands, to `to`: at each fork first
    /// in the direction of the goal.
    pub(in crate::rules) fn walk_leads(&mut self, from: Cell, to: Cell) -> bool {
        self.forget_marks();
        self.mark(from);
        self.frontier.clear();
        let mut at = from;
        loop {
            let fork = self.frontier.len();
            let slides = SLIDES[self.ring(at) as usize];
            ring::each_side(slides, |side| {
                let next = at.toward(side);
                let fresh = self.mark(next);
                self.frontier.push_if(next, fresh);
            });
            let added = &mut self.frontier.as_mut_slice()[fork..];
            if added.contains(&to) {
                return true;
            }
            if let [one, other] = added
                && one.distance(to) < other.distance(to)
            {
                std::mem::swap(one, other);
            }
            let Some(next) = self.frontier.pop() else { return false };
            at = next;
        }
    }

    /// Whether a step between neighbours fits through the gap between the two stacks at its
    /// sides (R32, R33): it does not if both are higher than the higher end of the step.
    /// Heights count without the mover, which stands `level` pieces high at `from`.
    #[inline]
    pub(in crate::rules) fn fits(&self, from: Cell, level: u8, side: usize) -> bool {
        let left = self.height(from.toward(ring::previous(side)));
        let right = self.height(from.toward(ring::next(side)));
        left.min(right) <= level.max(self.height(from.toward(side)))
    }

    /// Those of `sides` where a step fits through.
    #[inline]
    pub(in crate::rules) fn fitting(&self, from: Cell, level: u8, sides: Ring) -> Ring {
        ring::sides(sides)
            .filter(|&side| self.fits(from, level, side))
            .fold(0, |fitting, side| fitting | 1 << side)
    }

    /// Whether all pieces hang together: the slow definition, for positions that were not played.
    pub fn is_connected(&mut self) -> bool {
        let Some(first) = self.cells().next() else { return true };
        let mut frontier = vec![first];
        self.forget_marks();
        self.mark(first);
        let mut seen = 0;
        while let Some(at) = frontier.pop() {
            seen += 1;
            for side in ring::sides(self.ring(at)) {
                let next = at.toward(side);
                if self.mark(next) {
                    frontier.push(next);
                }
            }
        }
        seen == self.cells().count()
    }
}
