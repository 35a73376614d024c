//! The same position again (R72, R73).
//!
//! In official games a placed piece never leaves the table, so positions can only repeat between two placements. Each
//! new position is compared by a number that is cheap to keep up to date; only where that number comes
//! for the third time are positions compared in full.
use super::{
    Cell, Color, LastTurn, Piece, Position, Stone, Turn,
    change::{Change, Level, Place},
};
use crate::hex::Hex;
use std::collections::HashMap;

/// When two positions are the same. Numbers of equal pieces never count, nor where on the plane the
/// hive stands; game type, hands, stacks and the side to move always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SamePosition {
    /// The piece that moved or was placed last always counts.
    Exact,
    /// It counts only where it changes what is legal.
    #[default]
    Effective,
    /// As effective, and turned and mirrored positions are the same.
    Symmetric,
}

/// All of a position that counts for repetition, in one list: for each piece its place, its height, what it is, and what
/// it bears.
type Identity = Vec<(i32, i32, u8, u8, u32)>;

impl Position {
    /// What has to be equal for two positions of one game to be the same.
    fn identity(&mut self, same: SamePosition) -> Identity {
        let last = match same {
            SamePosition::Exact if self.is_official() => {
                let last = self.last();
                let displaced = last.placed().or(last.displaced.first()).into();
                LastTurn { displaced, ..LastTurn::default() }
            }
            SamePosition::Exact => self.last(),
            SamePosition::Effective | SamePosition::Symmetric => self.effective_last(),
        };
        let stones = self.stones(&last);
        let images = if same == SamePosition::Symmetric { 12 } else { 1 };
        (0..images).map(|image| normalised(&stones, image)).min().unwrap_or_default()
    }
}

/// One of the twelve images of the pieces, moved to the corner and sorted.
fn normalised(stones: &[Stone], image: usize) -> Identity {
    let cells = || stones.iter().filter_map(|stone| stone.place).map(|place| place.cell);
    let Some(origin) = cells().next() else { return Vec::new() };
    let turned = |cell: Cell| cell.hex_from(origin).image(image);
    let left = cells().map(|cell| turned(cell).q).min().unwrap_or(0);
    let top = cells().map(|cell| turned(cell).r).min().unwrap_or(0);
    let mut list: Identity = stones
        .iter()
        .map(|stone| {
            let (q, r) = stone.place.map_or((i32::MAX, i32::MAX), |place| {
                let Hex { q, r } = turned(place.cell);
                (q - left, r - top)
            });
            let toward = stone.partner.map_or(0, |step| 1 << (16 + step.image(image).side()));
            let bears = u32::from(stone.signs.bits()) | toward;
            (q, r, stone.height(), stone.piece.numbered(1).code(), bears)
        })
        .collect();
    list.sort_unstable();
    list
}

/// A number of the hive that is equal wherever on the plane it stands, and, if that is asked for, for all its turned
/// and mirrored copies.
///
/// Each piece has a weight, which is a random number for kind, colour and height. A piece that comes or goes changes
/// four sums by one product each; what is made of them is a central moment, which no shift changes.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    is_symmetric: bool,
    /// Of the weights; then, for the symmetric number, of weight times q, r and the squared distance, else of
    /// weight times the first three powers of one number for the place.
    sums: [u64; 4],
}

/// What turns a place into a number: two large odd numbers.
const SLOPES: [u64; 2] = [0xA24B_AED4_963E_E407, 0x9FB2_1C65_1E98_DF25];

/// The weights, by kind and colour (32 and 2) and height (8).
static WEIGHTS: [u64; 512] = {
    let mut table = [0; 512];
    let mut at = 0;
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    while at < 512 {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        table[at] = mixed ^ mixed >> 31;
        at += 1;
    }
    table
};

impl Moments {
    /// The number of the empty table.
    fn over(same: SamePosition) -> Moments {
        Moments { is_symmetric: same == SamePosition::Symmetric, sums: [0; 4] }
    }

