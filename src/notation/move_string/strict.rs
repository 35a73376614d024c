//! Moves of official pieces exactly as we write them, read byte by byte.
use crate::{
    hex::Direction,
    parse::{Expected, Parsed},
    record::{Action, Spot},
    rules::{Bug, Color, Piece},
};

/// What a byte can mean in a move.
#[derive(Clone, Copy)]
struct Sign {
    /// The kind that the letter names.
    bug: Bug,
    /// The highest number of the kind; 1 for a kind that bears none, 0 if the byte names no kind.
    most: u8,
    /// The side that the sign tells before a piece, and after one.
    before: Option<Direction>,
    after: Option<Direction>,
}

/// All bytes.
static SIGNS: [Sign; 256] = {
    let none = Sign { bug: Bug::Queen, most: 0, before: None, after: None };
    let mut signs = [none; 256];
    let mut at = 0;
    while at < Bug::COUNT {
        let bug = Bug::ALL[at];
        if let [letter] = bug.code().as_bytes() {
            signs[*letter as usize].bug = bug;
            signs[*letter as usize].most = bug.count();
        }
        at += 1;
    }
    signs[b'\\' as usize].before = Some(Direction::NorthWest);
    signs[b'-' as usize].before = Some(Direction::West);
    signs[b'/' as usize].before = Some(Direction::SouthWest);
    signs[b'/' as usize].after = Some(Direction::NorthEast);
    signs[b'-' as usize].after = Some(Direction::East);
    signs[b'\\' as usize].after = Some(Direction::SouthEast);
    signs
};

/// The byte at a place; 0, which means nothing in a move, behind the end.
#[inline(always)]
fn byte_at(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// The piece at a place in `bytes`, and how many bytes name it.
///
/// Most of an archive is made of moves that are strictly spelled, so they are tried before any
/// other, byte by byte. Which letters come is chance, so a branch on one is guessed wrong as often as not: what
/// can be computed is computed, and one test at the end tells whether it was a piece. That made
/// reading twice as fast.
#[inline(always)]
fn piece_at(bytes: &[u8], at: usize) -> Option<(Piece, usize)> {
    let (color, letter) = (byte_at(bytes, at), byte_at(bytes, at + 1));
    let Sign { bug, most, .. } = SIGNS[usize::from(letter)];
    let is_numbered = most > 1;
    let digit = byte_at(bytes, at + 2).wrapping_sub(b'1');
    let index = if is_numbered { digit } else { 0 };
    let is_color = matches!(color, b'w' | b'b');
    let color = if color == b'b' { Color::Black } else { Color::White };
    (is_color && index < most)
        .then(|| (Piece::new(color, bug, index + 1), 2 + usize::from(is_numbered)))
}

/// The spot at a place in `bytes`, and how many bytes tell it.
#[inline(always)]
fn spot_at(bytes: &[u8], at: usize) -> Option<(Spot, usize)> {
    let before = SIGNS[usize::from(byte_at(bytes, at))].before;
    let shift = usize::from(before.is_some());
    let (piece, length) = piece_at(bytes, at + shift)?;
    let after = SIGNS[usize::from(byte_at(bytes, at + shift + length))].after;
    let direction = if before.is_some() { before } else { after };
    let spot = match direction {
        Some(direction) => Spot::Beside(piece, direction),
        None => Spot::OnTopOf(piece),
    };
    Some((spot, length + usize::from(direction.is_some())))
}

/// The move at the beginning of `bytes`, and how many bytes it has.
#[inline(always)]
pub(super) fn move_at(bytes: &[u8]) -> Option<(Action, usize)> {
    let Some((piece, length)) = piece_at(bytes, 0) else {
        return bytes.starts_with(b"pass").then_some((Action::Pass, 4));
    };
    if byte_at(bytes, length) != b' ' {
        return Some((Action::Put(piece, Spot::Alone), length));
    }
    let (spot, more) = spot_at(bytes, length + 1)?;
    Some((Action::Put(piece, spot), length + 1 + more))
}

/// A reader of bytes as a parser: only letters that are one byte long are ever read.
fn parser_of<T>(
    read: impl Fn(&[u8]) -> Option<(T, usize)>,
    what: &'static str,
) -> impl Fn(&str) -> Parsed<'_, T> {
    move |s| match read(s.as_bytes()) {
        Some((value, length)) => Ok((&s[length..], value)),
        None => Err(nom::Err::Error(Expected { rest: s, what })),
    }
}

/// `piece-export`
pub(super) fn piece_export(s: &str) -> Parsed<'_, Piece> {
    parser_of(|bytes| piece_at(bytes, 0), "the name of a piece")(s)
}

/// `spot-export`
pub(super) fn spot_export(s: &str) -> Parsed<'_, Spot> {
    parser_of(|bytes| spot_at(bytes, 0), "a place")(s)
}

/// `move-string-export`: only what we write ourselves of official pieces.
pub(super) fn move_string_export(s: &str) -> Parsed<'_, Action> {
    parser_of(move_at, "a move")(s)
}
