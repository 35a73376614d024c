//! The lines of a game: what was played, and what branches off.
//!
//! P0 is White. Every turn is written as a person takes it: a tile is picked up, set down, and the turn confirmed.
use super::write::escaped;
use crate::{
    game::{Game, Numbering},
    hex::{Direction, Hex},
    notation::{Plane, Reference, Style},
    record::{Aside, Cause, Control, Remark, Spot, Variation},
    rules::{Bug, Cell, Color, Hive, Piece, Position, Turn},
};
use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write},
};

/// Where the first tile stands.
const FIRST: (i32, i32) = (13, 13);

/// The verb for what a player does beside taking turns.
pub(super) fn verb(control: Control) -> Option<&'static str> {
    match control {
        Control::Resign => Some("Resign"),
        Control::OfferDraw => Some("OfferDraw"),
        Control::AcceptDraw => Some("AcceptDraw"),
        Control::DeclineDraw => Some("DeclineDraw"),
        Control::OfferTakeback
        | Control::AcceptTakeback
        | Control::DeclineTakeback
        | Control::Abort => None,
    }
}

/// The time that a remark after this ply tells of a player.
fn clock_of(remark: &Remark, ply: usize, player: Color) -> Option<u64> {
    match remark.what {
        Aside::Clock(color, milliseconds) if color == player && remark.after == ply => {
            Some(milliseconds)
        }
        _ => None,
    }
}

/// The lines of a game, whose events are numbered as they are written.
pub(super) struct Lines<'g, 'o> {
    pub(super) out: &'o mut dyn Write,
    game: &'g Game,
    style: Style,
    number: usize,
    /// The variations that leave a line after so many turns.
    branches: BTreeMap<(Option<usize>, usize), Vec<usize>>,
    /// Whether a clock could not be written.
    pub(super) lost_clock: bool,
    /// Whether there are variations that stand so deep in each other that they are left out.
    pub(super) is_too_deep: bool,
}

