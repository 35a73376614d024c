//! Games as the program of boardspace.net saves them.
//!
//! P0 is White. Every turn is written as a person takes it: a tile is picked up, set down, and the turn confirmed.
use super::root::{self, OF_GAME, OF_PLAYER};
use crate::{
    game::{Game, Numbering},
    hex::{Direction, Hex},
    notation::{
        Part, Plane,
        date::{date_of_name, date_of_text},
    },
    record::{Aside, Cause, Control, Remark},
    rules::{Bug, Cell, Color, Hive, Piece, Position, Turn},
};
use std::{
    fmt,
    io::{self, Write},
};

/// What a file can say.
pub(super) const HELD: &[Part] = &[
    Part::Tags,
    Part::Comments,
    Part::Clocks,
    Part::Controls,
    Part::Cause,
    Part::Outcome,
    Part::Expansions,
    Part::Orientation,
];

/// Where the first tile stands.
const FIRST: (i32, i32) = (13, 13);

/// Writes a game, and names what it could not say.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<Vec<Part>> {
    write_root(game, out)?;
    Events { out, number: 1 }.write(game)?;
    write_end(game, out)?;
    Ok(lost(game))
}

fn lost(game: &Game) -> Vec<Part> {
    let date = game.tag("SgfGameName").and_then(date_of_name);
    let date = date.or_else(|| date_of_text(game.tag("SgfDate").or_else(|| game.tag("Date"))?));
    let is_changed = |value: &str| value.contains(['\n', '\r']) || value.contains("\"]");
    let is_tag_lost =
        game.tags().iter().any(|tag| is_changed(&tag.value) || !is_written(&tag.name));
    let is_date_lost = game.tag("Date").is_some_and(|said| date.as_deref() != Some(said));
    // These are told by what a player does at the end.
    let is_end_told =
        matches!(game.cause(), Some(Cause::Resignation | Cause::Agreement | Cause::Time));
    let is_cause_told = match game.cause() {
        None | Some(Cause::Board) => true,
        Some(_) => is_end_told && game.outcome().is_some(),
    };
    let is_outcome_lost = Part::Outcome.is_in(game) && !is_end_told && result(game).is_none();
    let is_control_lost = game.remarks().iter().any(|remark| match remark.what {
        Aside::Control(_, control) => verb(control).is_none(),
        Aside::Comment(_) | Aside::Clock(..) => false,
    });
    let also = [
        (Part::Tags, is_tag_lost || is_date_lost),
        (Part::Cause, !is_cause_told),
        (Part::Outcome, is_outcome_lost),
        (Part::Controls, is_control_lost),
    ];
    Part::lost(game, HELD, &also)
}

/// Whether a tag has a place in the file.
fn is_written(name: &str) -> bool {
    let of_player = |color: &str| {
        name.strip_prefix(color).is_some_and(|rest| {
            rest.is_empty() || OF_PLAYER.iter().any(|(known, _)| *known == rest)
        })
    };
    name == "Date"
        || OF_GAME.iter().any(|(known, _)| *known == name)
        || of_player("White")
        || of_player("Black")
}

/// A value with the signs escaped that would end it.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

fn write_root(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, " (;\nGM[27]VV[1]\nCM[0,1]")?;
    let setup = game
        .tag("SgfSetup")
        .filter(|setup| root::variant(setup).is_ok_and(|game_type| game_type == game.game_type()));
    match setup {
        Some(setup) => writeln!(out, "SU[{}]", escaped(setup))?,
        None => writeln!(out, "SU[{}]", root::newest(game.game_type()))?,
    }
    for (tag, property) in OF_GAME {
        let value = match property {
            "SU" => None,
            "RE" => result(game),
            // The name of the game has the date already.
            "DT" if game.tag("SgfGameName").and_then(date_of_name).is_some() => {
                game.tag(tag).map(str::to_owned)
            }
            "DT" => game.tag(tag).or_else(|| game.tag("Date")).map(str::to_owned),
            _ => game.tag(tag).map(str::to_owned),
        };
        if let Some(value) = value {
            writeln!(out, "{property}[{}]", escaped(&value))?;
        }
    }
    for (player, color) in Color::BOTH.into_iter().enumerate() {
        if let Some(name) = game.tag(&color.to_string()) {
            // Names are not escaped: these two signs together would end one, as a line would.
            let name = name.replace(['\n', '\r'], " ").replace("\"]", "']");
            writeln!(out, "P{player}[id \"{name}\"]")?;
        }
        for (tag, word) in OF_PLAYER.iter().filter(|(_, word)| *word != "time") {
            if let Some(value) = game.tag(&format!("{color}{tag}")) {
                writeln!(out, "P{player}[{word} {}]", escaped(value))?;
            }
        }
    }
    writeln!(out, "; P0[0 Start P0]")
}

