//! Ways to write games down. Each is a file here, a grammar in `grammar/` and a line in [`ALL`].
//!
//! A notation reads what is written and never asks whether it is legal; it writes only what is proven.
pub mod boardspace;
pub mod move_string;
pub mod pgn;
pub mod uhp;

use crate::{finding::Finding, game::Game, parse::Production, record::Record, source::Source};
use std::{
    fmt,
    io::{self, Write},
};

/// The games of a source, in order. A game that cannot be read is an `Err`, and the next one follows.
pub type Records<'s> = Box<dyn Iterator<Item = Result<Record, Finding>> + 's>;

/// A way to write games down.
pub trait Notation: Sync {
    /// The name on the command line, of the grammar file and of the test data.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn about(&self) -> &'static str;

    /// How sure it is, from 0 to 100, that `head` begins a source in this notation.
    fn sniff(&self, head: &str) -> u8;

    /// Reads games without judging them.
    fn read<'s>(&self, source: &'s Source) -> Records<'s>;

    /// The last place where `bytes` can be cut so that no game is divided, nor a game and what belongs to
    /// it; `None` where there is none after the beginning.
    fn last_cut(&self, bytes: &[u8]) -> Option<usize>;

    /// Whether [`Notation::write`] writes at all.
    fn can_write(&self) -> bool {
        true
    }

    /// What stands between two games of one file.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Writes one game, and names what it could not say.
    ///
    /// # Errors
    ///
    /// Passes on the error of `out`.
    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<Vec<Loss>>;

    /// The productions of the grammar, leaves first, each with its parser.
    fn productions(&self) -> &'static [Production];
}

/// A part of a game that a notation has no words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loss {
    /// Names of players, dates and the like.
    Tags,
    /// Remarks on moves.
    Comments,
    /// The time used for moves.
    Clocks,
    /// The numbers of equal pieces, which were placed in another order.
    Numbers,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Loss::Tags => "tags",
            Loss::Comments => "comments",
            Loss::Clocks => "clocks",
            Loss::Numbers => "numbers of equal pieces",
        })
    }
}

/// Every notation. To add one: a file beside this one, its `mod` line, and a line here.
pub static ALL: &[&dyn Notation] = &[&uhp::Uhp, &pgn::Pgn, &boardspace::Boardspace];

/// The notation with this name.
pub fn named(name: &str) -> Option<&'static dyn Notation> {
    ALL.iter().copied().find(|notation| notation.name() == name)
}

/// The notation that a text is most probably in, by its first characters; a guess, and `None` where nothing fits.
pub fn detect(text: &str) -> Option<&'static dyn Notation> {
    let (_, best) = ALL
        .iter()
        .map(|notation| (notation.sniff(text), *notation))
        .filter(|(sure, _)| *sure > 0)
        .max_by_key(|(sure, _)| *sure)?;
    Some(best)
}

/// Where the lines of `bytes` begin, the last one first, without the first one.
pub(crate) fn line_starts_from_end(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut end = bytes.len();
    std::iter::from_fn(move || {
        let at = bytes[..end].iter().rposition(|&byte| byte == b'\n')?;
        end = at;
        Some(at + 1)
    })
}

/// Where `part` stands in `whole`, of which it is a slice.
pub(crate) fn offset_in(whole: &str, part: &str) -> usize {
    part.as_ptr().addr() - whole.as_ptr().addr()
}
