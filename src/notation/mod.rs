//! Ways to write games down. Each is a file here, a grammar in `grammar/` and a line in [`ALL`].
//!
//! A notation reads what is written and never asks whether it is legal; it writes only what is proven.
pub mod bga;
pub mod boardspace;
pub mod contact;
pub mod hivegame;
mod json;
pub mod kaggle;
pub mod lihive;
pub mod move_string;
pub mod ndjson;
pub mod pgn;
pub mod plies;
pub mod relative;
pub mod table;
pub mod told;
pub mod uhp;

use crate::{
    finding::Finding,
    game::Game,
    hex::Hex,
    parse::Production,
    record::{Aside, Cause, Origin, Record},
    rules::Cell,
    source::Source,
};
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

    /// What follows the full stop in the names of its files.
    fn extension(&self) -> &'static str {
        self.name()
    }

    /// How sure it is, from 0 to 100, that `head` begins a source in this notation.
    fn sniff(&self, head: &str) -> u8;

    /// Reads games without judging them.
    fn read<'s>(&self, source: &'s Source) -> Records<'s>;

    /// The last place where `bytes` can be cut so that no game is divided, nor a game and what belongs to
    /// it; `None` where there is none after the beginning.
    fn last_cut(&self, bytes: &[u8]) -> Option<usize>;

    /// Whether a file can be written anew in the notation without more loss than a game names: not where it holds what is
    /// no game, as tables and documents of programs do.
    fn can_rewrite(&self) -> bool {
        true
    }

    /// What stands before the games of a file.
    fn prologue(&self) -> &'static str {
        ""
    }

    /// How many bytes at the beginning of a file every piece of it needs to be read.
    fn head(&self, _bytes: &[u8]) -> usize {
        0
    }

    /// What stands between two games of one file.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Whether it has words for fan pieces.
    fn has_fan_pieces(&self) -> bool {
        false
    }

    /// Why a game cannot be written; `None` if it can, perhaps with a loss.
    fn why_not(&self, game: &Game) -> Option<String> {
        let game_type = game.game_type();
        if self.has_fan_pieces() || game_type.is_official() {
            return None;
        }
        let mut used = game.turns().iter().filter_map(|turn| turn.placed());
        Some(match used.find(|piece| !piece.bug().is_official()) {
            Some(piece) => {
                format!("{} has no word for the {} (`{piece}`)", self.name(), piece.bug().name())
            }
            None => format!("{} has no word for the game type `{game_type}`", self.name()),
        })
    }

    /// What it can say of a game besides the turns and the outcome.
    fn holds(&self) -> &'static [Part];

    /// What begins a line between games that says nothing of them, if there is such.
    fn remark_sign(&self) -> Option<&'static str> {
        None
    }

    /// Writes one game, and names what it could not say.
    ///
    /// # Errors
    ///
    /// Passes on the error of `out`.
    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>>;

    /// Whether the notation has a place for games that cannot be read or are not legal.
    fn keeps_unproven(&self) -> bool {
        false
    }

    /// Writes such a game as it stands in its notation; nothing where there is no place for it.
    ///
    /// # Errors
    ///
    /// Passes on the error of `out`.
    fn write_unproven(&self, _: &Unproven<'_>, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// The productions of the grammar, leaves first, each with its parser.
    fn productions(&self) -> &'static [Production];
}

/// A game that cannot be read, or is not legal.
#[derive(Clone, Copy, Debug)]
pub struct Unproven<'s> {
    /// The name of its notation.
    pub notation: &'s str,
    /// Its text.
    pub text: &'s str,
    /// What is wrong with it.
    pub fault: &'s Finding,
    /// Where it stood.
    pub origin: Option<&'s Origin>,
}

/// What a writer chooses where a notation leaves a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// By which neighbour a place is told.
    pub reference: Reference,
    /// As which program PGN is written.
    pub dialect: Dialect,
}

/// By which neighbour a move string tells a place: each program chooses in its own way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// The first around the place, clockwise from north-west, with the moving piece lifted; Mzinga does the same.
    #[default]
    Hivekit,
    /// The one that the record names, if it does.
    Keep,
    /// As hivegame.com chooses: north-west, south-east, north-east, south-west, west, east.
    Hivegame,
    /// The first clockwise from north-west, the moving piece still in its place.
    Nokamute,
}

/// The program whose PGN is imitated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Our own: that of Mzinga with all tags and comments.
    #[default]
    Hivekit,
    /// Mzinga.
    Mzinga,
    /// The converter from BoardSpace's files by `IongIer`.
    Iongier,
    /// The download of hivegame.com.
    Hivegame,
}

/// A part of a game, besides its turns and its outcome, that a notation may have no words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Turns that cannot be told apart from others.
    Turns,
    /// Names of players, dates and the like.
    Tags,
    /// Remarks on moves.
    Comments,
    /// The time used for moves.
    Clocks,
    /// Offers of draws and the like.
    Controls,
    /// Why the game ended, if not on the board.
    Cause,
    /// Who won, if the board does not show it.
    Outcome,
    /// Expansions that belong to the game and were not used.
    Expansions,
    /// Rules that are not as usual.
    Rules,
    /// The numbers of equal pieces, if they were placed in another order.
    Numbers,
    /// Which way the board is turned.
    Orientation,
    /// Other lines of play.
    Variations,
    /// Where the game stood before it was kept.
    Origin,
    /// What only the notation of the record says.
    Others,
}