impl<'g, 'o> Lines<'g, 'o> {
    /// The lines of a game.
    pub(super) fn new(game: &'g Game, style: Style, out: &'o mut dyn Write) -> Lines<'g, 'o> {
        // What says nothing, and is left by nothing that does, is left out.
        let others = game.variations();
        let mut says = vec![false; others.len()];
        for (at, other) in others.iter().enumerate().rev() {
            says[at] |= !other.turns.is_empty() || !other.remarks.is_empty();
            if let Some(of) = other.of {
                says[of] |= says[at];
            }
        }
        let mut branches: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, other) in others.iter().enumerate().filter(|&(at, _)| says[at]) {
            branches.entry((other.of, other.after)).or_default().push(at);
        }
        let is_too_deep = is_too_deep(&branches);
        if is_too_deep {
            branches.clear();
        }
        Lines { out, game, style, number: 1, branches, lost_clock: false, is_too_deep }
    }

    /// Writes the game itself, and returns where others branch off, for [`Lines::write_branches`].
    pub(super) fn write_game(&mut self) -> io::Result<Vec<usize>> {
        self.write_line(self.game, None, 0)
    }

    /// Ends a line, and writes what branches off after these numbers of turns.
    pub(super) fn write_branches(
        &mut self,
        line: Option<usize>,
        mut branches: Vec<usize>,
    ) -> io::Result<()> {
        // The rest of the line stands in the first branch, in which are those that branch off later.
        while let Some(after) = branches.pop() {
            writeln!(self.out, ")")?;
            for at in self.branches.remove(&(line, after)).unwrap_or_default() {
                writeln!(self.out, "(;")?;
                let whole = self.game.line(at);
                let branches = self.write_line(&whole, Some(at), after)?;
                self.write_branches(Some(at), branches)?;
                writeln!(self.out, ")")?;
            }
        }
        Ok(())
    }

    /// Writes a line from where it leaves another one on, and returns where others branch off: the whole of what follows
    /// there is in a tree of its own.
    fn write_line(
        &mut self,
        whole: &Game,
        line: Option<usize>,
        after: usize,
    ) -> io::Result<Vec<usize>> {
        let numbering = whole.numbering();
        let mut plane = Plane::default();
        let mut position = Position::new(whole.game_type(), whole.options());
        for &turn in &whole.turns()[..after] {
            if let Some((_, to)) = turn.goes() {
                plane.go_to(to);
            }
            position.make(turn);
        }
        let mut branches = Vec::new();
        let mut remarks = whole.remarks();
        self.remarks_before(&mut remarks, after + 1, &mut position)?;
        self.branch(line, after, &mut branches)?;
        let turns = whole.turns().iter().zip(whole.spots());
        for (ply, (&turn, &told)) in (1..).zip(turns).skip(after) {
            let player = position.to_move();
            self.turn(&position, (turn, told), &numbering, &mut plane)?;
            position.make(turn);
            // Comments before the clock of the turn stand on it, and its clock beside its confirmation.
            let is_comment =
                |remark: &&Remark| remark.after == ply && matches!(remark.what, Aside::Comment(_));
            let comments = remarks.iter().take_while(is_comment).count();
            let clock = remarks.get(comments).and_then(|remark| clock_of(remark, ply, player));
            if clock.is_some() {
                for comment in &remarks[..comments] {
                    if let Aside::Comment(text) = &comment.what {
                        writeln!(self.out, "C[{}]", escaped(text))?;
                    }
                }
                remarks = &remarks[comments + 1..];
            }
            self.done(player, clock)?;
            self.remarks_before(&mut remarks, ply + 1, &mut position)?;
            self.branch(line, ply, &mut branches)?;
        }
        Ok(branches)
    }

    /// Ends the game if it ends here, and begins a tree for the rest of the line if others branch off.
    fn branch(
        &mut self,
        line: Option<usize>,
        after: usize,
        branches: &mut Vec<usize>,
    ) -> io::Result<()> {
        if line.is_none() && after == self.game.turns().len() {
            self.end()?;
        }
        if !self.branches.contains_key(&(line, after)) {
            return Ok(());
        }
        branches.push(after);
        writeln!(self.out, "(;")
    }

    /// Writes one event, without the end of its line.
    fn event(&mut self, player: Color, event: impl fmt::Display) -> io::Result<()> {
        let number = self.number;
        self.number += 1;
        write!(self.out, "; P{}[{number} {event}]", player as u8)
    }

    fn done(&mut self, player: Color, clock: Option<u64>) -> io::Result<()> {
        self.event(player, "Done ")?;
        match clock {
            Some(milliseconds) => writeln!(self.out, "TM[{milliseconds}]"),
            None => writeln!(self.out),
        }
    }

    /// Writes the remarks that stand before a ply.
    fn remarks_before(
        &mut self,
        remarks: &mut &[Remark],
        ply: usize,
        position: &mut Position,
    ) -> io::Result<()> {
        while let Some((remark, rest)) = remarks.split_first().filter(|(r, _)| r.after < ply) {
            *remarks = rest;
            match &remark.what {
                Aside::Comment(text) => writeln!(self.out, "; C[{}]", escaped(text))?,
                Aside::Control(player, control) => {
                    let Some(verb) = verb(*control) else { continue };
                    let clock = rest.first().and_then(|next| clock_of(next, remark.after, *player));
                    if clock.is_some() {
                        *remarks = &rest[1..];
                    }
                    self.event(*player, format_args!("{verb} "))?;
                    writeln!(self.out)?;
                    self.done(*player, clock)?;
                }
                // A confirmation that confirms nothing: only so can a clock stand by itself, unless it would be a pass.
                Aside::Clock(player, _)
                    if *player == position.to_move() && position.check(Turn::Pass).is_ok() =>
                {
                    self.lost_clock = true;
                }
                Aside::Clock(player, milliseconds) => {
                    self.event(*player, "AllowUndo ")?;
                    writeln!(self.out)?;
                    self.done(*player, Some(*milliseconds))?;
                }
            }
        }
        Ok(())
    }

    /// Writes one turn up to its confirmation.
    fn turn(
        &mut self,
        position: &Position,
        (turn, told): (Turn, Option<Spot>),
        numbering: &Numbering,
        plane: &mut Plane,
    ) -> io::Result<()> {
        let player = position.to_move();
        let Some((piece, to)) = turn.goes() else {
            self.event(player, "Pass ")?;
            return writeln!(self.out);
        };
        let name = tile(numbering.name(piece));
        let from = position.hive().cell_of(piece);
        if let Some(from) = from {
            self.event(player, format_args!("Pickb {} {name}", place(plane.hex(from))))?;
        } else {
            let color = piece.color().letter().to_ascii_uppercase();
            self.event(player, format_args!("Pick {color} {} {name}", slot(piece.bug())))?;
        }
        writeln!(self.out)?;
        let verb = if piece.color() == player { "Dropb" } else { "Pdropb" };
        let beside = match told.filter(|_| self.style.reference == Reference::Keep) {
            Some(told) => kept_attachment(position.hive(), told, to, numbering),
            None => None,
        };
        let beside =
            beside.unwrap_or_else(|| attachment(position.hive(), piece, from, to, numbering));
        let to = place(plane.go_to(to));
        self.event(player, format_args!("{verb} {name} {to} {}", escaped(&beside)))?;
        writeln!(self.out)
    }

    /// Writes how the game ended, if neither the board nor the players' words tell.
    fn end(&mut self) -> io::Result<()> {
        let game = self.game;
        let plies = game.turns().len();
        let to_move = if plies.is_multiple_of(2) { Color::White } else { Color::Black };
        let is_said = |control| {
            game.remarks().iter().any(|remark| match remark.what {
                Aside::Control(_, known) => known == control,
                Aside::Comment(_) | Aside::Clock(..) => false,
            })
        };
        let Some(outcome) = game.outcome() else { return Ok(()) };
        match (game.cause(), outcome.winner()) {
            (Some(Cause::Resignation), Some(winner)) if !is_said(Control::Resign) => {
                self.event(winner.other(), "Resign ")?;
                writeln!(self.out)?;
                self.done(winner.other(), None)
            }
            (Some(Cause::Agreement), None) if !is_said(Control::AcceptDraw) => {
                self.event(to_move, "AcceptDraw ")?;
                writeln!(self.out)?;
                self.done(to_move, None)
            }
            (Some(Cause::Time), Some(winner)) => {
                self.event(winner, "WinOnTime ")?;
                writeln!(self.out)
            }
            _ => Ok(()),
        }
    }
}

