//! The key of a position: a number that is the same for all positions that are the same up to turning, mirroring,
//! shifting, and the numbers of equal pieces.
//!
//! Defined bit by bit in `docs/position-notation.md`, and never to be changed: others store these numbers.
use super::{
    Cell, Color, Piece, Position, Stone,
    change::{Change, Level, Place},
};
use crate::hex::Hex;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The key of a position, in two independent halves of 64 bits. The first one alone is the short key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The short key.
    pub first: u64,
    /// Another number of the same kind.
    pub second: u64,
}

/// The short key, or, as `{:#}`, all of it.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.first)?;
        if f.alternate() { write!(f, "{:016x}", self.second) } else { Ok(()) }
    }
}

/// A key as a user names it: all of it, or the short key alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPart {
    first: u64,
    second: Option<u64>,
}

impl KeyPart {
    /// Whether it is of this key.
    pub fn is_of(self, key: Key) -> bool {
        self.first == key.first && self.second.is_none_or(|second| second == key.second)
    }
}

impl FromStr for KeyPart {
    type Err = String;

    fn from_str(text: &str) -> Result<KeyPart, String> {
        let is_digit = |byte: u8| byte.is_ascii_hexdigit();
        let half = |digits: &str| u64::from_str_radix(digits, 16).ok();
        let part = match text.len() {
            _ if !text.bytes().all(is_digit) => None,
            16 => half(text).map(|first| KeyPart { first, second: None }),
            32 => half(&text[..16])
                .zip(half(&text[16..]))
                .map(|(first, second)| KeyPart { first, second: Some(second) }),
            _ => None,
        };
        part.ok_or_else(|| "a key is 16 or 32 hexadecimal digits".to_owned())
    }
}

/// The sums of the two halves.
type Sums = [u64; 2];

/// How many halves there are.
const HALVES: usize = 2;

/// Where each half's sequence of constants begins.
const SEEDS: Sums = [0x4869_7665_6B69_7431, 0x4869_7665_6B69_7432];

/// The place in the sequence of the weights of pieces, by kind (32), colour (2) and height (16).
const PIECES: usize = 0;
/// Of the weights of a resting piece, by height.
const RESTING: usize = 1024;
/// Of the kinds of a game type.
const KINDS: usize = 2048;
/// Of Black's turn.
const BLACK: usize = 4096;
/// Of the bases for the two coordinates.
const BASES: usize = 4097;
/// Of what pieces bear in games with fan pieces: by sign, then as the weights of pieces.
const SIGNS: usize = 8192;
/// How many constants each sign has.
const PER_SIGN: usize = 1024;
/// The signs, after those of [`super::Sign::ALL`], of the directions to the other half of a stick insect.
const PARTNERS: usize = 16;

/// Number `at`, from 0, of the sequence `SplitMix64` that begins with a seed.
const fn constant(half: usize, at: usize) -> u64 {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    scrambled(SEEDS[half].wrapping_add(STEP.wrapping_mul(at as u64 + 1)))
}

