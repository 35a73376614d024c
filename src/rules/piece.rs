use super::Bug;
use std::{error, fmt, str::FromStr};

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// The side that begins, in every record.
    White,
    /// The other one.
    Black,
}

impl Color {
    /// Both, the side that begins first.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// The opponent.
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// `w` or `b`, as in the name of a piece.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// `white` or `black`, as in tables and drawings.
    pub const fn word(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// The side whose turn it is after `ply` plies.
    pub const fn after(ply: u32) -> Color {
        if ply.is_multiple_of(2) { Color::White } else { Color::Black }
    }
}

/// `White` or `Black`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

/// One of the physical tiles in the box, such as White's second beetle.
///
/// A piece is one byte (colour, kind, number), so that a board can be indexed by it.
///
/// # Examples
///
/// ```
/// use hivekit::rules::{Bug, Color, Piece};
///
/// let beetle: Piece = "wB2".parse()?;
/// assert_eq!((beetle.color(), beetle.bug(), beetle.number()), (Color::White, Bug::Beetle, 2));
/// assert_eq!(beetle.to_string(), "wB2");
///
/// // A kind that comes once bears no number, and nothing may follow.
/// assert!("wQ1".parse::<Piece>().is_err());
/// assert!("wB2x".parse::<Piece>().is_err());
/// # Ok::<_, hivekit::rules::ParsePieceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(u8);

impl Piece {
    /// The highest number that a piece can bear, in any game type.
    pub const MAX_NUMBER: u8 = 4;

    /// The piece of this colour, kind and number.
    ///
    /// The second half of a stick insect counts as a piece with a higher number: see [`Piece::half`].
    ///
    /// # Panics
    ///
    /// Panics if `number` is not in `1..=MAX_NUMBER`.
    pub const fn new(color: Color, bug: Bug, number: u8) -> Piece {
        assert!(number >= 1 && number <= Piece::MAX_NUMBER, "a piece's number is from 1 to 4");
        Piece((color as u8) << 7 | (bug as u8) << 2 | (number - 1))
    }

    /// Whose it is.
    pub const fn color(self) -> Color {
        if self.0 & 0x80 == 0 { Color::White } else { Color::Black }
    }

    /// What it is.
    pub const fn bug(self) -> Bug {
        Bug::ALL[(self.0 >> 2 & 31) as usize]
    }

    /// Which of its kind, from 1.
    pub const fn number(self) -> u8 {
        (self.0 & 3) + 1
    }

    /// Whether it is the second half of a stick insect, which lies on a cell of its own.
    pub const fn is_half(self) -> bool {
        matches!(self.bug(), Bug::StickInsect) && self.number() > Bug::StickInsect.most()
    }

    /// The second half of a stick insect; `None` for any other piece.
    pub const fn half(self) -> Option<Piece> {
        if matches!(self.bug(), Bug::StickInsect) && !self.is_half() {
            Some(Piece(self.0 + Bug::StickInsect.most()))
        } else {
            None
        }
    }

    /// The piece, and the second half of a stick insect.
    pub fn parts(self) -> impl Iterator<Item = Piece> {
        [Some(self), self.half()].into_iter().flatten()
    }

    /// The piece of which this is a half, or itself.
    pub const fn whole(self) -> Piece {
        if self.is_half() { Piece(self.0 - Bug::StickInsect.most()) } else { self }
    }

    /// The same piece with another number.
    pub(crate) const fn numbered(self, number: u8) -> Piece {
        Piece(self.0 & !3 | (number - 1) & 3)
    }

    /// A place in an array of [`Piece::SLOTS`].
    pub(crate) const fn slot(self) -> usize {
        self.0 as usize
    }

    /// How many values [`Piece::slot`] can have.
    pub(crate) const SLOTS: usize = 256;

    /// The byte that names the piece; [`Piece::NONE`] is not one.
    pub(crate) const fn code(self) -> u8 {
        self.0
    }

    /// A byte that is no piece: its kind would be the 32nd.
    pub(crate) const NONE: u8 = 0xFF;

    /// The piece of a [`Piece::code`], or `None` for [`Piece::NONE`].
    pub(crate) const fn from_code(code: u8) -> Option<Piece> {
        if code == Piece::NONE { None } else { Some(Piece(code)) }
    }
}

/// The name in the Universal Hive Protocol: a kind that the box holds once bears no number. The second half of a stick
/// insect has an apostrophe.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.whole().number();
        write!(f, "{}{}", self.color().letter(), self.bug().code())?;
        if self.bug().count() > 1 || number > 1 {
            write!(f, "{number}")?;
        }
        f.write_str(if self.is_half() { "'" } else { "" })
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Text that names no piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsePieceError;

impl fmt::Display for ParsePieceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the name of a piece")
    }
}

impl error::Error for ParsePieceError {}

impl FromStr for Piece {
    type Err = ParsePieceError;

    fn from_str(text: &str) -> Result<Piece, ParsePieceError> {
        let (color, rest) = match text.split_at_checked(1) {
            Some(("w", rest)) => (Color::White, rest),
            Some(("b", rest)) => (Color::Black, rest),
            _ => return Err(ParsePieceError),
        };
        let name = rest.strip_suffix('\'').unwrap_or(rest);
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let bug = Bug::from_code(letters).ok_or(ParsePieceError)?;
        let number = match &name.as_bytes()[letters.len()..] {
            [] if bug.count() == 1 => 1,
            // A game can have several of any kind but the queen.
            [digit @ b'1'..=b'4'] if *digit > b'1' || bug != Bug::Queen => digit - b'0',
            _ => return Err(ParsePieceError),
        };
        if number > bug.most() {
            return Err(ParsePieceError);
        }
        let piece = Piece::new(color, bug, number);
        if name.len() == rest.len() { Ok(piece) } else { piece.half().ok_or(ParsePieceError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_read_as_it_is_written() {
        for color in Color::BOTH {
            for &bug in Bug::ALL {
                for number in 1..=Piece::MAX_NUMBER {
                    let piece = Piece::new(color, bug, number);
                    assert_eq!((piece.color(), piece.bug(), piece.number()), (color, bug, number));
                    assert_eq!(piece.to_string().parse(), Ok(piece));
                }
            }
        }
    }

    #[test]
    fn what_names_no_piece_is_refused() {
        for text in ["", "w", "A1", "wA", "wA0", "wA5", "wA11", "wQ1", "ws1", "WA1", "wA1 ", "wé"]
        {
            assert_eq!(text.parse::<Piece>(), Err(ParsePieceError), "{text:?}");
        }
    }
}
