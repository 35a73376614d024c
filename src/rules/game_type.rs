use super::{Bug, Color, Piece, bugs::Set};
use std::{error, fmt, str::FromStr};

/// Which pieces a player has: how many of each kind.
///
/// # Examples
///
/// ```
/// use hivekit::rules::{Bug, GameType};
///
/// let game_type: GameType = "Base+MLP".parse()?;
/// assert_eq!(game_type.count(Bug::Ladybug), 1);
/// assert_eq!(game_type.count(Bug::Ant), 3);
/// assert_eq!(game_type.to_string(), "Base+MLP");
/// assert!("Base+PLM".parse::<GameType>().is_err(), "the order is fixed");
///
/// // With fan pieces, of which a number tells how many there are if that is not 1.
/// let game_type: GameType = "Base+MFlMa2".parse()?;
/// assert_eq!(game_type.count(Bug::Mantis), 2);
/// assert!(!game_type.is_official());
/// # Ok::<_, hivekit::rules::ParseGameTypeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameType {
    counts: [u8; Bug::COUNT],
}

impl GameType {
    /// The box without expansions.
    pub const BASE: GameType = {
        let mut counts = [0; Bug::COUNT];
        let mut at = 0;
        while at < Bug::COUNT {
            if matches!(Bug::ALL[at].set(), Set::Base) {
                counts[at] = Bug::ALL[at].count();
            }
            at += 1;
        }
        GameType { counts }
    };

    /// The eight official types: [`GameType::BASE`] with any of the three expansions.
    pub fn official() -> impl Iterator<Item = GameType> {
        (0..8u8).map(|bits| {
            GameType::expansions()
                .filter(|bug| bug.is_official())
                .enumerate()
                .filter(|(at, _)| bits >> at & 1 == 1)
                .fold(GameType::BASE, |game_type, (_, bug)| game_type.with(bug))
        })
    }

    /// The box with every kind there is.
    pub fn all() -> GameType {
        GameType::expansions().fold(GameType::BASE, GameType::with)
    }

    /// Whether it is one of the eight official types.
    pub fn is_official(self) -> bool {
        Bug::ALL.iter().all(|&bug| match bug.set() {
            Set::Base => true,
            Set::Expansion => self.count(bug) <= bug.count(),
            Set::Fan => self.count(bug) == 0,
        })
    }

    /// The kinds that a game type names after `+`, in the order in which it names them.
    pub fn expansions() -> impl Iterator<Item = Bug> {
        Bug::ALL.iter().copied().filter(|bug| bug.set() != Set::Base)
    }

    /// How many pieces of a kind each player has.
    #[inline]
    pub const fn count(self, bug: Bug) -> u8 {
        self.counts[bug as usize]
    }

    /// The pieces of a kind that a side has, in the order of their numbers.
    #[inline]
    pub fn pieces_of(self, color: Color, bug: Bug) -> impl Iterator<Item = Piece> {
        (1..=self.count(bug)).map(move |number| Piece::new(color, bug, number))
    }

    /// Whether the game has this piece.
    #[inline]
    pub const fn has(self, piece: Piece) -> bool {
        piece.whole().number() <= self.count(piece.bug())
    }

    /// This type, with at least the usual number of `bug`.
    #[must_use]
    pub fn with(mut self, bug: Bug) -> GameType {
        let count = &mut self.counts[bug as usize];
        *count = (*count).max(bug.count());
        self
    }

    /// This type, with exactly as many of `bug`; as many as there can be, if that is more.
    #[must_use]
    pub fn with_count(mut self, bug: Bug, count: u8) -> GameType {
        self.counts[bug as usize] = count.min(bug.most());
        self
    }

    /// The name of a piece in a game of this type: where there are several of a kind that usually comes once, each has a
    /// number.
    pub fn name(self, piece: Piece) -> impl fmt::Display {
        let bug = piece.bug();
        let is_first_of_several =
            bug.count() == 1 && piece.whole().number() == 1 && self.count(bug) > 1;
        Named { piece, is_first_of_several }
    }

    /// How many pieces each player has.
    pub fn pieces(self) -> u32 {
        self.counts.iter().map(|&count| u32::from(count)).sum()
    }
}

/// The name of a piece in a game.
struct Named {
    piece: Piece,
    is_first_of_several: bool,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_first_of_several {
            let half = if self.piece.is_half() { "'" } else { "" };
            return write!(f, "{}1{half}", self.piece.whole());
        }
        self.piece.fmt(f)
    }
}

impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Base")?;
        let mut separator = "+";
        for bug in GameType::expansions().filter(|&bug| self.count(bug) > 0) {
            write!(f, "{separator}{}", bug.code())?;
            if self.count(bug) != bug.count() {
                write!(f, "{}", self.count(bug))?;
            }
            separator = "";
        }
        Ok(())
    }
}

impl fmt::Debug for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Text that names no game type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseGameTypeError {
    /// The type that is probably meant, whose name has another order.
    pub meant: Option<GameType>,
}

impl fmt::Display for ParseGameTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meant {
            Some(meant) => write!(f, "the game type is written `{meant}`"),
            None => f.write_str("not a game type such as `Base`, `Base+MLP` or `Base+FlMa2`"),
        }
    }
}

impl error::Error for ParseGameTypeError {}

/// What stands for all kinds in a text, and is never written.
const ALL_KINDS: &str = "All";

impl FromStr for GameType {
    type Err = ParseGameTypeError;

    fn from_str(text: &str) -> Result<GameType, ParseGameTypeError> {
        let rest = text.strip_prefix("Base").ok_or(ParseGameTypeError::default())?;
        let mut codes = match rest.strip_prefix('+') {
            None if rest.is_empty() => "",
            Some(ALL_KINDS) => return Ok(GameType::all()),
            Some(codes) if !codes.is_empty() => codes,
            _ => return Err(ParseGameTypeError::default()),
        };
        let mut game_type = GameType::BASE;
        while !codes.is_empty() {
            let (bug, count, rest) = counted_kind(codes).ok_or_else(ParseGameTypeError::default)?;
            game_type = game_type.with_count(bug, count);
            codes = rest;
        }
        // One text names one type: kinds out of order or twice do not print as they were read.
        if game_type.to_string() == text {
            Ok(game_type)
        } else {
            Err(ParseGameTypeError { meant: Some(game_type) })
        }
    }
}

/// The kind at the beginning of a text, how many there are, and what follows.
fn counted_kind(text: &str) -> Option<(Bug, u8, &str)> {
    let small = |c: char| c.is_ascii_lowercase();
    let length = 1 + usize::from(text.get(1..)?.starts_with(small));
    let (code, rest) = text.split_at_checked(length)?;
    let bug = Bug::from_code(code).filter(|bug| bug.set() != Set::Base)?;
    match rest.as_bytes().first() {
        Some(digit @ b'1'..=b'9') => {
            let count = digit - b'0';
            (count <= bug.most()).then_some((bug, count, &rest[1..]))
        }
        _ => Some((bug, bug.count(), rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_official_types_are_read_as_they_are_written() {
        let names: Vec<String> = GameType::official().map(|t| t.to_string()).collect();
        assert_eq!(
            names,
            ["Base", "Base+M", "Base+L", "Base+ML", "Base+P", "Base+MP", "Base+LP", "Base+MLP"]
        );
        for game_type in GameType::official() {
            assert_eq!(game_type.to_string().parse(), Ok(game_type));
        }
    }

    #[test]
    fn a_player_has_eleven_pieces_and_one_for_each_expansion() {
        let pieces: Vec<u32> = GameType::official().map(GameType::pieces).collect();
        assert_eq!(pieces, [11, 12, 12, 13, 12, 13, 13, 14]);
    }

    #[test]
    fn types_with_fan_pieces_are_read_as_they_are_written() {
        for name in
            ["Base+MLPFlEaCe", "Base+MScKb", "Base+Si2", "Base+Mo", "Base+M2", "Base+FlEa3Sn"]
        {
            assert_eq!(name.parse::<GameType>().map(|t| t.to_string()).as_deref(), Ok(name));
        }
        let all: GameType = "Base+All".parse().unwrap();
        assert_eq!(all.to_string(), "Base+MLPFlSiEaEwCoTiSbScKbMaMoHvFyFfDfCeBfAsMiCiDbSn");
        assert_eq!(all.to_string().parse(), Ok(all));
        assert_eq!(all.pieces(), 36);
    }

    #[test]
    fn another_order_is_told() {
        let error = "Base+EaFl".parse::<GameType>().unwrap_err();
        assert_eq!(error.to_string(), "the game type is written `Base+FlEa`");
    }

    #[test]
    fn what_names_no_type_is_refused() {
        for text in [
            "",
            "base",
            "Base+",
            "Base+MM",
            "Base+LM",
            "Base+Q",
            "Base+m",
            "Base+M+L",
            "Base ",
            "Base+Si3",
            "Base+M1",
            "Base+EaFl",
            "Base+Xx",
            "Base+All2",
            "Base+MFl+Ea",
            "Base+Fl0",
        ] {
            assert!(text.parse::<GameType>().is_err(), "{text:?}");
        }
    }
}