/// The last step of `SplitMix64`: each number becomes another one.
const fn scrambled(mut number: u64) -> u64 {
    number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

const fn constants<const N: usize>(first: usize) -> [Sums; N] {
    let mut table = [[0; HALVES]; N];
    let mut at = 0;
    while at < N {
        table[at] = [constant(0, first + at), constant(1, first + at)];
        at += 1;
    }
    table
}

static WEIGHTS: [Sums; 1024] = constants(PIECES);
static RESTS: [Sums; 16] = constants(RESTING);
static OF_KINDS: [Sums; 32] = constants(KINDS);
static OF_BLACK: [Sums; 1] = constants(BLACK);

/// A coordinate of an image is from -128 to 127.
const MIDDLE: i32 = 128;

/// The powers of the bases of the two coordinates. The bases are odd, so they have powers below 0, too.
static POWERS: [[Sums; 2 * MIDDLE as usize]; 2] = [powers(0), powers(1)];

const fn powers(coordinate: usize) -> [Sums; 2 * MIDDLE as usize] {
    let mut table: [Sums; 2 * MIDDLE as usize] = [[0; HALVES]; 2 * MIDDLE as usize];
    let mut half = 0;
    while half < HALVES {
        // An odd number whose powers are as many as can be: of the form 8n+5, or 8n+3.
        let base = constant(half, BASES + coordinate) & !7 | [5, 3][coordinate];
        let middle = MIDDLE as usize;
        table[middle][half] = 1;
        let mut at = middle + 1;
        while at < table.len() {
            table[at][half] = table[at - 1][half].wrapping_mul(base);
            at += 1;
        }
        let inverse = inverse(base);
        at = middle;
        while at > 0 {
            table[at - 1][half] = table[at][half].wrapping_mul(inverse);
            at -= 1;
        }
        half += 1;
    }
    table
}

/// The number that gives 1 if it is multiplied by an odd one: each step doubles the bits that are right.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// The factor for a cell.
#[inline]
fn place_factor(Hex { q, r }: Hex) -> Sums {
    let power = |coordinate: usize, at: i32| {
        #[expect(clippy::cast_sign_loss, reason = "cut off to the size of the table")]
        let at = (at + MIDDLE) as usize & (2 * MIDDLE as usize - 1);
        POWERS[coordinate][at]
    };
    let (q, r) = (power(0, q), power(1, r));
    [q[0].wrapping_mul(r[0]), q[1].wrapping_mul(r[1])]
}

#[inline]
fn add_product(sums: &mut Sums, weight: Sums, factor: Sums) {
    for ((sum, weight), factor) in sums.iter_mut().zip(weight).zip(factor) {
        *sum = sum.wrapping_add(weight.wrapping_mul(factor));
    }
}

/// The weight of a piece at a height; 15 is beneath a stack.
#[inline]
fn weight(piece: Piece, level: Level) -> Sums {
    WEIGHTS[number_of(piece, level)]
}

/// The number of a piece at a height among the weights.
#[inline]
fn number_of(piece: Piece, level: Level) -> usize {
    let height = if let Level::On(height) = level { height.min(14) } else { 15 };
    let kind = piece.slot() >> 2 & 31;
    (kind * 2 + piece.color() as usize) * 16 + usize::from(height)
}

/// The weight of what a piece bears, by the number of the sign. A piece that is not on the table is said to be beneath it.
fn sign_weight(sign: usize, stone: &Stone) -> Sums {
    let level = stone.place.map_or(Level::Under, |place| place.level);
    let number = SIGNS + sign * PER_SIGN + number_of(stone.piece, level);
    [constant(0, number), constant(1, number)]
}

/// The sum of all weights of a piece, seen in an image.
fn stone_weight(stone: &Stone, image: usize) -> Sums {
    let mut sums = stone.place.map_or([0; HALVES], |place| weight(stone.piece, place.level));
    let partner = stone.partner.map(|step| PARTNERS + step.image(image).side());
    for sign in stone.signs.places().chain(partner) {
        add_product(&mut sums, sign_weight(sign, stone), [1; HALVES]);
    }
    sums
}

/// The images in which a hive is looked at, a bit each.
type Images = u16;

const ALL_IMAGES: Images = (1 << 12) - 1;

/// The images in which a step from the origin leads to the least place: by q, then by r.
fn least_images(step: Hex) -> Images {
    let mut least = step.image(0);
    let mut images = 1;
    for image in 1..12 {
        let hex = step.image(image);
        match (hex.q, hex.r).cmp(&(least.q, least.r)) {
            std::cmp::Ordering::Less => (least, images) = (hex, 1 << image),
            std::cmp::Ordering::Equal => images |= 1 << image,
            std::cmp::Ordering::Greater => {}
        }
    }
    images
}

#[inline]
fn each_image(mut images: Images) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let image = (images != 0).then(|| images.trailing_zeros() as usize)?;
        images &= images - 1;
        Some(image)
    })
}

/// How a hive is looked at: from where, and in which images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    /// The cell that becomes the origin; none if each occupied cell has to be tried.
    anchor: Option<Cell>,
    images: Images,
}

impl Frame {
    /// From the white queen, else from the black one; where both are there, as they lie to each other.
    fn of(position: &Position) -> Frame {
        let queen = |color| position.hive.cell_of(Piece::new(color, super::Bug::Queen, 1));
        let (white, black) = (queen(Color::White), queen(Color::Black));
        let images = match (white, black) {
            (Some(white), Some(black)) => least_images(black.hex_from(white)),
            _ => ALL_IMAGES,
        };
        Frame { anchor: white.or(black), images }
    }
}

/// The key of a game while it is played: it follows each turn by a few products.
#[derive(Clone, Debug)]
pub struct RunningKey {
    frame: Frame,
    /// Of each image that counts; all seen from the anchor, or from the first cell of the board.
    sums: [Sums; 12],
    /// Of what does not change while a game is played.
    of_type: Sums,
}

impl RunningKey {
    /// The key of a position, to be kept up to date.
    pub fn new(position: &Position) -> RunningKey {
        let (frame, sums) = (Frame::of(position), [[0; HALVES]; 12]);
        let mut running = RunningKey { frame, sums, of_type: of_type(position) };
        running.count_all(position);
        running
    }

    /// Follows the last turn.
    pub fn follow(&mut self, position: &Position) {
        let moves_queen = |change: &Change| match change {
            Change::Put(piece, _) | Change::Take(piece, _) => piece.bug() == super::Bug::Queen,
            Change::Toggle(..) | Change::Return(_) | Change::Draw(_) => false,
        };
        if !position.is_official() {
            // The sums of such games are made where they are asked for.
            return;
        }
        let changes = position.last_changes();
        if self.frame.anchor.is_none() || changes.iter().any(moves_queen) {
            *self = RunningKey::new(position);
            return;
        }
        let origin = self.origin();
        changes.iter().for_each(|&change| self.change(origin, change));
    }

