use super::{Bug, Color, GameType, Piece};

/// What the two sides have not placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hand {
    counts: [[u8; Bug::COUNT]; 2],
    /// The kinds of which there are any, as bits by kind.
    kinds: [u32; 2],
}

impl Hand {
    /// Both sides with all pieces of a game.
    pub(super) fn full(game_type: GameType) -> Hand {
        let mut hand = Hand { counts: [[0; Bug::COUNT]; 2], kinds: [0; 2] };
        for color in Color::BOTH {
            for &bug in Bug::ALL {
                (0..game_type.count(bug)).for_each(|_| hand.add(Piece::new(color, bug, 1)));
            }
        }
        hand
    }

    /// How many of a kind are left.
    #[inline]
    pub(super) fn count(&self, color: Color, bug: Bug) -> u8 {
        self.counts[color as usize][bug as usize]
    }

    /// The kinds that are left, as bits by kind.
    #[inline]
    pub(super) fn kinds(&self, color: Color) -> u32 {
        self.kinds[color as usize]
    }

    #[inline]
    pub(super) fn remove(&mut self, piece: Piece) {
        let count = &mut self.counts[piece.color() as usize][piece.bug() as usize];
        *count -= 1;
        if *count == 0 {
            self.kinds[piece.color() as usize] &= !(1 << piece.bug() as u8);
        }
    }

    #[inline]
    pub(super) fn add(&mut self, piece: Piece) {
        self.counts[piece.color() as usize][piece.bug() as usize] += 1;
        self.kinds[piece.color() as usize] |= 1 << piece.bug() as u8;
    }
}
