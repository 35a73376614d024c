//! Games as the program of boardspace.net saves them.
use super::{
    lines::{Lines, verb},
    root::{self, OF_GAME, OF_PLAYER},
};
use crate::{
    date::{date_of_name, date_of_text},
    game::Game,
    notation::{Part, Style},
    record::{Aside, Cause, Tag},
    rules::Color,
};
use std::io::{self, Write};

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
    Part::Variations,
];

/// Writes a game, and names what it could not say.
pub(super) fn write(game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
    write_root(game, out)?;
    let mut lines = Lines::new(game, style, out);
    let branches = lines.write_game()?;
    write_times(game, lines.out)?;
    lines.write_branches(None, branches)?;
    let also = [(Part::Variations, lines.is_too_deep), (Part::Clocks, lines.lost_clock)];
    writeln!(out, ")")?;
    Ok(lost(game, also))
}

fn lost(game: &Game, also: [(Part, bool); 2]) -> Vec<Part> {
    let date = game.tag("SgfGameName").and_then(date_of_name);
    let date = date.or_else(|| date_of_text(game.tag("SgfDate").or_else(|| game.tag("Date"))?));
    let is_tag_lost = game.tags().iter().any(|tag| is_changed(tag) || !is_written(&tag.name));
    let is_date_lost = game.tag("Date").is_some_and(|said| date.as_deref() != Some(said));
    // These are told by what a player does at the end.
    let is_end_told =
        matches!(game.cause(), Some(Cause::Resignation | Cause::Agreement | Cause::Time));
    let is_cause_told = match game.cause() {
        None | Some(Cause::Board) => true,
        Some(_) => is_end_told && game.outcome().is_some(),
    };
    let is_outcome_lost = Part::Outcome.is_in(game) && !is_end_told && result(game).is_none();
    let is_control_lost = game.all_remarks().any(|remark| match remark.what {
        Aside::Control(_, control) => verb(control).is_none(),
        Aside::Comment(_) | Aside::Clock(..) => false,
    });
    let is_comment_lost = game.all_remarks().any(|remark| match &remark.what {
        Aside::Comment(text) => is_blank_lost(text),
        Aside::Control(..) | Aside::Clock(..) => false,
    });
    let [variations, clocks] = also;
    let also = [
        (Part::Tags, is_tag_lost || is_date_lost),
        (Part::Cause, !is_cause_told),
        (Part::Outcome, is_outcome_lost),
        (Part::Controls, is_control_lost),
        (Part::Comments, is_comment_lost),
        variations,
        clocks,
    ];
    Part::lost(game, HELD, &also)
}

/// Whether blanks around a text are lost, or it is itself, since it is empty.
fn is_blank_lost(text: &str) -> bool {
    text.is_empty() || text.trim().len() != text.len()
}

/// Whether the value of a tag is changed: names of players are not escaped.
fn is_changed(tag: &Tag) -> bool {
    let is_name = matches!(tag.name.as_str(), "White" | "Black");
    let ends_name = tag.value.contains(['\n', '\r']) || tag.value.contains("\"]");
    is_blank_lost(&tag.value) || is_name && ends_name
}

/// Whether a tag has a place in the file.
fn is_written(name: &str) -> bool {
    let of_player = |color: &str| {
        name.strip_prefix(color).is_some_and(|rest| {
            rest.is_empty() || OF_PLAYER.iter().any(|(known, _)| *known == rest)
        })
    };
    name == "Date"
        || root::other_property(name).is_some()
        || OF_GAME.iter().any(|(known, _)| *known == name)
        || of_player("White")
        || of_player("Black")
}

/// A value with the signs escaped that would end it.
pub(super) fn escaped(text: &str) -> String {
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
    for tag in game.tags() {
        if let Some(property) = root::other_property(&tag.name) {
            writeln!(out, "{property}[{}]", escaped(&tag.value))?;
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

/// Writes the time that the players used.
fn write_times(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let times = Color::BOTH.map(|color| game.tag(&format!("{color}Time")));
    if times.iter().any(Option::is_some) {
        writeln!(out, ";")?;
    }
    for (player, time) in times.into_iter().enumerate() {
        if let Some(time) = time {
            writeln!(out, "P{player}[time {} ]", escaped(time))?;
        }
    }
    Ok(())
}