impl Part {
    /// Every part.
    pub const ALL: &'static [Part] = &[
        Part::Turns,
        Part::Tags,
        Part::Comments,
        Part::Clocks,
        Part::Controls,
        Part::Cause,
        Part::Outcome,
        Part::Expansions,
        Part::Rules,
        Part::Numbers,
        Part::Orientation,
        Part::Variations,
        Part::Origin,
        Part::Others,
    ];

    /// Whether a game has such a part.
    pub fn is_in(self, game: &Game) -> bool {
        let any = |test: fn(&Aside) -> bool| game.remarks().iter().any(|remark| test(&remark.what));
        match self {
            // Only who writes a turn knows.
            Part::Turns => false,
            Part::Tags => !game.tags().is_empty(),
            Part::Comments => any(|what| matches!(what, Aside::Comment(_))),
            Part::Clocks => any(|what| matches!(what, Aside::Clock(..))),
            Part::Controls => any(|what| matches!(what, Aside::Control(..))),
            Part::Cause => !matches!(game.cause(), None | Some(Cause::Board)),
            Part::Outcome => game.outcome().is_some() && !game.ends_on_board(),
            Part::Expansions => game.game_type() != game.used_type(),
            Part::Rules => !game.options().chosen().is_empty(),
            Part::Numbers => !game.numbering().is_identity(),
            Part::Orientation => game.is_oriented() && game.turns().len() > 1,
            Part::Variations => !game.variations().is_empty(),
            Part::Origin => game.origin().is_some(),
            Part::Others => game.has_others(),
        }
    }

    /// The parts of a game that are lost where only those of `held` are written, and of these not the ones that the
    /// writer says are `also` lost in this game: each once, in their order.
    fn lost(game: &Game, held: &[Part], also: &[(Part, bool)]) -> Vec<Part> {
        let is_new = |at: usize| !game.line(at).numbering().is_identity();
        let is_lost_in_variations = |part: &Part| match part {
            Part::Variations => game.is_cut(),
            Part::Numbers => {
                let are_held = held.contains(&Part::Variations) && !held.contains(part);
                are_held && (0..game.variations().len()).any(is_new)
            }
            _ => false,
        };
        let is_lost = |part: &Part| {
            !held.contains(part) && part.is_in(game)
                || is_lost_in_variations(part)
                || also.contains(&(*part, true))
        };
        Part::ALL.iter().copied().filter(is_lost).collect()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Turns => "turns that look alike",
            Part::Tags => "tags",
            Part::Comments => "comments",
            Part::Clocks => "clocks",
            Part::Controls => "offers and resignations",
            Part::Cause => "cause of the end",
            Part::Outcome => "result",
            Part::Expansions => "unused expansions",
            Part::Rules => "rules that are not as usual",
            Part::Numbers => "numbers of equal pieces",
            Part::Orientation => "orientation",
            Part::Variations => "variations",
            Part::Origin => "place of origin",
            Part::Others => "unknown properties",
        })
    }
}

/// Every notation. To add one: a file beside this one, its `mod` line, and a line here.
pub static ALL: &[&dyn Notation] = &[
    &uhp::Uhp,
    &pgn::Pgn,
    &boardspace::Boardspace,
    &ndjson::Ndjson,
    &plies::Plies,
    &hivegame::Hivegame,
    &bga::Bga,
    &kaggle::Kaggle,
    &table::ANY,
    &relative::Relative,
    &contact::Contact,
    &lihive::Lihive,
];

/// Their names.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|notation| notation.name())
}

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

/// Where the lines of `bytes` begin, the last one first, without the first one. A carriage return ends a line, too,
/// unless it is half of an end, or could be.
pub(crate) fn line_starts_from_end(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut end = bytes.len();
    std::iter::from_fn(move || {
        let ends_line = |at: usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1).is_some_and(|&next| next != b'\n'),
            _ => false,
        };
        let at = (0..end).rev().find(|&at| ends_line(at))?;
        end = at;
        Some(at + 1)
    })
}

/// How long the first line of a text is with what ends it: a line feed, a carriage return, or both; `None` for no text.
/// Its bytes are shown to `note`.
fn line_length(text: &str, mut note: impl FnMut(u8)) -> Option<usize> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|&byte| {
        note(byte);
        matches!(byte, b'\n' | b'\r')
    });
    match end {
        None if text.is_empty() => None,
        None => Some(text.len()),
        Some(end) if bytes[end..].starts_with(b"\r\n") => Some(end + 2),
        Some(end) => Some(end + 1),
    }
}

/// The lines of a text, each with what ends it.
fn lines(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (line, rest) = text.split_at(line_length(text, |_| ())?);
        text = rest;
        Some(line)
    })
}

/// The plane, on which a hive can wander farther than the board of the rules reaches, which is rolled up.
#[derive(Clone, Copy, Debug)]
struct Plane {
    /// Where the last piece went, on the board and on the plane.
    last: (Cell, Hex),
}

impl Default for Plane {
    fn default() -> Plane {
        Plane { last: (Cell::ORIGIN, Hex { q: 0, r: 0 }) }
    }
}

impl Plane {
    /// A cell near to where the last piece went, counted from the first one.
    fn hex(&self, cell: Cell) -> Hex {
        let (near, at) = self.last;
        let Hex { q, r } = cell.hex_from(near);
        Hex { q: at.q + q, r: at.r + r }
    }

    /// The same for the cell that a piece goes to now.
    fn go_to(&mut self, cell: Cell) -> Hex {
        let hex = self.hex(cell);
        self.last = (cell, hex);
        hex
    }
}

/// Where `part` stands in `whole`, of which it is a slice.
pub(crate) fn offset_in(whole: &str, part: &str) -> usize {
    part.as_ptr().addr() - whole.as_ptr().addr()
}
