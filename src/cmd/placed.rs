use crate::{
    explain::Explanation,
    finding::Finding,
    source::{Source, harmless},
};
use serde::Serialize;
use std::{fmt, ops::Range};

/// A finding with its place in its file.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) finding: Finding,
    /// The number of the game in its piece of the file, from 1.
    game: Option<usize>,
    line: usize,
    column: usize,
    /// Where what it is about ends: the line and the column of the next character.
    end: (usize, usize),
    /// What stands there.
    quote: String,
    excerpt: Option<Excerpt>,
    explanation: Explanation,
}

/// The line of a finding, or what is near it if that is long.
#[derive(Clone, Debug)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The bytes of the text that the finding is about.
    pub(super) span: Range<usize>,
    /// The column of the text where the finding begins, from 1: another one than in the file if the text begins later.
    pub(super) column: usize,
}

/// A finding as it is reported, in text as `FILE:LINE:COLUMN: SEVERITY[CODE] game N, ply N: MESSAGE`.
#[derive(Debug, Serialize)]
pub(super) struct Reported<'a> {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) file: &'a str,
    /// The number of the game in its file, from 1.
    pub(super) game: Option<usize>,
    pub(super) ply: Option<usize>,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    pub(super) message: String,
    /// What stands against a turn, in sentences.
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) notes: &'a [String],
    /// The table before it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) drawing: &'a str,
    /// What was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) guess: Option<Guessed<'a>>,
    /// What is wrong, without what stands there.
    #[serde(skip)]
    pub(super) sentence: &'a str,
    #[serde(skip)]
    pub(super) excerpt: Option<&'a Excerpt>,
}

/// A guess as it is reported.
#[derive(Debug, Serialize)]
pub(super) struct Guessed<'a> {
    /// What is wrong, in words.
    pub(super) slip: &'static str,
    pub(super) turn: Option<&'a str>,
    /// How many plies after it are legal then.
    pub(super) legal_plies_after: usize,
    /// The guess in a sentence.
    pub(super) sentence: String,
}

fn is_empty(notes: &&[String]) -> bool {
    notes.is_empty()
}

/// How much of what a finding is about is underlined, in characters.
const LONGEST: usize = 60;

/// How long a line is that is shown as a whole, and what is shown of a longer one, in characters.
const WIDTH: usize = 96;

/// How much of a longer one is shown before the finding.
const BEFORE: usize = 45;

/// What stands for the rest of a line.
const REST: &str = "...";

impl Placed {
    /// A finding about a game of a source, or about the whole source.
    pub(super) fn new(source: &Source, game: Option<usize>, finding: Finding) -> Placed {
        let place = source.place(finding.span.start);
        let quote = source.quote(finding.span.clone());
        let end = (place.line, place.column + quote.chars().count());
        let (line, column) = (place.line, place.column);
        let explanation = Explanation::default();
        Placed { finding, game, line, column, end, quote, excerpt: None, explanation }
    }

    /// The same with its end and its line.
    pub(super) fn with_excerpt(mut self, source: &Source) -> Placed {
        let span = self.finding.span.clone();
        let end = source.place(span.end.min(source.text().len()));
        self.end = (end.line, end.column).max((self.line, self.column));
        self.excerpt = Some(Excerpt::of(source, span));
        self
    }

    /// The same with what else there is to say.
    pub(super) fn explained(self, explanation: Explanation) -> Placed {
        Placed { explanation, ..self }
    }

    /// The same for a file of which `games` games stand before the piece.
    pub(super) fn reported<'a>(&'a self, file: &'a str, games: usize) -> Reported<'a> {
        let message = &self.finding.message;
        Reported {
            code: self.finding.code,
            severity: self.finding.severity.name(),
            file,
            game: self.game.map(|game| game + games),
            ply: self.finding.ply,
            line: self.line,
            column: self.column,
            end_line: self.end.0,
            end_column: self.end.1,
            message: match self.quote.as_str() {
                "" => message.clone(),
                quote => format!("`{quote}`: {message}"),
            },
            notes: &self.explanation.notes,
            drawing: &self.explanation.drawing,
            guess: self.explanation.guess.as_ref().map(|guess| Guessed {
                slip: guess.slip.words(),
                turn: guess.turn.as_deref(),
                legal_plies_after: guess.follow,
                sentence: guess.to_string(),
            }),
            sentence: message,
            excerpt: self.excerpt.as_ref(),
        }
    }
}

impl Excerpt {
    /// Looks only at what is near the finding, since a line can be the whole file.
    fn of(source: &Source, span: Range<usize>) -> Excerpt {
        let text = source.text();
        let is_end = |c: &char| matches!(c, '\n' | '\r');
        let before: Vec<char> =
            text[..span.start].chars().rev().take_while(|c| !is_end(c)).take(WIDTH + 1).collect();
        let own = text[span.clone()].chars().take_while(|c| !is_end(c)).count().min(LONGEST);
        let after: Vec<char> =
            text[span.start..].chars().take_while(|c| !is_end(c)).take(WIDTH + 1).collect();
        let is_whole = before.len() + after.len() <= WIDTH;
        let shown = if is_whole { before.len() } else { before.len().min(BEFORE) };
        let mut excerpt = String::new();
        if shown < before.len() {
            excerpt.push_str(REST);
        }
        excerpt.extend(before[..shown].iter().rev().map(|&c| visible(c)));
        let column = excerpt.chars().count() + 1;
        let start = excerpt.len();
        let length = after.len().min(WIDTH - shown);
        excerpt.extend(after[..own.min(length)].iter().map(|&c| visible(c)));
        let end = excerpt.len();
        excerpt.extend(after[own.min(length)..length].iter().map(|&c| visible(c)));
        if length < after.len() {
            excerpt.push_str(REST);
        }
        Excerpt { text: excerpt, span: start..end, column }
    }
}

/// A character as it is shown above a caret, which counts columns.
fn visible(c: char) -> char {
    if c == '\t' { ' ' } else { harmless(c) }
}

impl Reported<'_> {
    /// The name of the file, without what would steer a terminal.
    pub(super) fn shown_file(&self) -> String {
        self.file.chars().map(harmless).collect()
    }

    /// The game and the ply in words; empty if it is about none.
    pub(super) fn place_in_game(&self) -> String {
        match (self.game, self.ply) {
            (Some(game), Some(ply)) => format!("game {game}, ply {ply}"),
            (Some(game), None) => format!("game {game}"),
            (None, _) => String::new(),
        }
    }
}

impl fmt::Display for Reported<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reported { code, severity, line, column, message, .. } = self;
        write!(f, "{}:{line}:{column}: {severity}[{code}]", self.shown_file())?;
        match self.place_in_game().as_str() {
            "" => write!(f, " {message}"),
            place => write!(f, " {place}: {message}"),
        }
    }
}