    /// Adds a piece, or takes it away.
    fn change(&mut self, change: Change) {
        let (piece, Place { cell, level }, sign) = match change {
            Change::Put(piece, place) => (piece, place, 1),
            Change::Take(piece, place) => (piece, place, u64::MAX),
            // What pieces bear is looked at where the numbers are equal.
            Change::Toggle(..) | Change::Return(_) | Change::Draw(_) => return,
        };
        let height = if let Level::On(height) = level { height } else { 7 };
        let weight = WEIGHTS[piece.slot() >> 2 << 3 | usize::from(height & 7)].wrapping_mul(sign);
        let Hex { q, r } = cell.hex();
        let (q, r) = (i64::from(q), i64::from(r));
        let square = (q * q + q * r + r * r).cast_unsigned();
        let (q, r) = (q.cast_unsigned(), r.cast_unsigned());
        let place = q.wrapping_mul(SLOPES[0]).wrapping_add(r.wrapping_mul(SLOPES[1]));
        let powers = if self.is_symmetric {
            [1, q, r, square]
        } else {
            let second = place.wrapping_mul(place);
            [1, place, second, second.wrapping_mul(place)]
        };
        for (sum, power) in self.sums.iter_mut().zip(powers) {
            *sum = sum.wrapping_add(weight.wrapping_mul(power));
        }
    }

    fn number(self) -> u64 {
        let [mass, one, two, three] = self.sums;
        let product = |factors: [u64; 3]| factors.into_iter().fold(1, u64::wrapping_mul);
        if self.is_symmetric {
            // The sum over all pairs of pieces of the squared distance times both weights, by the parallel axis
            // theorem.
            let square = product([1, one, one])
                .wrapping_add(product([1, one, two]))
                .wrapping_add(product([1, two, two]));
            return mass.wrapping_mul(three).wrapping_sub(square);
        }
        // The third moment about the centre: of the lower ones the second is equal for a hive turned by half.
        product([mass, mass, three])
            .wrapping_sub(product([mass, one, two]).wrapping_mul(3))
            .wrapping_add(product([one, one, one]).wrapping_mul(2))
    }
}

/// Watches a game for the third occurrence of a position.
#[derive(Clone, Debug)]
pub struct RepetitionWatch {
    same: SamePosition,
    moments: Moments,
    /// The numbers of the positions since the last placement, oldest first.
    numbers: Vec<u64>,
    /// Which numbers there are, by ten of their bits: most are new, which one look shows.
    known: [u64; 16],
    /// In a long game, where that look shows nothing any more: the places of each number in `numbers`.
    places: HashMap<u64, Vec<usize>>,
    found: bool,
}

/// From how many positions since the last placement on a game is long.
const LONG: usize = 512;

impl RepetitionWatch {
    /// A watch over a game from its first turn on.
    pub fn new(same: SamePosition) -> RepetitionWatch {
        RepetitionWatch {
            same,
            moments: Moments::over(same),
            numbers: Vec::new(),
            known: [0; 16],
            places: HashMap::new(),
            found: false,
        }
    }

    /// Begins a new game.
    pub fn restart(&mut self, same: SamePosition) {
        self.same = same;
        self.moments = Moments::over(same);
        self.forget();
        self.found = false;
    }

    fn forget(&mut self) {
        self.numbers.clear();
        self.known = [0; 16];
        self.places.clear();
    }

    /// Adds the last number to the places, or all of them if it is the one that makes the game long.
    fn place_last(&mut self) {
        let first = if self.places.is_empty() { 0 } else { self.numbers.len() - 1 };
        for (place, &number) in self.numbers.iter().enumerate().skip(first) {
            self.places.entry(number).or_default().push(place);
        }
    }

    /// Looks at the position after each turn, the last of which is the last of `turns`, and tells if it
    /// comes for the third time. Only the first such position of a game is told.
    pub fn is_third(&mut self, position: &mut Position, turns: &[Turn]) -> bool {
        if self.found {
            return false;
        }
        position.last_changes().iter().for_each(|&change| self.moments.change(change));
        if position.is_official() && matches!(turns.last(), Some(Turn::Place { .. })) {
            self.forget();
        }
        let number = self.moments.number();
        self.numbers.push(number);
        if self.numbers.len() >= LONG {
            self.place_last();
        }
        let (word, bit) = ((number >> 60) as usize, 1 << (number >> 54 & 63));
        let is_known = self.known[word] & bit != 0;
        self.known[word] |= bit;
        self.found = is_known && self.comes_thrice(number, position, turns);
        self.found
    }

