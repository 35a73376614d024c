//! What every nom parser of this crate shares: its error, and the link to its grammar.
use nom::{
    IResult,
    error::{ContextError, ErrorKind, ParseError},
};

/// The name of a grammar's production, and whether its parser takes a whole text.
pub type Production = (&'static str, fn(&str) -> bool);

/// What a parser of `T` gives.
pub type Parsed<'s, T> = IResult<&'s str, T, Expected<'s>>;

/// Where reading stopped, and what would have let it go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected<'s> {
    /// What was left to read.
    pub rest: &'s str,
    /// A noun phrase, such as "the name of a piece".
    pub what: &'static str,
}

impl<'s> Expected<'s> {
    /// The error of a parser that stopped before `rest`, for a caller that does not go on.
    #[expect(clippy::needless_pass_by_value, reason = "the caller is done with it")]
    pub fn of(error: nom::Err<Expected<'s>>) -> Expected<'s> {
        match error {
            nom::Err::Error(expected) | nom::Err::Failure(expected) => expected,
            nom::Err::Incomplete(_) => Expected { rest: "", what: "more text" },
        }
    }
}

impl<'s> ParseError<&'s str> for Expected<'s> {
    fn from_error_kind(rest: &'s str, kind: ErrorKind) -> Self {
        let what = if kind == ErrorKind::Eof { "the end" } else { "something else" };
        Expected { rest, what }
    }

    fn append(_: &'s str, _: ErrorKind, inner: Self) -> Self {
        inner
    }

    /// Of two branches that failed, the one that came further knows better.
    fn or(self, other: Self) -> Self {
        if other.rest.len() < self.rest.len() { other } else { self }
    }
}

impl<'s> ContextError<&'s str> for Expected<'s> {
    fn add_context(start: &'s str, what: &'static str, inner: Self) -> Self {
        if inner.rest.len() == start.len() { Expected { rest: start, what } } else { inner }
    }
}

/// Makes a list of [`Production`]s from names and parsers.
macro_rules! productions {
    ($($name:literal = $parser:expr),* $(,)?) => {
        &[$(($name, |s| nom::Parser::parse(&mut nom::combinator::all_consuming($parser), s).is_ok())),*]
    };
}
pub(crate) use productions;
