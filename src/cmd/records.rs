//! Games on standard output, and positions: as they stand in their files, or games in another notation.
use super::{Verdict, content::Content, games::Candidate, words::count};
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
    /// Games that have no text, with the reason: the first ones.
    refused: Vec<String>,
    /// How many there are.
    left_out: usize,
}

/// How many games that are left out are told one by one.
const MOST_TOLD: usize = 100;

impl Records {
    /// Games in a notation; as they stand, if none is named.
    pub(super) fn to(to: Option<&'static dyn Notation>) -> Records {
        Records {
            to,
            accepted: None,
            is_empty: true,
            lost: BTreeMap::new(),
            refused: Vec::new(),
            left_out: 0,
        }
    }

    /// Writes the text of a game or position, which stands among `own`, behind the others. One without a text is left out,
    /// and told in the end.
    ///
    /// # Errors
    ///
    /// Fails where records as they stand are of several notations, or of one that is more than its games, and where the
    /// output cannot be written.
    pub(super) fn write(
        &mut self,
        text: &Text,
        own: Content,
        address: impl FnOnce() -> String,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match self.accept(text, own, address)? {
            Some(text) => self.put(text, out),
            None => Ok(()),
        }
    }

    /// Takes the text of a game that will be written later, or elsewhere, and counts what is lost in it; nothing, if it has
    /// no text.
    ///
    /// # Errors
    ///
    /// Fails as [`Records::write`], but for the output.
    pub(super) fn accept<'t>(
        &mut self,
        text: &'t Text,
        own: Content,
        address: impl FnOnce() -> String,
    ) -> io::Result<Option<&'t [u8]>> {
        let Written { text, lost } = match text {
            Ok(written) => written,
            Err(why) => {
                self.left_out += 1;
                if self.refused.len() < MOST_TOLD {
                    self.refused.push(format!("{}: {why}", address()));
                }
                return Ok(None);
            }
        };
        for &part in lost {
            *self.lost.entry(part).or_default() += 1;
        }
        let content = self.to.map_or(own, Content::Games);
        let accepted = *self.accepted.get_or_insert(content);
        let (one, other) = (accepted.name(), content.name());
        if one != other {
            let message =
                format!("games are in {one} and in {other}: name one notation for all with --to");
            return Err(io::Error::other(message));
        }
        if self.to.is_none() && !content.can_rewrite() {
            let message =
                format!("{one} is more than its games: name a notation for them with --to");
            return Err(io::Error::other(message));
        }
        Ok(Some(text))
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

    /// Tells which games were left out, and, if it is not to be quiet, what of the others the notation could not say; how
    /// it went.
    pub(super) fn tell(&self, quiet: bool, err: &mut dyn Write) -> io::Result<Verdict> {
        for told in &self.refused {
            writeln!(err, "left out {told}")?;
        }
        match self.left_out - self.refused.len() {
            0 => {}
            more => writeln!(err, "left out {more} more")?,
        }
        if let Some(to) = self.to.filter(|_| !quiet) {
            for (part, games) in &self.lost {
                writeln!(
                    err,
                    "lost in {}: {part} of {}",
                    to.name(),
                    count(*games, "game", "games")
                )?;
            }
        }
        Ok(if self.left_out > 0 { Verdict::Findings } else { Verdict::Clean })
    }
}