    fn origin(&self) -> Cell {
        self.frame.anchor.unwrap_or(Cell::ORIGIN)
    }

    /// Adds what stands on the table.
    fn count_all(&mut self, position: &Position) {
        let hive = &position.hive;
        let origin = self.origin();
        for piece in Color::BOTH.into_iter().flat_map(|color| hive.pieces(color)) {
            if let Some(cell) = hive.cell_of(piece) {
                let place = Place { cell, level: Level::On(hive.level_of(piece)) };
                self.change(origin, Change::Put(piece, place));
            }
        }
    }

    #[inline]
    fn change(&mut self, origin: Cell, change: Change) {
        let (piece, place, sign) = match change {
            Change::Put(piece, place) => (piece, place, 1),
            Change::Take(piece, place) => (piece, place, u64::MAX),
            Change::Toggle(..) | Change::Return(_) | Change::Draw(_) => return,
        };
        let weight = weight(piece, place.level).map(|weight| weight.wrapping_mul(sign));
        self.add(place.cell.hex_from(origin), weight);
    }

    #[inline]
    fn add(&mut self, hex: Hex, weight: Sums) {
        for image in each_image(self.frame.images) {
            add_product(&mut self.sums[image], weight, place_factor(hex.image(image)));
        }
    }

    /// The key of the position that was followed.
    pub fn key(&self, position: &mut Position) -> Key {
        if !position.is_official() {
            return RunningKey::of_stones(position);
        }
        let resting = position.resting_piece();
        let sums = match resting.and_then(|piece| position.hive.cell_of(piece).zip(resting)) {
            None => self.least(position),
            Some((cell, piece)) => {
                let level = usize::from(position.hive.level_of(piece).min(14));
                let mut with_rest = self.clone();
                with_rest.add(cell.hex_from(self.origin()), RESTS[level]);
                with_rest.least(position)
            }
        };
        self.finished(sums, position)
    }

    /// The key from the least sums of the table.
    fn finished(&self, mut sums: Sums, position: &Position) -> Key {
        add_product(&mut sums, self.of_type, [1; HALVES]);
        if position.to_move() == Color::Black {
            add_product(&mut sums, OF_BLACK[0], [1; HALVES]);
        }
        let [first, second] = sums.map(scrambled);
        Key { first, second }
    }

    /// The key of a position with fan pieces, whose sums also count what pieces bear.
    fn of_stones(position: &mut Position) -> Key {
        let last = position.effective_last();
        let (frame, of_type) = (Frame::of(position), of_type(position));
        let mut running = RunningKey { frame, sums: [[0; HALVES]; 12], of_type };
        let origin = running.origin();
        let mut off_table = [0; HALVES];
        for stone in position.stones(&last) {
            let Some(place) = stone.place else {
                add_product(&mut off_table, stone_weight(&stone, 0), [1; HALVES]);
                continue;
            };
            for image in each_image(frame.images) {
                let factor = place_factor(place.cell.hex_from(origin).image(image));
                add_product(&mut running.sums[image], stone_weight(&stone, image), factor);
            }
        }
        let mut sums = running.least(position);
        add_product(&mut sums, off_table, [1; HALVES]);
        running.finished(sums, position)
    }

    /// The least sum over all images and anchors, for each half.
    fn least(&self, position: &Position) -> Sums {
        let mut least = [u64::MAX; HALVES];
        let mut see = |sums: Sums| {
            for (least, sum) in least.iter_mut().zip(sums) {
                *least = sum.min(*least);
            }
        };
        let origin = self.origin();
        for image in each_image(self.frame.images) {
            let sums = self.sums[image];
            if self.frame.anchor.is_some() || position.hive.is_empty() {
                see(sums);
                continue;
            }
            for cell in position.hive.cells() {
                let Hex { q, r } = cell.hex_from(origin).image(image);
                let factor = place_factor(Hex { q: -q, r: -r });
                see([sums[0].wrapping_mul(factor[0]), sums[1].wrapping_mul(factor[1])]);
            }
        }
        least
    }
}

/// The sums of a game type: from it and the table the hands follow.
fn of_type(position: &Position) -> Sums {
    let mut sums = [0; HALVES];
    for &bug in super::Bug::ALL {
        let count = u64::from(position.game_type().count(bug));
        add_product(&mut sums, OF_KINDS[bug as usize], [count; HALVES]);
    }
    sums
}

impl Position {
    /// The lesser of the keys of the position and of the one with exchanged colours.
    pub fn key_of_either_color(&mut self) -> Key {
        self.key().min(self.with_other_colors().key())
    }

    /// The key of the position. A game that goes on is followed faster by a [`RunningKey`].
    pub fn key(&mut self) -> Key {
        RunningKey::new(self).key(self)
    }
}
