//! What only fan pieces do: `wSc~bA1` turns a piece down, `wTi=bG1 wQ-` makes an enemy move, and so on.
use super::{Leniencies, bug, fan_bug, piece, put, spot};
use crate::{
    hex::Direction,
    parse::{Expected, Parsed},
    record::{Action, Did, Done, Spot},
    rules::{Agent, Piece},
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{char, space0},
    combinator::{cut, map, opt, value},
    error::context,
    sequence::preceded,
};

/// The word for a side of a cell.
pub(super) fn compass(side: Direction) -> &'static str {
    match side {
        Direction::NorthWest => "NW",
        Direction::NorthEast => "NE",
        Direction::East => "E",
        Direction::SouthEast => "SE",
        Direction::SouthWest => "SW",
        Direction::West => "W",
    }
}

/// `toward`: the longer words first, since they begin alike.
pub(super) fn toward(s: &str) -> Parsed<'_, Direction> {
    let word = |side| value(side, tag(compass(side)));
    let [north_west, north_east, east, south_east, south_west, west] = Direction::ALL.map(word);
    let sides = alt((north_west, north_east, south_east, south_west, east, west));
    context("the side of the other cell, such as `E`", sides).parse(s)
}

/// A piece as it is written, with what was let pass.
type Named = (Piece, Leniencies);

/// `agent`
pub(super) fn agent(s: &str) -> Parsed<'_, (Agent, Leniencies)> {
    let (rest, (piece, leniencies)) = piece(s)?;
    let is_side = |s: &str| fan_bug(s).is_none() && toward(s).is_ok();
    match rest.strip_prefix(':') {
        Some(code) if !is_side(code) => {
            let (rest, (guise, more)) = bug(code)?;
            Ok((rest, (Agent { piece, guise: Some(guise) }, leniencies.or(more))))
        }
        _ => Ok((rest, (piece.into(), leniencies))),
    }
}

/// A place after blanks, of which there should be one.
fn blank_and_spot(s: &str) -> Parsed<'_, (Spot, Leniencies)> {
    let (at, blanks) = space0(s)?;
    let (rest, (spot, leniencies)) = spot(at)?;
    Ok((rest, (spot, leniencies.or(Leniencies::BLANKS.when(blanks != " ")))))
}

/// A sign with a piece behind it.
fn upon<'s>(
    sign: &'static str,
    what: fn(Piece) -> Did,
) -> impl Parser<&'s str, Output = (Did, Leniencies), Error = Expected<'s>> {
    let target = preceded(tag(sign), cut(context("the name of a piece", piece)));
    map(target, move |(target, leniencies): Named| (what(target), leniencies))
}

/// A sign with a piece behind it and the place to which that goes.
fn upon_to<'s>(
    sign: char,
    what: fn(Piece, Spot) -> Did,
) -> impl Parser<&'s str, Output = (Did, Leniencies), Error = Expected<'s>> {
    let whole = preceded(char(sign), cut((piece, blank_and_spot)));
    map(whole, move |((target, one), (spot, other))| (what(target, spot), one.or(other)))
}

/// What an agent does that is no walk or placement.
fn ability(s: &str) -> Parsed<'_, (Did, Leniencies)> {
    let turn = map(preceded(char('~'), opt(piece)), |target| match target {
        Some((target, leniencies)) => (Did::TurnDown(target), leniencies),
        None => (Did::TurnOver, Leniencies::NONE),
    });
    alt((
        upon_to('^', Did::Throw),
        upon_to('@', Did::Teleport),
        turn,
        upon("*", Did::Capture),
        upon("%", Did::Swap),
        upon(">>", Did::Roll),
        upon(">", Did::Push),
        upon("&", Did::Attract),
        upon("#", Did::Replace),
        upon(" _", Did::Burrow),
    ))
    .parse(s)
}

/// A walk or a placement that no other piece makes: in a guise, or to two cells.
fn going(agent: Agent, s: &str) -> Parsed<'_, (Did, Leniencies)> {
    let beside = |s| preceded(char(':'), toward).parse(s);
    if let Ok((rest, side)) = beside(s) {
        return Ok((rest, (Did::GoLong(Spot::Alone, side), Leniencies::NONE)));
    }
    let (rest, (spot, leniencies)) = match blank_and_spot(s) {
        Ok(read) => read,
        Err(_) if agent.guise.is_some() => (s, (Spot::Alone, Leniencies::NONE)),
        Err(error) => return Err(error),
    };
    match beside(rest) {
        Ok((rest, side)) => Ok((rest, (Did::GoLong(spot, side), leniencies))),
        Err(_) if agent.guise.is_some() => Ok((rest, (Did::Go(spot), leniencies))),
        Err(error) => Err(error),
    }
}

/// `deed`
pub(super) fn deed(s: &str) -> Parsed<'_, (Action, Leniencies)> {
    let (rest, (agent, leniencies)) = agent(s)?;
    let (rest, (what, more)) = match ability(rest) {
        Err(nom::Err::Error(_)) => going(agent, rest)?,
        read => read?,
    };
    let done = Done { controller: None, actor: agent, what };
    Ok((rest, (Action::Special(done), leniencies.or(more))))
}

/// `special`
pub(super) fn special(s: &str) -> Parsed<'_, (Action, Leniencies)> {
    let (rest, (controller, leniencies)) = agent(s)?;
    let Some(inner) = rest.strip_prefix('=') else { return deed(s) };
    let (rest, (action, more)) = cut(alt((deed, put))).parse(inner)?;
    let done = match action {
        Action::Special(done) => Done { controller: Some(controller), ..done },
        Action::Put(piece, spot) => {
            let what = Did::Go(spot);
            Done { controller: Some(controller), actor: piece.into(), what }
        }
        // Neither is read here.
        Action::Pass | Action::Like(_) => return deed(s),
    };
    Ok((rest, (Action::Special(done), leniencies.or(more))))
}
