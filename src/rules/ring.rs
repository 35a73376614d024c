//! What the six cells around a cell say, looked up in tables.
//!
//! A *ring* is a set of sides in six bits, bit 0 for the first of [`Direction::ALL`]: the occupied
//! ones, unless it says otherwise. There are 64 rings, so every question about one is a table.
//!
//! [`Direction::ALL`]: crate::hex::Direction::ALL

/// A set of sides of a cell.
pub(super) type Ring = u8;

/// All six sides.
pub(super) const FULL: Ring = 63;

/// The sides of a ring, lowest first.
#[inline]
pub(super) fn sides(mut ring: Ring) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let side = ring.trailing_zeros() as usize;
        ring &= ring.wrapping_sub(1);
        (side < 6).then_some(side)
    })
}

/// The next side clockwise.
#[inline]
pub(super) const fn next(side: usize) -> usize {
    if side == 5 { 0 } else { side + 1 }
}

/// The next side the other way round.
#[inline]
pub(super) const fn previous(side: usize) -> usize {
    if side == 0 { 5 } else { side - 1 }
}

/// The opposite side.
#[inline]
pub(super) const fn opposite(side: usize) -> usize {
    if side < 3 { side + 3 } else { side - 3 }
}

/// The sides beside those of a ring.
#[inline]
pub(super) const fn beside(ring: Ring) -> Ring {
    (ring << 1 | ring >> 5 | ring >> 1 | ring << 5) & FULL
}

/// The sides where both cells that touch the step are in `ring`.
const fn between(ring: Ring) -> Ring {
    let clockwise = (ring << 1 | ring >> 5) & FULL;
    let counter = (ring >> 1 | ring << 5) & FULL;
    clockwise & counter
}

/// The sides that a piece on the ground can slide to: empty, with exactly one of the two cells that
/// touch the step occupied. With both it would not fit through (R32); with none it would lose
/// the hive on its way (R34).
pub(super) const SLIDES: [Ring; 64] = {
    let mut table = [0; 64];
    let mut ring: Ring = 0;
    while ring < 64 {
        let gated = between(ring);
        let bare = between(!ring & FULL);
        table[ring as usize] = !ring & !gated & !bare & FULL;
        ring += 1;
    }
    table
};

/// How many unbroken runs of occupied cells a ring has. A piece with one run around it is never
/// the only link of the hive: its neighbours hold together without it.
pub(super) const RUNS: [u8; 64] = {
    let mut table = [0; 64];
    let mut ring: Ring = 0;
    while ring < 64 {
        // A run begins where a side is occupied and the one before it is not.
        let starts = ring & !((ring << 1 | ring >> 5) & FULL);
        let runs = starts.count_ones();
        #[expect(clippy::cast_possible_truncation, reason = "at most three")]
        let runs = if ring == FULL { 1 } else { runs as u8 };
        table[ring as usize] = runs;
        ring += 1;
    }
    table
};

/// How much a piece on an empty cell adds to the hive's Euler characteristic (cells, less pairs of
/// neighbours, plus triangles of three): 1 for the cell, less the runs around it, except that a
/// full ring counts as none.
pub(super) const EULER: [i8; 64] = {
    let mut table = [0; 64];
    let mut ring: Ring = 0;
    while ring < 64 {
        let pairs = ring & (ring << 1 | ring >> 5);
        let change = 1 - ring.count_ones().cast_signed() + pairs.count_ones().cast_signed();
        #[expect(clippy::cast_possible_truncation, reason = "from -2 to 1")]
        let change = change as i8;
        table[ring as usize] = change;
        ring += 1;
    }
    table
};

/// Calls `step` with each side of a ring.
///
/// Most rings that a search meets have one side or two, and which of the two is chance: so two are
/// always taken, the second perhaps a repetition of the first, and only the rest is a loop.
#[inline(always)]
pub(super) fn each_side(ring: Ring, mut step: impl FnMut(usize)) {
    if ring == 0 {
        return;
    }
    let rest = ring & (ring - 1);
    let first = ring.trailing_zeros() as usize;
    let second = if rest == 0 { first } else { rest.trailing_zeros() as usize };
    step(first);
    step(second);
    let mut more = rest & rest.wrapping_sub(1);
    while more != 0 {
        step(more.trailing_zeros() as usize);
        more &= more - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slides_need_exactly_one_of_two_neighbours() {
        for ring in 0..64u8 {
            for side in 0..6 {
                let has = |side: usize| ring >> side & 1 == 1;
                let expected = !has(side) && (has(next(side)) != has(previous(side)));
                assert_eq!(SLIDES[ring as usize] >> side & 1 == 1, expected, "{ring:06b} {side}");
            }
        }
    }

    #[test]
    fn runs_are_counted_around_the_corner() {
        for (ring, runs) in [(0, 0), (0b100_001, 1), (0b101_010, 3), (0b011_011, 2), (63, 1)] {
            assert_eq!(RUNS[ring], runs, "{ring:06b}");
        }
    }

    #[test]
    fn a_piece_closes_a_ring_or_fills_a_hole() {
        // The first piece; at an end; between two ends; into a hole.
        for (ring, change) in [(0, 1), (0b1, 0), (0b11, 0), (0b1001, -1), (0b10101, -2), (63, 1)] {
            assert_eq!(EULER[ring], change, "{ring:06b}");
        }
    }

    #[test]
    fn each_side_is_seen() {
        for ring in 0..64u8 {
            let mut seen = 0;
            each_side(ring, |side| seen |= 1 << side);
            assert_eq!(seen, ring);
        }
    }
}
