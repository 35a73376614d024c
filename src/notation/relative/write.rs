//! From turns to the shortest words that fit no other legal turn.
use super::{EXPANSIONS, FIRST, PASS};
use crate::{
    game::Game,
    notation::pgn::within_braces,
    record::{Cause, Tag},
    replay,
    rules::{Cell, Color, Hive, Position, Turn, bugs::Set},
    sketch::{Bearing, Kind, Lifted, Locus, Sketch},
};
use std::{
    fmt::{self, Write as _},
    io::{self, Write},
};

/// Exchanges the colours of a turn.
pub(super) fn exchange(sketch: &mut Sketch) {
    exchange_kind(&mut sketch.kind);
    sketch.onto.iter_mut().for_each(exchange_kind);
    for locus in sketch.from.iter_mut().chain(&mut sketch.to) {
        exchange_kind(&mut locus.beside);
        let mut next = locus.bearing.as_mut();
        while let Some(bearing) = next {
            exchange_kind(&mut bearing.from);
            next = bearing.within.as_deref_mut();
        }
    }
}

fn exchange_kind(kind: &mut Kind) {
    kind.color = kind.color.other();
}

/// Writes a game; whether all its turns could be told apart from others.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<bool> {
    let mut are_told = true;
    write_tags(game, out)?;
    let is_exchanged = game.tag(FIRST).is_some_and(|color| color.eq_ignore_ascii_case("black"));
    let mut position = Position::new(game.game_type(), game.options());
    let mut line = Line { out, is_begun: false };
    line.comments(game, 0)?;
    for (ply, &turn) in game.turns().iter().enumerate() {
        if ply.is_multiple_of(2) {
            line.end()?;
            line.word(&format!("{}.", ply / 2 + 1))?;
        }
        if turn == Turn::Pass {
            line.word(PASS)?;
        } else {
            let (mut sketch, is_alone) = sketch(&mut position, turn);
            are_told &= is_alone;
            if is_exchanged {
                exchange(&mut sketch);
            }
            line.word(&sketch.to_string())?;
        }
        position.make(turn);
        line.comments(game, ply + 1)?;
    }
    line.end()?;
    Ok(are_told)
}

/// Whether a tag fits into a line.
pub(super) fn can_write(tag: &Tag) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !tag.name.is_empty()
        && ![EXPANSIONS, "Result", "Termination"].contains(&tag.name.as_str())
        && tag.name.chars().all(is_name)
        && !tag.value.contains(['\n', '\r'])
        && tag.value.trim_matches(['"', ' ']) == tag.value
}

fn write_tags(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    for tag in game.tags().iter().filter(|tag| tag.name != FIRST && can_write(tag)) {
        writeln!(out, "[{} \"{}\"]", tag.name, tag.value)?;
    }
    let expansions: String = crate::rules::Bug::ALL
        .iter()
        .filter(|&&bug| bug.set() == Set::Expansion && game.game_type().count(bug) > 0)
        .flat_map(|bug| [bug.code().to_owned(), bug.code().to_ascii_lowercase()])
        .collect();
    if !expansions.is_empty() {
        writeln!(out, "[{EXPANSIONS} \"{expansions}\"]")?;
    }
    writeln!(out, "[Result \"{}\"]", game.state())?;
    if let Some(cause) = game.cause().filter(|&cause| cause != Cause::Board) {
        writeln!(out, "[Termination \"{}\"]", cause.word())?;
    }
    writeln!(out)
}

/// A line of words.
struct Line<'o> {
    out: &'o mut dyn Write,
    is_begun: bool,
}

impl Line<'_> {
    fn word(&mut self, word: &str) -> io::Result<()> {
        let blank = if std::mem::replace(&mut self.is_begun, true) { " " } else { "" };
        write!(self.out, "{blank}{word}")
    }

    fn end(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_begun) { writeln!(self.out) } else { Ok(()) }
    }

    /// Writes what is remarked after so many plies.
    fn comments(&mut self, game: &Game, after: usize) -> io::Result<()> {
        for (_, text) in game.comments().filter(|(place, _)| *place == after) {
            self.word(&format!("{{{}}}", within_braces(text)))?;
        }
        Ok(())
    }
}

/// How deep a place may be told by the place of a neighbour, and so on: a hive has no more pieces in a row that look
/// alike from both sides.
const DEEPEST: usize = 6;

