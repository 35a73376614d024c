//! Games on standard output, and positions: as they stand in their files, or games in another notation.
use super::{content::Content, games::Candidate};
use crate::{
    game::Game,
    notation::{self, Notation, Part, Style},
};
use clap::builder::PossibleValuesParser;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// The text of a game, or why there is none in the notation that is named.
pub(super) type Text = Result<Written, String>;

/// The text of a game, and what of it the notation cannot say.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    text: Vec<u8>,
    lost: Vec<Part>,
}

/// In which notation games are written.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct To {
    /// Write the games in this notation
    #[arg(long, value_name = "NOTATION", value_parser = PossibleValuesParser::new(notation::names()))]
    to: Option<String>,
}

impl To {
    /// Whether a notation is named.
    pub(super) fn is_named(&self) -> bool {
        self.to.is_some()
    }

    pub(super) fn notation(&self) -> Option<&'static dyn Notation> {
        self.to.as_deref().and_then(notation::named)
    }

    /// The text of a game.
    ///
    /// # Errors
    ///
    /// Fails where the notation that is named has no words for the game.
    pub(super) fn text(&self, candidate: &Candidate<'_>) -> Text {
        match candidate.game {
            Some(game) if self.is_named() => self.written(game),
            None if self.is_named() => {
                Err("a position has no turns to write: print it with --form".to_owned())
            }
            _ => Ok(Written::as_it_stands(candidate)),
        }
    }

    /// The text of a game in the notation that is named; nothing if none is.
    ///
    /// # Errors
    ///
    /// Fails where the notation has no words for the game.
    pub(super) fn written(&self, game: &Game) -> Text {
        self.notation().map_or(Ok(Written::default()), |to| Written::in_notation(game, to))
    }

    /// What writes the texts of games one after the other.
    pub(super) fn records(&self) -> Records {
        Records::to(self.notation())
    }
}

impl Written {
    /// The game as it stands.
    pub(super) fn as_it_stands(candidate: &Candidate<'_>) -> Written {
        let text = [candidate.text(), "\n"].concat().into_bytes();
        Written { text, lost: Vec::new() }
    }

    /// The text of a game in a notation.
    ///
    /// # Errors
    ///
    /// Fails where the notation has no words for the game.
    pub(super) fn in_notation(game: &Game, to: &dyn Notation) -> Text {
        let mut text = Vec::new();
        if let Some(why) = to.why_not(game) {
            return Err(why);
        }
        let Ok(lost) = to.write(game, Style::default(), &mut text) else {
            unreachable!("memory takes whatever is written")
        };
        Ok(Written { text, lost })
    }
}

/// Writes games one after the other.
pub(super) struct Records {
    to: Option<&'static dyn Notation>,
    /// What was accepted.
    accepted: Option<Content>,
    /// Whether nothing was written.
    is_empty: bool,
    /// Of how many games something was lost.
    lost: BTreeMap<Part, usize>,
}

impl Records {
    /// Games in a notation; as they stand, if none is named.
    pub(super) fn to(to: Option<&'static dyn Notation>) -> Records {
        Records { to, accepted: None, is_empty: true, lost: BTreeMap::new() }
    }

    /// Writes the text of a game or position, which stands among `own`, behind the others.
    ///
    /// # Errors
    ///
    /// Fails where records as they stand are of several notations, or of one that is more than its games, where one has no
    /// text, and where the output cannot be written.
    pub(super) fn write(
        &mut self,
        text: &Text,
        own: Content,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let text = self.accept(text, own)?;
        self.put(text, out)
    }

    /// Takes the text of a game that will be written later, or elsewhere, and counts what is lost in it.
    ///
    /// # Errors
    ///
    /// Fails as [`Records::write`], but for the output.
    pub(super) fn accept<'t>(&mut self, text: &'t Text, own: Content) -> io::Result<&'t [u8]> {
        let Written { text, lost } = text.as_ref().map_err(|why| io::Error::other(why.clone()))?;
        for &part in lost {
            *self.lost.entry(part).or_default() += 1;
        }
        let content = self.to.map_or(own, Content::Games);
        let accepted = *self.accepted.get_or_insert(content);
        let is_possible = self.to.is_some() || content.can_rewrite();
        if accepted.name() != content.name() || !is_possible {
            let message = "the games as they stand make no file: say in which notation, with --to";
            return Err(io::Error::other(message));
        }
        Ok(text)
    }

    /// Writes a text that was accepted behind the others.
    ///
    /// # Errors
    ///
    /// Passes on the error of the output.
    pub(super) fn put(&mut self, text: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let is_first = std::mem::replace(&mut self.is_empty, false);
        out.write_all(self.before(is_first).as_bytes())?;
        out.write_all(text)
    }

    /// What stands before a game of a file: the first one, or another.
    pub(super) fn before(&self, is_first: bool) -> &'static str {
        let content = |content: Content| {
            if is_first { content.prologue() } else { content.separator() }
        };
        self.accepted.map_or("", content)
    }

    /// What follows the full stop in the names of files of such games.
    pub(super) fn extension(&self) -> &'static str {
        self.accepted.map_or("", Content::extension)
    }

    /// Tells what the notation that was named could not say.
    pub(super) fn tell_losses(&self, err: &mut dyn Write) -> io::Result<()> {
        let Some(to) = self.to else { return Ok(()) };
        for (part, games) in &self.lost {
            let games = if *games == 1 { "1 game".to_owned() } else { format!("{games} games") };
            writeln!(err, "lost in {}: {part} of {games}", to.name())?;
        }
        Ok(())
    }
}
