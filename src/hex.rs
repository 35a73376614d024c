//! The plane that the hive grows on: cells, directions, and nothing about bugs.

/// One of the six sides of a cell, as seen from above with pointed tops.
///
/// The order is the one in which a reference piece is chosen: clockwise from north-west. Two
/// directions that follow each other in it share a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Written `\X`.
    NorthWest,
    /// Written `X/`.
    NorthEast,
    /// Written `X-`.
    East,
    /// Written `X\`.
    SouthEast,
    /// Written `/X`.
    SouthWest,
    /// Written `-X`.
    West,
}

impl Direction {
    /// All six, clockwise from north-west.
    pub const ALL: [Direction; 6] = [
        Direction::NorthWest,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::SouthWest,
        Direction::West,
    ];

    /// Whether the step leads from the first cell of a pair to the second: to the south, or to the east in a row.
    pub const fn is_onward(self) -> bool {
        matches!(self, Direction::East | Direction::SouthEast | Direction::SouthWest)
    }

    /// The opposite side.
    ///
    /// ```
    /// use hivekit::hex::Direction;
    ///
    /// assert_eq!(Direction::NorthWest.opposite(), Direction::SouthEast);
    /// ```
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 3) % 6]
    }

    /// The step in axial coordinates.
    pub const fn offset(self) -> Hex {
        let (q, r) = match self {
            Direction::NorthWest => (0, -1),
            Direction::NorthEast => (1, -1),
            Direction::East => (1, 0),
            Direction::SouthEast => (0, 1),
            Direction::SouthWest => (-1, 1),
            Direction::West => (-1, 0),
        };
        Hex { q, r }
    }
}

/// A cell of the plane in axial coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hex {
    /// Steps to the east.
    pub q: i32,
    /// Steps to the south-east.
    pub r: i32,
}

impl Hex {
    /// Where the first piece of a game stands.
    pub const ORIGIN: Hex = Hex { q: 0, r: 0 };

    /// The neighbour on the side `direction`.
    pub const fn step(self, direction: Direction) -> Hex {
        let Hex { q, r } = direction.offset();
        Hex { q: self.q + q, r: self.r + r }
    }

    /// The side to which a step between neighbours leads, as a place in [`Direction::ALL`]; 0 for any other.
    pub fn side(self) -> usize {
        Direction::ALL.iter().position(|side| side.offset() == self).unwrap_or(0)
    }

    /// The image by steps: a reflection, then turns.
    const fn image_by_steps(self, image: usize) -> Hex {
        let Hex { mut q, mut r } = self;
        if image >= 6 {
            (q, r) = (r, q);
        }
        let mut turns = image % 6;
        while turns > 0 {
            (q, r) = (-r, q + r);
            turns -= 1;
        }
        Hex { q, r }
    }

    /// One of the twelve images of the cell under the turns and reflections that keep the origin.
    ///
    /// `image` counts from 0: its remainder by 6 is the number of turns by 60 degrees clockwise,
    /// which follow a reflection where `image` is 6 or more.
    pub const fn image(self, image: usize) -> Hex {
        let [east, south_east] = IMAGES[image];
        Hex {
            q: self.q * east.q + self.r * south_east.q,
            r: self.q * east.r + self.r * south_east.r,
        }
    }
}

/// The images of the steps to the east and to the south-east.
const IMAGES: [[Hex; 2]; 12] = {
    let mut images = [[Hex::ORIGIN; 2]; 12];
    let mut image = 0;
    while image < 12 {
        images[image] =
            [Hex { q: 1, r: 0 }.image_by_steps(image), Hex { q: 0, r: 1 }.image_by_steps(image)];
        image += 1;
    }
    images
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_step_is_undone_by_its_opposite() {
        for direction in Direction::ALL {
            let there = Hex::ORIGIN.step(direction);
            assert_eq!(there.step(direction.opposite()), Hex::ORIGIN, "{direction:?}");
        }
    }

    #[test]
    fn a_turn_takes_each_direction_to_the_next() {
        for (at, direction) in Direction::ALL.into_iter().enumerate() {
            let next = Direction::ALL[(at + 1) % 6];
            assert_eq!(direction.offset().image(1), next.offset(), "{direction:?}");
        }
    }

    #[test]
    fn the_twelve_images_of_a_crooked_place_differ() {
        let images: BTreeSet<Hex> = (0..12).map(|image| Hex { q: 3, r: 1 }.image(image)).collect();
        assert_eq!(images.len(), 12);
    }
}
