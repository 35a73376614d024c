//! Games on standard output: as they stand in their files, or in another notation.
use super::games::Candidate;
use crate::{
    game::Game,
    notation::{self, Notation, Style},
};
use clap::builder::PossibleValuesParser;
use std::io::{self, Write};

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

    fn notation(&self) -> Option<&'static dyn Notation> {
        self.to.as_deref().and_then(notation::named)
    }

    /// The text of a game.
    pub(super) fn text(&self, candidate: &Candidate<'_>) -> Vec<u8> {
        if self.is_named() {
            self.written(candidate.game)
        } else {
            [candidate.text(), "\n"].concat().into_bytes()
        }
    }

    /// The text of a game in the notation that is named; nothing if none is.
    pub(super) fn written(&self, game: &Game) -> Vec<u8> {
        let mut text = Vec::new();
        if let Some(to) = self.notation()
            && to.write(game, Style::default(), &mut text).is_err()
        {
            unreachable!("memory takes whatever is written")
        }
        text
    }

    /// What writes the texts of games one after the other.
    pub(super) fn records(&self) -> Records {
        Records { to: self.notation(), written: None }
    }
}

/// Writes games one after the other.
pub(super) struct Records {
    to: Option<&'static dyn Notation>,
    /// The notation of what was written.
    written: Option<&'static dyn Notation>,
}

impl Records {
    /// Writes the text of a game of a notation behind the others.
    ///
    /// # Errors
    ///
    /// Fails where games as they stand are of several notations, or of one that is more than its games, and where the
    /// output cannot be written.
    pub(super) fn write(
        &mut self,
        text: &[u8],
        own: &'static dyn Notation,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let notation = self.to.unwrap_or(own);
        let is_first = self.written.is_none();
        let written = *self.written.get_or_insert(notation);
        let is_possible = self.to.is_some() || notation.can_rewrite();
        if written.name() != notation.name() || !is_possible {
            let message = "the games as they stand make no file: say in which notation, with --to";
            return Err(io::Error::other(message));
        }
        let before = if is_first { notation.prologue() } else { notation.separator() };
        out.write_all(before.as_bytes())?;
        out.write_all(text)
    }
}
