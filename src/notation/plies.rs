//! Plies alone, one a line, as pages about notation and programs for training write them. Grammar:
//! `grammar/plies.ebnf`.
//!
//! A blank line stands between two games; lines that begin with `#` are comments. Besides moves there are the words
//! `resign`, `offer-draw`, `accept-draw` and `decline-draw`. The first piece may have a full stop for its place.
use super::{Notation, Part, Records, Style, line_starts_from_end, lines, move_string, offset_in};
use crate::{
    finding::{self, Finding},
    game::Game,
    parse::{Expected, Parsed, Production, productions},
    record::{Aside, Cause, Claimed, Control, Record, Remark},
    rules::{Color, Outcome},
    source::Source,
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::tag,
    combinator::{all_consuming, value},
};
use std::io::{self, Write};

/// The notation of lists.
#[derive(Debug)]
pub struct Plies;

/// `word`
fn word(s: &str) -> Parsed<'_, Control> {
    alt((
        value(Control::Resign, tag("resign")),
        value(Control::OfferDraw, tag("offer-draw")),
        value(Control::AcceptDraw, tag("accept-draw")),
        value(Control::DeclineDraw, tag("decline-draw")),
    ))
    .parse(s)
}

/// `line`
fn line(s: &str) -> Parsed<'_, ()> {
    let ply = |s| if move_string::reads_all(s) { Ok(("", ())) } else { Err(no_move(s)) };
    alt((value((), all_consuming(word)), ply)).parse(s)
}

fn no_move(s: &str) -> nom::Err<Expected<'_>> {
    nom::Err::Error(Expected { rest: s, what: "a move" })
}

/// The productions of `grammar/plies.ebnf`, leaves first, each with its parser.
const PRODUCTIONS: &[Production] = productions! { "word" = word, "line" = line };

/// What stands for a game without plies, since a blank text would be no game at all.
pub(super) const NO_PLIES: &str = "# no plies";

/// The games of a text, each a run of lines that are not blank, with its place. Remarks alone are no game.
pub(super) fn games(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let runs = std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let is_blank = |line: &&str| line.trim().is_empty();
        let end = lines(rest).take_while(|line| !is_blank(line)).map(str::len).sum();
        let (game, after) = rest.split_at(end);
        rest = after;
        Some((offset_in(text, game), game))
    });
    runs.filter(|(_, run)| {
        lines(run).any(|line| !line.trim_start().starts_with('#') || line.trim() == NO_PLIES)
    })
}

/// The lines of a game that tell plies; the others are taken into the record as comments.
pub(super) fn told<'t>(
    text: &'t str,
    mut take: impl FnMut(&'t str, &mut Record) -> Result<(), Finding>,
    record: &mut Record,
) -> Result<(), Finding> {
    let mut comment: Option<String> = None;
    for line in lines(text).map(str::trim) {
        match line.strip_prefix('#') {
            Some(_) if line == NO_PLIES => {}
            Some(words) => {
                let words = words.strip_prefix(' ').unwrap_or(words);
                match &mut comment {
                    Some(comment) => {
                        comment.push('\n');
                        comment.push_str(words);
                    }
                    None => comment = Some(words.to_owned()),
                }
            }
            None => {
                comment.take().into_iter().for_each(|text| record.remark(Aside::Comment(text)));
                take(line, record)?;
            }
        }
    }
    comment.into_iter().for_each(|text| record.remark(Aside::Comment(text)));
    Ok(())
}

/// Writes the comments after so many plies.
pub(super) fn write_comments(game: &Game, after: usize, out: &mut dyn Write) -> io::Result<()> {
    for (_, text) in game.comments().filter(|(place, _)| *place == after) {
        lines(text).try_for_each(|line| writeln!(out, "# {}", line.trim_end()))?;
    }
    Ok(())
}

/// Whether the comments of a game are read as they are written: not two after one ply, nor odd blanks.
pub(super) fn changes_comments(game: &Game) -> bool {
    let mut last = None;
    game.comments().any(|(after, text)| {
        let is_second = last.replace(after) == Some(after);
        let is_odd =
            |line: &str| line.trim_end_matches(['\n']).trim_end() != line.trim_end_matches(['\n']);
        let is_marker = text.trim() == NO_PLIES.trim_start_matches("# ");
        is_second
            || text.is_empty()
            || is_marker
            || text.contains('\r')
            || text.ends_with('\n')
            || lines(text).any(is_odd)
    })
}

