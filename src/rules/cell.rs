use crate::hex::{Direction, Hex};

/// A cell of the board.
///
/// The plane is rolled up into one ring of 16,384 cells, in which a step to the east is +1 and one
/// to the south-east +128. So a neighbour is one addition away and no game can leave the board, however
/// far the hive wanders; and as no game type has pieces for a row of 128, two different cells of one
/// hive are never taken for each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u16);

/// The length of a row before it goes on as the next one.
const ROW: i32 = 128;

/// The last cell; all bits that number cells.
const MASK: u16 = 16_383;

/// The steps to the six neighbours, in the order of [`Direction::ALL`].
const OFFSETS: [u16; 6] =
    [0u16.wrapping_sub(128), 0u16.wrapping_sub(127), 1, 128, 127, 0u16.wrapping_sub(1)];

/// The longest step to a neighbour, in either direction.
const FARTHEST: u16 = 128;

/// The side of each step from -128 to 128 that leads to a neighbour; 6 for the others.
static SIDES: [u8; 257] = {
    let mut sides = [6; 257];
    let mut side = 0;
    while side < 6 {
        sides[OFFSETS[side as usize].wrapping_add(FARTHEST) as usize] = side;
        side += 1;
    }
    sides
};

impl Cell {
    /// How many cells there are.
    pub(crate) const COUNT: usize = 128 * 128;

    /// Where the first piece of a game stands.
    pub const ORIGIN: Cell = Cell(0);

    /// The cell at `hex`, counted from the origin.
    pub const fn at(hex: Hex) -> Cell {
        // Cutting off the upper bits is what rolling up means.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Cell((hex.q + hex.r * ROW) as u16 & MASK)
    }

    /// The coordinates, counted from the origin, of the image that is nearest to it.
    pub fn hex(self) -> Hex {
        self.hex_from(Cell::ORIGIN)
    }

    /// The coordinates counted from `origin`: right if neither is above 63 or below -64.
    #[inline]
    pub(crate) fn hex_from(self, origin: Cell) -> Hex {
        // Half a row further on, each row begins with its westernmost cell.
        let flat = i32::from(self.0.wrapping_sub(origin.0) & MASK) + ROW / 2;
        let (q, r) = (flat % ROW - ROW / 2, flat / ROW);
        Hex { q, r: if r >= ROW / 2 { r - ROW } else { r } }
    }

    /// The neighbour on the side `direction`.
    #[inline]
    pub const fn step(self, direction: Direction) -> Cell {
        self.toward(direction as usize)
    }

    /// The neighbour on the side with this place in [`Direction::ALL`].
    #[inline]
    pub(crate) const fn toward(self, side: usize) -> Cell {
        Cell(self.0.wrapping_add(OFFSETS[side]) & MASK)
    }

    /// The side on which `other` is a neighbour, as a place in [`Direction::ALL`].
    #[inline]
    pub(crate) fn side_of(self, other: Cell) -> Option<usize> {
        let step = other.0.wrapping_sub(self.0).wrapping_add(FARTHEST) & MASK;
        match SIDES.get(usize::from(step)) {
            Some(&side) if side < 6 => Some(usize::from(side)),
            _ => None,
        }
    }

    /// How many steps lie between two cells.
    #[inline]
    pub(crate) fn distance(self, other: Cell) -> i32 {
        let Hex { q, r } = other.hex_from(self);
        q.abs().max(r.abs()).max((q + r).abs())
    }

    /// A place in an array of [`Cell::COUNT`].
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize & (Cell::COUNT - 1)
    }

    /// The number of the cell; [`Cell::NOWHERE`] is not one.
    pub(crate) const fn code(self) -> u16 {
        self.0
    }

    /// A number that is no cell.
    pub(crate) const NOWHERE: u16 = u16::MAX;

    /// The cell of a [`Cell::code`], or `None` for [`Cell::NOWHERE`].
    #[inline]
    pub(crate) const fn from_code(code: u16) -> Option<Cell> {
        if code == Cell::NOWHERE { None } else { Some(Cell(code)) }
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Hex { q, r } = self.hex();
        write!(f, "({q},{r})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_come_back_within_63_steps_of_the_origin() {
        for q in -63..=63 {
            for r in -63..=63 {
                assert_eq!(Cell::at(Hex { q, r }).hex(), Hex { q, r });
            }
        }
    }

    #[test]
    fn steps_agree_with_the_plane() {
        for side in 0..6 {
            let direction = Direction::ALL[side];
            let hex = Hex { q: 7, r: -5 };
            let cell = Cell::at(hex);
            assert_eq!(cell.step(direction), Cell::at(hex.step(direction)));
            assert_eq!(cell.side_of(cell.toward(side)), Some(side));
        }
        assert_eq!(Cell::ORIGIN.side_of(Cell::at(Hex { q: 2, r: 0 })), None);
        assert_eq!(Cell::ORIGIN.side_of(Cell::ORIGIN), None);
    }

    #[test]
    fn a_walk_around_the_board_comes_back() {
        for direction in Direction::ALL {
            let mut cell = Cell::ORIGIN;
            for _ in 0..Cell::COUNT {
                cell = cell.step(direction);
            }
            assert_eq!(cell, Cell::ORIGIN);
        }
    }
}
