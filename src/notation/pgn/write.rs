//! PGN as four programs write it.
use crate::{
    date::date_of_text,
    game::Game,
    notation::{Dialect, Part, Style, move_string},
    record::{Cause, Tag},
    rules::Outcome,
};
use std::io::{self, Write};

/// The tags that every file has, in their order.
const ROSTER: [&str; 8] =
    ["GameType", "Date", "Event", "Site", "Round", "White", "Black", "Result"];

/// Those of hivegame.com.
const HIVEGAME: [&str; 6] = ["GameType", "Date", "Site", "White", "Black", "Result"];

/// What Mzinga takes over from BoardSpace.
const FROM_SGF: [&str; 3] = ["SgfDate", "SgfGameName", "SgfResult"];

impl Dialect {
    /// The tags that every file has, in their order.
    fn roster(self) -> &'static [&'static str] {
        match self {
            Dialect::Hivegame => &HIVEGAME,
            Dialect::Hivekit | Dialect::Mzinga | Dialect::Iongier => &ROSTER,
        }
    }

    /// Whether a tag that not every file has is written.
    fn writes(self, name: &str) -> bool {
        match self {
            Dialect::Hivekit => !name.is_empty() && name.chars().all(super::is_in_tag_name),
            Dialect::Mzinga => FROM_SGF.contains(&name),
            Dialect::Iongier | Dialect::Hivegame => false,
        }
    }

    /// The value of a tag that every file has.
    fn value(self, game: &Game, name: &str) -> String {
        let tag = |name| game.tag(name).unwrap_or_default().to_owned();
        match name {
            "GameType" => game.game_type().to_string(),
            "Result" => self.result(game),
            // This program takes the date of the player's clock, the others that of the server's.
            "Date" if self == Dialect::Mzinga => {
                game.tag("SgfDate").and_then(date_of_text).unwrap_or_else(|| tag("Date"))
            }
            "Site" if self == Dialect::Iongier && game.tag("SgfGameName").is_some() => {
                "boardspace.net".to_owned()
            }
            name => tag(name),
        }
    }

    /// Whether a tag is left out, or gets another value.
    fn changes(self, game: &Game, tag: &Tag) -> bool {
        let (name, value) = (tag.name.as_str(), tag.value.as_str());
        let written = if self.roster().contains(&name) {
            self.value(game, name)
        } else if self.writes(name) {
            value.to_owned()
        } else {
            return true;
        };
        one_line(&written) != value
    }

    /// The value of the tag `Result`.
    fn result(self, game: &Game) -> String {
        match (self, game.outcome()) {
            (Dialect::Iongier, Some(Outcome::WhiteWins)) => "1-0".to_owned(),
            (Dialect::Iongier, Some(Outcome::BlackWins)) => "0-1".to_owned(),
            (Dialect::Iongier, Some(Outcome::Draw)) => "1/2-1/2".to_owned(),
            (Dialect::Iongier, None) => "error parsing result".to_owned(),
            (Dialect::Hivegame, None) if game.cause() == Some(Cause::Adjudication) => {
                "Adjudicated".to_owned()
            }
            _ => game.state(),
        }
    }

    fn holds(self) -> &'static [Part] {
        match self {
            Dialect::Hivekit => &[
                Part::Rules,
                Part::Tags,
                Part::Comments,
                Part::Cause,
                Part::Outcome,
                Part::Expansions,
                Part::Orientation,
            ],
            Dialect::Mzinga => {
                &[Part::Tags, Part::Comments, Part::Outcome, Part::Expansions, Part::Orientation]
            }
            Dialect::Iongier | Dialect::Hivegame => {
                &[Part::Tags, Part::Outcome, Part::Expansions, Part::Orientation]
            }
        }
    }
}

/// Writes a game, and names what it could not say.
pub(super) fn write(game: &Game, style: Style, out: &mut dyn Write) -> io::Result<Vec<Part>> {
    let dialect = style.dialect;
    write_tags(game, dialect, out)?;
    let has_comments = dialect.holds().contains(&Part::Comments);
    let comments: Vec<_> = game.comments().filter(|_| has_comments).collect();
    if !game.turns().is_empty() || !comments.is_empty() {
        writeln!(out)?;
    }
    write_moves(game, style, &comments, out)?;
    if let Some(outcome) = game.outcome().filter(|_| dialect != Dialect::Iongier) {
        writeln!(out, "\n{outcome}")?;
    }
    let also = [
        (Part::Tags, game.tags().iter().any(|tag| dialect.changes(game, tag))),
        (Part::Comments, has_comments && changes_comments(game)),
    ];
    Ok(Part::lost(game, dialect.holds(), &also))
}

fn write_tags(game: &Game, dialect: Dialect, out: &mut dyn Write) -> io::Result<()> {
    for name in dialect.roster() {
        writeln!(out, "[{name} \"{}\"]", one_line(&dialect.value(game, name)))?;
    }
    let more = game
        .tags()
        .iter()
        .filter(|tag| !dialect.roster().contains(&tag.name.as_str()) && dialect.writes(&tag.name));
    for tag in more {
        writeln!(out, "[{} \"{}\"]", tag.name, one_line(&tag.value))?;
    }
    if dialect == Dialect::Hivekit
        && let Some(cause) = game.cause().filter(|&cause| cause != Cause::Board)
    {
        writeln!(out, "[Termination \"{}\"]", cause.word())?;
    }
    Ok(())
}

fn write_moves(
    game: &Game,
    style: Style,
    comments: &[(usize, &str)],
    out: &mut dyn Write,
) -> io::Result<()> {
    let numbering = game.numbering();
    let mut comments = comments.iter().peekable();
    let mut comment_after = |plies: usize, out: &mut dyn Write| {
        while let Some((_, text)) = comments.next_if(|(after, _)| *after <= plies) {
            writeln!(out, "{{{}}}", within_braces(text))?;
        }
        io::Result::Ok(())
    };
    comment_after(0, out)?;
    move_string::each(game, style.reference, Some(&numbering), |number, text| {
        let text = text.to_string();
        // The site sets a blank before the place, and where there is none, too.
        let blank =
            if style.dialect == Dialect::Hivegame && !text.contains(' ') { " " } else { "" };
        writeln!(out, "{number}. {text}{blank}")?;
        comment_after(number, out)
    })
}

/// Whether a comment would end early, or lose blanks at its ends.
pub(in crate::notation) fn changes_comments(game: &Game) -> bool {
    game.comments().any(|(_, text)| within_braces(text) != text || text.trim() != text)
}

/// A comment without what would end it: a brace, or a line that looks like a tag.
pub(in crate::notation) fn within_braces(text: &str) -> String {
    let text = text.replace('}', ")");
    let looks_like_tag = |line: &str| line.trim_start().starts_with('[');
    if text.lines().skip(1).any(looks_like_tag) { one_line(&text) } else { text }
}

/// A value that fits into a line.
fn one_line(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}