fn record(text: &str, at: usize) -> Result<Record, Finding> {
    let mut record = Record { span: at..at + text.trim_end().len(), ..Record::default() };
    let take_line = |line: &str, record: &mut Record| {
        let start = at + offset_in(text, line);
        match all_consuming(word).parse(line) {
            Ok((_, control)) => take(control, start..start + line.len(), record),
            Err(_) => read_ply(line, start, record)?,
        }
        Ok(())
    };
    told(text, take_line, &mut record)?;
    Ok(record)
}

fn read_ply(line: &str, start: usize, record: &mut Record) -> Result<(), Finding> {
    let ply = record.plies.len() + 1;
    // The full stop of the first piece belongs to this notation.
    let line = if ply == 1 { line.strip_suffix(" .").unwrap_or(line) } else { line };
    let Record { plies, findings, .. } = record;
    move_string::read_ply(line, start, None, plies, findings).map(drop).map_err(|error| {
        let Expected { rest, what } = Expected::of(error);
        let at = start + offset_in(line, rest);
        let span = at..start + line.len();
        Finding::new(&finding::SYNTAX, span, format!("expected {what}")).at_ply(ply)
    })
}

/// Takes a word, which the side to move says, or to an offer of it the other side.
fn take(control: Control, span: std::ops::Range<usize>, record: &mut Record) {
    let to_move = if record.plies.len().is_multiple_of(2) { Color::White } else { Color::Black };
    let offered = match record.remarks.last() {
        Some(Remark { what: Aside::Control(player, Control::OfferDraw), .. }) => Some(*player),
        _ => None,
    };
    let player = match control {
        Control::AcceptDraw | Control::DeclineDraw => offered.map_or(to_move, Color::other),
        _ => to_move,
    };
    let end = match control {
        Control::Resign => Some((Outcome::win(player.other()), Cause::Resignation)),
        Control::AcceptDraw => Some((Outcome::Draw, Cause::Agreement)),
        _ => None,
    };
    record.remark(Aside::Control(player, control));
    if let Some((outcome, cause)) = end {
        record.claim(Claimed::Outcome(outcome), span.clone());
        record.claim(Claimed::Cause(cause), span);
    }
}

impl Notation for Plies {
    fn name(&self) -> &'static str {
        "plies"
    }

    fn about(&self) -> &'static str {
        "moves alone, one a line"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn sniff(&self, head: &str) -> u8 {
        let mut lines = super::lines(head)
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let first = lines.next().unwrap_or_default();
        let is_alone = first.split_whitespace().nth(1).is_none_or(|place| place == ".");
        // The second one tells a place by a side, which no row of a drawing does.
        let has_side = |line: &str| {
            line.split(' ').nth(1).is_some_and(|place| place.contains(['/', '\\', '-']))
        };
        let is_list = move_string::reads_all(first)
            && is_alone
            && lines.next().is_some_and(|line| move_string::reads_all(line) && has_side(line));
        if is_list { 60 } else { 0 }
    }

    fn separator(&self) -> &'static str {
        "\n"
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        // A line that is not blank after one that is.
        let mut end = bytes.len();
        let mut cut = None;
        for start in line_starts_from_end(bytes).chain([0]) {
            let is_blank = bytes[start..end].trim_ascii().is_empty();
            if is_blank && cut.is_some() {
                return cut;
            }
            cut = (!is_blank).then_some(start);
            end = start;
        }
        None
    }

    fn read<'s>(&self, source: &'s Source) -> Records<'s> {
        Box::new(games(source.text()).map(|(at, text)| record(text, at)))
    }

    fn has_fan_pieces(&self) -> bool {
        true
    }

    fn holds(&self) -> &'static [Part] {
        &[Part::Comments, Part::Orientation]
    }

    fn write(&self, game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
        if game.turns().is_empty() {
            writeln!(out, "{NO_PLIES}")?;
        }
        write_comments(game, 0, out)?;
        move_string::each(game, style.reference, Some(&game.numbering()), |number, text| {
            writeln!(out, "{text}")?;
            write_comments(game, number, out)
        })?;
        Ok(Part::lost(game, self.holds(), &[(Part::Comments, changes_comments(game))]))
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}
