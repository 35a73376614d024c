use super::Piece;
use std::fmt;

/// A few pieces: at most four, in the order of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Few([u8; 4]);

impl Few {
    /// No piece.
    pub const NONE: Few = Few([Piece::NONE; 4]);

    /// One piece.
    #[inline]
    pub const fn one(piece: Piece) -> Few {
        Few([piece.code(), Piece::NONE, Piece::NONE, Piece::NONE])
    }

    /// Adds a piece; one that is there already is not added again, nor is a fifth.
    pub fn add(&mut self, piece: Piece) {
        if !self.contains(piece)
            && let Some(free) = self.0.iter_mut().find(|code| **code == Piece::NONE)
        {
            *free = piece.code();
            // No piece has as high a code as none.
            self.0.sort_unstable();
        }
    }

    /// Whether the piece is one of them.
    #[inline]
    pub fn contains(self, piece: Piece) -> bool {
        // Asked of every piece of every position: all four are compared at once. A byte that is equal becomes 0, and
        // only a 0 borrows from its highest bit.
        const ONES: u32 = u32::from_ne_bytes([1; 4]);
        let differences = u32::from_ne_bytes(self.0) ^ u32::from_ne_bytes([piece.code(); 4]);
        differences.wrapping_sub(ONES) & !differences & (ONES << 7) != 0
    }

    /// The first one.
    pub fn first(self) -> Option<Piece> {
        Piece::from_code(self.0[0])
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self == Few::NONE
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        self.0.into_iter().filter_map(Piece::from_code)
    }
}

impl Default for Few {
    fn default() -> Few {
        Few::NONE
    }
}

impl From<Option<Piece>> for Few {
    fn from(piece: Option<Piece>) -> Few {
        piece.map_or(Few::NONE, Few::one)
    }
}

impl FromIterator<Piece> for Few {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Few {
        let mut few = Few::NONE;
        pieces.into_iter().for_each(|piece| few.add(piece));
        few
    }
}

impl fmt::Debug for Few {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Bug, Color};

    #[test]
    fn a_piece_is_contained_only_if_it_was_added() {
        let all = Color::BOTH.into_iter().flat_map(|color| {
            Bug::ALL
                .iter()
                .flat_map(move |&bug| [1, 2].map(|number| Piece::new(color, bug, number)))
        });
        let all: Vec<Piece> = all.collect();
        for (at, &piece) in all.iter().enumerate() {
            let few: Few =
                [piece, all[(at + 1) % all.len()], all[(at + 7) % all.len()]].into_iter().collect();
            let contained = all.iter().filter(|&&piece| few.contains(piece)).count();
            assert_eq!((few.contains(piece), contained), (true, 3), "{few:?}");
            assert!(!Few::NONE.contains(piece));
        }
    }
}