/// The shortest words for a legal turn that fit no other one, and whether there are any.
fn sketch(position: &mut Position, turn: Turn) -> (Sketch, bool) {
    let turns = position.turns();
    let hive = position.hive();
    // Beside the first piece all sides are the same.
    let is_free = hive.cells().count() < 2;
    let fits_alone = |sketch: &&Sketch| {
        is_free || turns.iter().filter(|&&other| sketch.fits(hive, other)).count() == 1
    };
    let found = (0..=DEEPEST).find_map(|depth| {
        let candidates = candidates(hive, turn, depth);
        candidates.iter().find(fits_alone).cloned()
    });
    if let Some(sketch) = found {
        return (sketch, true);
    }
    // In a hive that looks the same from several sides no words will do, and none are needed: a reader takes any
    // of the turns. Not if they mirror each other: from then on he would go round the wrong way.
    let sketch = candidates(hive, turn, 0).pop();
    let Some(sketch) = sketch else { unreachable!("every turn has words") };
    let like: Vec<Turn> =
        turns.into_iter().filter(|&other| sketch.fits(position.hive(), other)).collect();
    let is_same = like.iter().all(|&other| replay::lead_to_turned(position, turn, other));
    (sketch, is_same)
}

/// The words for a turn in which places are told to this depth, from few to many.
fn candidates(hive: &Hive, turn: Turn, depth: usize) -> Vec<Sketch> {
    let Some((piece, to)) = turn.goes() else { return Vec::new() };
    let lifted = Lifted::new(hive, piece);
    let from = hive.cell_of(piece);
    let kind = Kind::of(piece);
    let (is_placement, onto) = (from.is_none(), lifted.top(to).map(Kind::of));
    let some = |loci: Vec<Locus>| loci.into_iter().map(Some).collect::<Vec<_>>();
    let places = [vec![None], some(loci(lifted, to, depth))].concat();
    // Where a piece comes from is seldom in question, and never before where it goes.
    let origins = from.map(|from| some(loci(lifted, from, depth.min(2)))).unwrap_or_default();
    let origins = [vec![None], origins].concat();
    let mut candidates: Vec<Sketch> = origins
        .iter()
        .flat_map(|from| places.iter().map(move |to| (from.clone(), to.clone())))
        .filter(|(from, to)| from.is_none() || to.is_some())
        .map(|(from, to)| Sketch { kind, is_placement, onto, from, to })
        .collect();
    // Of equal length the same ones come first however the board is turned.
    candidates.sort_by_cached_key(|sketch| {
        let words = sketch.to_string();
        (words.len(), words)
    });
    candidates
}

/// The words for a place, told to a depth.
fn loci(lifted: Lifted<'_>, cell: Cell, depth: usize) -> Vec<Locus> {
    let mut loci = Vec::new();
    for (side, beside) in lifted.around(cell) {
        let center = cell.toward(side);
        let beside = Kind::of(beside);
        loci.push(Locus { beside, bearing: None });
        for bearing in bearings(lifted, center, cell, depth) {
            loci.push(Locus { beside, bearing: Some(bearing) });
        }
    }
    loci
}

/// The bearings around `center` that lead to `cell`.
fn bearings(lifted: Lifted<'_>, center: Cell, cell: Cell, depth: usize) -> Vec<Bearing> {
    let mut bearings = Vec::new();
    for (side, from) in lifted.around(center) {
        let around = center.toward(side);
        let from = Kind::of(from);
        let angle = steps(center, around, cell);
        bearings.push(Bearing { from, within: None, angle: None });
        if angle.is_none() {
            continue;
        }
        bearings.push(Bearing { from, within: None, angle });
        if depth > 0 {
            let within = self::bearings(lifted, around, center, depth - 1).into_iter();
            bearings.extend(within.map(|within| Bearing {
                from,
                within: Some(Box::new(within)),
                angle,
            }));
        }
    }
    bearings
}

/// How many steps clockwise around `center` lead from one neighbour to another.
fn steps(center: Cell, from: Cell, to: Cell) -> Option<u8> {
    let (from, to) = (center.side_of(from)?, center.side_of(to)?);
    u8::try_from((to + 6 - from) % 6).ok().filter(|&steps| steps > 0)
}

impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_placement {
            f.write_char('+')?;
        }
        write_kind(self.kind, f)?;
        if let Some(onto) = self.onto {
            f.write_char('x')?;
            write_kind(onto, f)?;
        }
        if let Some(from) = &self.from {
            write_locus(from, f)?;
            f.write_char('-')?;
        }
        self.to.iter().try_for_each(|to| write_locus(to, f))
    }
}

fn write_kind(kind: Kind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match kind.color {
        Color::White => f.write_str(kind.bug.code()),
        Color::Black => f.write_str(&kind.bug.code().to_ascii_lowercase()),
    }
}

fn write_locus(locus: &Locus, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write_kind(locus.beside, f)?;
    locus.bearing.iter().try_for_each(|bearing| write_bearing(bearing, f))
}

fn write_bearing(bearing: &Bearing, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write_kind(bearing.from, f)?;
    if let Some(within) = &bearing.within {
        f.write_char('(')?;
        write_bearing(within, f)?;
        f.write_char(')')?;
    }
    bearing.angle.iter().try_for_each(|angle| write!(f, "{angle}"))
}