    /// Whether three of the positions with this number and this side to move are the same.
    fn comes_thrice(&self, number: u64, position: &mut Position, turns: &[Turn]) -> bool {
        let now = self.numbers.len() - 1;
        let is_same_side = |&age: &usize| age.is_multiple_of(2);
        let candidates: Vec<usize> = match self.places.get(&number) {
            Some(places) => places.iter().rev().map(|at| now - at).filter(is_same_side).collect(),
            None => (0..=now).step_by(2).filter(|age| self.numbers[now - age] == number).collect(),
        };
        if candidates.len() < 3 {
            return false;
        }
        let here = position.identity(self.same);
        let mut age = 0;
        let mut times = 0;
        for candidate in candidates {
            if times >= 3 {
                break;
            }
            while age < candidate {
                position.undo();
                age += 1;
            }
            times += u32::from(position.identity(self.same) == here);
        }
        turns[turns.len() - age..].iter().for_each(|&turn| position.make(turn));
        times >= 3
    }
}

/// Whether two games' positions are the same, side to move included.
pub fn is_same(one: &mut Position, other: &mut Position, same: SamePosition) -> bool {
    have_same_hands(one, other) && one.identity(same) == other.identity(same)
}

/// Whether two games' positions are the same, turned perhaps, but not mirrored.
pub fn is_turned(one: &mut Position, other: &mut Position) -> bool {
    let [one_stones, other_stones] =
        [&*one, &*other].map(|position| position.stones(&LastTurn::default()));
    let turned = normalised(&other_stones, 0);
    have_same_hands(one, other) && (0..6).any(|image| normalised(&one_stones, image) == turned)
}

/// Whether all but the hives of two positions is the same.
fn have_same_hands(one: &Position, other: &Position) -> bool {
    let hands = |position: &Position| {
        Color::BOTH.map(|color| position.hand(color).map(Piece::bug).collect::<Vec<_>>())
    };
    one.to_move() == other.to_move()
        && one.game_type() == other.game_type()
        && hands(one) == hands(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few pieces on a table, put down by changes.
    fn moments(same: SamePosition, pieces: &[(&str, Hex)]) -> u64 {
        let mut moments = Moments::over(same);
        for (name, hex) in pieces {
            let place = Place { cell: Cell::at(*hex), level: Level::On(0) };
            moments.change(Change::Put(name.parse().unwrap(), place));
        }
        moments.number()
    }

    #[test]
    fn the_number_is_equal_for_shifts_and_images_that_count_and_for_nothing_else_nearby() {
        let hive =
            [("wQ", (0, 0)), ("bQ", (1, 0)), ("wA1", (2, -1)), ("bA2", (0, 1)), ("wB1", (-1, 0))];
        let placed = |image: usize, q: i32, r: i32| {
            hive.map(|(name, (a, b))| {
                let hex = Hex { q: a, r: b }.image(image);
                (name, Hex { q: hex.q + q, r: hex.r + r })
            })
        };
        for same in [SamePosition::Effective, SamePosition::Symmetric] {
            let number = moments(same, &placed(0, 0, 0));
            for image in 0..12 {
                let is_same = image == 0 || same == SamePosition::Symmetric;
                let turned = moments(same, &placed(image, 5, -9));
                assert_eq!(turned == number, is_same, "{same:?}, image {image}");
            }
            assert_eq!(moments(same, &placed(0, -20, 3)), number, "{same:?}");
            let mut other = placed(0, 0, 0);
            other[4].1 = Hex { q: -1, r: 1 };
            assert_ne!(moments(same, &other), number);
            other = placed(0, 0, 0);
            other[4].0 = "bB1";
            assert_ne!(moments(same, &other), number);
        }
    }
}