/// The name of a tile, with a number where there is more than the queen.
fn tile(piece: Piece) -> String {
    match piece.bug() {
        Bug::Queen => piece.to_string(),
        bug => format!("{}{}{}", piece.color().letter(), bug.code(), piece.number()),
    }
}

/// The place of a kind in the rack.
fn slot(bug: Bug) -> u8 {
    match bug {
        Bug::Queen => 0,
        Bug::Ant => 1,
        Bug::Grasshopper => 2,
        Bug::Beetle => 3,
        Bug::Spider => 4,
        Bug::Mosquito => 5,
        Bug::Ladybug => 6,
        Bug::Pillbug => 8,
        // Fan pieces have no place there; games with them are not written.
        _ => 9,
    }
}

/// Column and row of a cell.
fn place(hex: Hex) -> String {
    let Hex { q, r } = hex;
    let (column, row) = (FIRST.0 + q, FIRST.1 - r);
    match u8::try_from(column) {
        Ok(column @ 0..26) => format!("{} {row}", char::from(b'A' + column)),
        Ok(column) => format!("{}Z {row}", column - 25),
        Err(_) => format!("{}A {row}", -column),
    }
}

/// The neighbour that the program names beside a place: one of the other colour, the queen, a tile that comes once;
/// of equals the last of the directions. A climb and the first tile have a full stop.
fn attachment(
    hive: &Hive,
    piece: Piece,
    from: Option<Cell>,
    to: Cell,
    numbering: &Numbering,
) -> String {
    use Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest, West};
    if hive.is_occupied(to) {
        return ".".to_owned();
    }
    let score = |top: Piece| {
        let is_other = i32::from(top.color() != piece.color());
        let is_queen = i32::from(top.bug() == Bug::Queen);
        let is_unique = i32::from(matches!(top.bug(), Bug::Mosquito | Bug::Ladybug | Bug::Pillbug));
        100 * is_other + 50 * is_queen + is_unique
    };
    let neighbours = [SouthWest, West, NorthWest, NorthEast, East, SouthEast]
        .into_iter()
        .filter(|&direction| Some(to.step(direction)) != from)
        .filter_map(|direction| Some((direction.opposite(), hive.top(to.step(direction))?)));
    let Some((side, neighbour)) = neighbours.max_by_key(|(_, top)| score(*top)) else {
        return ".".to_owned();
    };
    beside(side, numbering.name(neighbour))
}

/// The same in the words of the record, if they lead there.
fn kept_attachment(hive: &Hive, told: Spot, to: Cell, numbering: &Numbering) -> Option<String> {
    let Spot::Beside(neighbour, side) = told else { return None };
    let is_there = hive.cell_of(neighbour).map(|cell| cell.step(side)) == Some(to);
    let is_climb = hive.is_occupied(to);
    (is_there && !is_climb).then(|| beside(side, numbering.name(neighbour)))
}

/// The place on a side of a tile.
fn beside(side: Direction, name: Piece) -> String {
    use Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest, West};
    match side {
        NorthWest => format!("\\{name}"),
        West => format!("-{name}"),
        SouthWest => format!("/{name}"),
        NorthEast => format!("{name}/"),
        East => format!("{name}-"),
        SouthEast => format!("{name}\\"),
    }
}

/// Whether variations stand deeper in each other than they are read.
fn is_too_deep(branches: &BTreeMap<(Option<usize>, usize), Vec<usize>>) -> bool {
    // How deep each line begins: one branches off only from those that come before it.
    let mut depths: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    // A line is deeper by one wherever another one branches off.
    let mut deepest = 0;
    for ((line, _), others) in branches {
        let depth = depths.entry(*line).or_default();
        *depth += 1;
        let depth = *depth;
        deepest = deepest.max(depth);
        depths.extend(others.iter().map(|&at| (Some(at), depth)));
    }
    deepest >= Variation::DEEPEST
}
