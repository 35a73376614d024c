use crate::{finding::Finding, source::Source};
use serde::Serialize;
use std::fmt;

/// A finding with its place in its file.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) finding: Finding,
    /// The number of the game in its piece of the file, from 1.
    game: Option<usize>,
    line: usize,
    column: usize,
    /// What stands there.
    quote: String,
}

/// A finding as it is reported, in text as `FILE:LINE:COLUMN: SEVERITY[CODE] game N, ply N: MESSAGE`.
#[derive(Debug, Serialize)]
pub(super) struct Reported<'a> {
    code: &'static str,
    severity: &'static str,
    file: &'a str,
    /// The number of the game in its file, from 1.
    game: Option<usize>,
    ply: Option<usize>,
    line: usize,
    column: usize,
    message: String,
}

impl Placed {
    /// A finding about a game of a source, or about the whole source.
    pub(super) fn new(source: &Source, game: Option<usize>, finding: Finding) -> Placed {
        let place = source.place(finding.span.start);
        let quote = source.quote(finding.span.clone());
        Placed { finding, game, line: place.line, column: place.column, quote }
    }

    /// The same for a file of which `games` games stand before the piece.
    pub(super) fn reported<'a>(&self, file: &'a str, games: usize) -> Reported<'a> {
        let message = &self.finding.message;
        Reported {
            code: self.finding.code,
            severity: self.finding.severity.name(),
            file,
            game: self.game.map(|game| game + games),
            ply: self.finding.ply,
            line: self.line,
            column: self.column,
            message: match self.quote.as_str() {
                "" => message.clone(),
                quote => format!("`{quote}`: {message}"),
            },
        }
    }
}

impl fmt::Display for Reported<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reported { code, severity, file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {severity}[{code}]")?;
        match (self.game, self.ply) {
            (Some(game), Some(ply)) => write!(f, " game {game}, ply {ply}: {message}"),
            (Some(game), None) => write!(f, " game {game}: {message}"),
            (None, _) => write!(f, " {message}"),
        }
    }
}