/// The words for the result: those of the record if they say it.
fn result(game: &Game) -> Option<String> {
    let outcome = game.outcome();
    let name = |color: Color| game.tag(&color.to_string()).filter(|name| !name.is_empty());
    let names = Color::BOTH.map(|color| name(color).map(str::to_owned));
    if let Some(words) = game.tag("SgfResult") {
        let told = root::outcome_in(&escaped(words), &names);
        // Words that nobody understands do no harm where the board tells.
        if told == outcome || told.is_none() && game.cause() == Some(Cause::Board) {
            return Some(words.to_owned());
        }
    }
    // The first words that are understood: a name could hold another one, or a word for a draw.
    let words = match outcome?.winner() {
        Some(winner) => {
            let name = name(winner).map_or_else(|| winner.to_string(), str::to_owned);
            [format!("Game won by {name}"), name, format!("Game won by {winner}")]
        }
        None => ["The game is a draw", "remis", "tablas"].map(str::to_owned),
    };
    words.into_iter().find(|words| root::outcome_in(&escaped(words), &names) == outcome)
}

fn write_end(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let times = Color::BOTH.map(|color| game.tag(&format!("{color}Time")));
    if times.iter().any(Option::is_some) {
        writeln!(out, ";")?;
    }
    for (player, time) in times.into_iter().enumerate() {
        if let Some(time) = time {
            writeln!(out, "P{player}[time {} ]", escaped(time))?;
        }
    }
    writeln!(out, ")")
}

/// The verb for what a player does beside taking turns.
fn verb(control: Control) -> Option<&'static str> {
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

/// The events of a game, numbered as they are written.
struct Events<'o> {
    out: &'o mut dyn Write,
    number: usize,
}

impl Events<'_> {
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

    fn write(&mut self, game: &Game) -> io::Result<()> {
        let numbering = game.numbering();
        let mut plane = Plane::default();
        let mut position = Position::new(game.game_type(), game.opening());
        let mut remarks = game.remarks();
        self.remarks_before(&mut remarks, 1)?;
        for (ply, &turn) in (1..).zip(game.turns()) {
            let player = position.to_move();
            self.turn(&position, turn, &numbering, &mut plane)?;
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
            self.remarks_before(&mut remarks, ply + 1)?;
        }
        self.end(game, position.to_move())
    }

    /// Writes the remarks that stand before a ply.
    fn remarks_before(&mut self, remarks: &mut &[Remark], ply: usize) -> io::Result<()> {
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
                // A confirmation that confirms nothing: only so can a clock stand by itself.
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
        turn: Turn,
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
        let beside = attachment(position.hive(), piece, from, to, numbering);
        let to = place(plane.go_to(to));
        self.event(player, format_args!("{verb} {name} {to} {}", escaped(&beside)))?;
        writeln!(self.out)
    }

    /// Writes how the game ended, if neither the board nor the players' words tell.
    fn end(&mut self, game: &Game, to_move: Color) -> io::Result<()> {
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
    let name = numbering.name(neighbour);
    match side {
        NorthWest => format!("\\{name}"),
        West => format!("-{name}"),
        SouthWest => format!("/{name}"),
        NorthEast => format!("{name}/"),
        East => format!("{name}-"),
        SouthEast => format!("{name}\\"),
    }
}
