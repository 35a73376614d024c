use crate::rules::{
    Cell,
    cells::Cells,
    hive::Hive,
    ring::{self, RUNS, Ring, SLIDES},
};

/// The empty cells around the hive, in groups between which no slide leads.
///
/// All ants of a position walk the same way round, but for the few cells next to each. So the way is
/// walked once, by the first ant that asks, and most ants only take out what they would lose touch with.
#[derive(Clone, Debug, Default)]
pub(super) struct Border {
    /// The cells, group by group.
    cells: Cells,
    /// Where each group begins in `cells`.
    starts: Vec<usize>,
}

/// What an ant can reach: one or two groups, without the cells that hang on the ant alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct AntWay {
    groups: [usize; 2],
    from: Cell,
    /// The sides where those cells are.
    lonely: Ring,
}

impl Border {
    /// Forgets the border of another position.
    #[inline]
    pub(super) fn clear(&mut self, hive: &mut Hive) {
        self.cells.clear();
        self.starts.clear();
        hive.forget_labels();
    }

    /// The way of an ant that stands alone at `from`, if it is one of the simple cases: its
    /// neighbours are one run, and of its empty sides all but the two at the ends touch nothing else. Lifting
    /// it then opens no way that was not there, and closes none but those past itself.
    pub(super) fn way_of_ant(&mut self, hive: &mut Hive, from: Cell) -> Option<AntWay> {
        let ring = hive.ring(from);
        let empty = !ring & ring::FULL;
        if RUNS[ring as usize] != 1 || empty.count_ones() < 2 {
            return None;
        }
        // The ends of the empty run touch the pieces beside it.
        let ends = empty & ring::beside(ring);
        let lonely = empty & !ends;
        let touches_only_ant =
            |side: usize| hive.ring(from.toward(side)) == 1 << ring::opposite(side);
        if !ring::sides(lonely).all(touches_only_ant) {
            return None;
        }
        let last = 7 - ends.leading_zeros() as usize;
        let groups = [ends.trailing_zeros() as usize, last];
        Some(AntWay {
            groups: groups.map(|side| self.group_of(hive, from.toward(side))),
            from,
            lonely,
        })
    }

    /// The group of an empty cell beside the hive.
    fn group_of(&mut self, hive: &mut Hive, first: Cell) -> usize {
        if let Some(group) = hive.label_of(first) {
            return group;
        }
        let group = self.starts.len();
        let mut next = self.cells.len();
        self.starts.push(next);
        self.cells.push(first);
        hive.label(first, group);
        while let Some(at) = self.cells.get(next) {
            next += 1;
            ring::each_side(SLIDES[hive.ring(at) as usize], |side| {
                let to = at.toward(side);
                self.cells.push_if(to, hive.label(to, group));
            });
        }
        group
    }

    /// How many cells a way leads to.
    pub(super) fn count(&self, way: AntWay) -> usize {
        let [first, second] = way.groups;
        let more = if second == first { 0 } else { self.group(second).len() };
        self.group(first).len() + more - way.lonely.count_ones() as usize
    }

    /// Appends the cells that a way leads to.
    pub(super) fn list(&self, way: AntWay, out: &mut Cells) {
        let [first, second] = way.groups;
        out.extend(self.group(first));
        if second != first {
            out.extend(self.group(second));
        }
        for side in ring::sides(way.lonely) {
            out.remove(way.from.toward(side));
        }
    }

    fn group(&self, group: usize) -> &[Cell] {
        let end = self.starts.get(group + 1).copied().unwrap_or(self.cells.len());
        &self.cells.as_slice()[self.starts[group]..end]
    }
}
