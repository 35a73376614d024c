//! From a text to a question.
use super::{Likeness, Number, Query, QueryError, Relation, State, Text};
use crate::{
    game::Game,
    parse::{Expected, Parsed, Production, productions},
    record::Cause,
    rules::{Bug, Color, GameType, Piece},
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while1},
    character::complete::{char, digit1, satisfy},
    combinator::{all_consuming, cut, map, map_opt, not, opt, peek, recognize, value},
    error::context,
    multi::many0,
    sequence::{delimited, pair, preceded, terminated},
};
use regex::Regex;

/// How deep brackets can be nested.
const DEEPEST: usize = 100;

/// Reads a question.
pub(super) fn read(text: &str) -> Result<Query, QueryError> {
    // Every blank is as good as another one.
    let spaced = text.replace(['\n', '\r', '\t'], " ");
    let whole = delimited(blanks, query, blanks);
    let read = all_consuming(whole).parse(spaced.as_str()).map_err(|error| {
        let Expected { rest, what } = Expected::of(error);
        let expected = if what == "the end" { "`and`, `or` or the end" } else { what };
        QueryError { at: spaced.len() - rest.len(), expected: expected.to_owned() }
    });
    let (_, read) = read?;
    checked(read).map_err(|(literal, expected)| {
        let at = spaced.find(&literal).unwrap_or(0);
        QueryError { at: spaced[..at].chars().count(), expected }
    })
}

/// The same question, if all texts in it are such as can be: else the one that is not, and what was expected.
fn checked(query: Query) -> Result<Query, (String, String)> {
    let all = |all: Vec<Query>| all.into_iter().map(checked).collect::<Result<Vec<_>, _>>();
    Ok(match query {
        Query::Or(some) => Query::Or(all(some)?),
        Query::And(some) => Query::And(all(some)?),
        Query::Not(one) => Query::Not(Box::new(checked(*one)?)),
        Query::Match(text, Likeness::Relation(relation, literal)) => {
            let likeness = checked_relation(&text, relation, literal)?;
            Query::Match(text, likeness)
        }
        Query::Match(text, Likeness::Pattern(pattern)) => match Regex::new(&pattern) {
            Ok(expression) => Query::Match(text, Likeness::Fits(expression)),
            Err(_) => return Err((pattern, "a regular expression".to_owned())),
        },
        other @ (Query::Match(..) | Query::Is(_) | Query::Compare(..)) => other,
    })
}

/// The words for why games ended, and that for a cause that is not known.
pub fn cause_words() -> impl Iterator<Item = &'static str> {
    Cause::ALL.iter().map(|cause| cause.word()).chain(["unknown"])
}

fn checked_relation(
    text: &Text,
    relation: Relation,
    literal: String,
) -> Result<Likeness, (String, String)> {
    let known: Vec<String> = match text {
        Text::Date => {
            let date = literal.parse().map_err(|expected| (literal, expected))?;
            return Ok(Likeness::Date(relation, date));
        }
        Text::Result => Game::RESULTS.map(str::to_owned).to_vec(),
        Text::Cause => cause_words().map(str::to_owned).collect(),
        // Letters in any case name an official type.
        Text::Type if literal.parse::<GameType>().is_err() => {
            GameType::official().map(|game_type| game_type.to_string()).collect()
        }
        Text::Type | Text::Player(_) | Text::AnyPlayer | Text::Opening | Text::Tag(_) => Vec::new(),
    };
    if known.is_empty() || known.iter().any(|known| known.eq_ignore_ascii_case(&literal)) {
        return Ok(Likeness::Relation(relation, literal.to_lowercase()));
    }
    Err((literal, format!("one of {}", known.join(", "))))
}

/// `blanks`
fn blanks(s: &str) -> Parsed<'_, &str> {
    take_while(|c| c == ' ').parse(s)
}

/// At least one blank.
fn space(s: &str) -> Parsed<'_, &str> {
    context("a blank, and another question", take_while1(|c| c == ' ')).parse(s)
}

/// A word that is no part of a longer one.
fn keyword<'s>(name: &'static str) -> impl Parser<&'s str, Output = &'s str, Error = Expected<'s>> {
    let part = satisfy(|c: char| c.is_ascii_alphanumeric() || c == '_');
    terminated(tag(name), not(peek(part)))
}

/// `query`
fn query(s: &str) -> Parsed<'_, Query> {
    within(s, DEEPEST)
}

/// One thing, or several with a word between.
fn joined<'s>(
    s: &'s str,
    joint: &'static str,
    part: impl Fn(&'s str) -> Parsed<'s, Query> + Copy,
    join: fn(Vec<Query>) -> Query,
) -> Parsed<'s, Query> {
    let others = many0(preceded((space, keyword(joint), cut(space)), cut(part)));
    let (s, (first, mut others)) = pair(part, others).parse(s)?;
    if others.is_empty() {
        return Ok((s, first));
    }
    others.insert(0, first);
    Ok((s, join(others)))
}

fn within(s: &str, depth: usize) -> Parsed<'_, Query> {
    let one = move |s| one_of(s, depth);
    joined(s, "or", move |s| joined(s, "and", one, Query::And), Query::Or)
}

fn one_of(s: &str, depth: usize) -> Parsed<'_, Query> {
    if depth == 0 {
        let what = "brackets that are not nested as deep";
        return Err(nom::Err::Failure(Expected { rest: s, what }));
    }
    let inner = cut(|s| within(s, depth - 1));
    let close = cut(context("`)`", preceded(blanks, char(')'))));
    let bracket =
        || delimited((char('('), blanks), |s| within(s, depth - 1), preceded(blanks, char(')')));
    let negated = alt((
        preceded((keyword("not"), space), |s| one_of(s, depth - 1)),
        preceded(keyword("not"), bracket()),
    ));
    let what = "a question, such as `plies > 40`, `pinned(bQ)` or `white ~ \"Ada\"`";
    context(
        what,
        alt((
            map(negated, |query| Query::Not(Box::new(query))),
            delimited((char('('), blanks), inner, close),
            map(state, Query::Is),
            comparison,
            likeness,
        )),
    )
    .parse(s)
}

/// `comparison`
fn comparison(s: &str) -> Parsed<'_, Query> {
    let relation = cut(context("`==`, `!=`, `<`, `<=`, `>` or `>=`", relation));
    let (s, left) = number(s)?;
    let (s, relation) = delimited(blanks, relation, blanks).parse(s)?;
    let right = alt((map(integer, Number::Literal), number));
    let (s, right) = cut(context("a number", right)).parse(s)?;
    Ok((s, Query::Compare(left, relation, right)))
}

/// `integer`
fn integer(s: &str) -> Parsed<'_, i64> {
    let digits = recognize(pair(opt(char('-')), digit1));
    context("a number", map_opt(digits, |digits: &str| digits.parse().ok())).parse(s)
}

/// `relation`
fn relation(s: &str) -> Parsed<'_, Relation> {
    alt((
        value(Relation::Equal, tag("==")),
        value(Relation::Unequal, tag("!=")),
        value(Relation::AtMost, tag("<=")),
        value(Relation::AtLeast, tag(">=")),
        value(Relation::Less, char('<')),
        value(Relation::More, char('>')),
    ))
    .parse(s)
}

/// `likeness`
fn likeness(s: &str) -> Parsed<'_, Query> {
    let (s, text) = text(s)?;
    let fits = preceded((tag("=~"), blanks), cut(literal));
    let contains = preceded((char('~'), blanks), cut(literal));
    let is = pair(terminated(relation, blanks), cut(literal));
    let likeness = alt((
        map(fits, Likeness::Pattern),
        map(contains, |part: String| Likeness::Contains(part.to_lowercase())),
        map(is, |(relation, whole)| Likeness::Relation(relation, whole)),
    ));
    let likeness = preceded(blanks, cut(context("`==`, `!=`, `~`, `=~` or an order", likeness)));
    map(likeness, |likeness| Query::Match(text.clone(), likeness)).parse(s)
}

/// `literal`
fn literal(s: &str) -> Parsed<'_, String> {
    let quoted = |quote| {
        let end = cut(context("the end of the text in quotation marks", char(quote)));
        delimited(char(quote), take_while(move |c| c != quote), end)
    };
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_' | '.');
    let text = alt((quoted('"'), quoted('\''), take_while1(part)));
    context("a text", map(text, str::to_owned)).parse(s)
}

/// What stands in brackets after a name.
fn of<'s, T>(
    name: &'static str,
    inner: impl Parser<&'s str, Output = T, Error = Expected<'s>>,
) -> impl Parser<&'s str, Output = T, Error = Expected<'s>> {
    let open = cut(context("`(`", char('(')));
    let close = cut(context("`)`", char(')')));
    preceded(keyword(name), delimited((open, blanks), cut(inner), (blanks, close)))
}

/// `state`
fn state(s: &str) -> Parsed<'_, State> {
    let comma = (blanks, context("`,`", char(',')), blanks);
    let pieces = pair(terminated(piece, comma), piece);
    let is = (blanks, cut(context("`==`", tag("=="))), blanks);
    let to_move = preceded((keyword("to_move"), is), cut(side));
    alt((
        map(of("pinned", piece), State::Pinned),
        map(of("covered", piece), State::Covered),
        map(of("face_down", piece), State::FaceDown),
        map(of("removed", piece), State::Removed),
        map(of("resting", piece), State::Resting),
        map(of("placed", piece), State::Placed),
        map(of("beside", pieces), |(one, other)| State::Beside(one, other)),
        map(to_move, State::ToMove),
        value(State::Over, keyword("over")),
    ))
    .parse(s)
}

/// `number`
fn number(s: &str) -> Parsed<'_, Number> {
    let moves = map(of("moves", opt(piece)), |piece| piece.map_or(Number::Moves, Number::MovesOf));
    alt((
        value(Number::Plies, keyword("plies")),
        value(Number::Ply, keyword("ply")),
        value(Number::Turn, keyword("turn")),
        moves,
        map(of("around", piece), Number::Around),
        map(of("onhand", kind), |(color, bug)| Number::OnHand(color, bug)),
        map(of("ontable", kind), |(color, bug)| Number::OnTable(color, bug)),
        map(of("height", piece), Number::Height),
        map(of("rating", side), Number::Rating),
        value(Number::RatingGap, keyword("rating_gap")),
    ))
    .parse(s)
}

/// `text`
fn text(s: &str) -> Parsed<'_, Text> {
    alt((
        value(Text::Player(Color::White), keyword("white")),
        value(Text::Player(Color::Black), keyword("black")),
        value(Text::AnyPlayer, keyword("player")),
        value(Text::Result, keyword("result")),
        value(Text::Cause, keyword("cause")),
        value(Text::Type, keyword("type")),
        value(Text::Opening, keyword("opening")),
        value(Text::Date, keyword("date")),
        map(of("tag", literal), Text::Tag),
    ))
    .parse(s)
}

/// `side`
fn side(s: &str) -> Parsed<'_, Color> {
    let side = alt((value(Color::White, keyword("white")), value(Color::Black, keyword("black"))));
    context("`white` or `black`", side).parse(s)
}

/// `piece`
fn piece(s: &str) -> Parsed<'_, Piece> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric());
    let piece = map_opt(name, |name: &str| name.parse().ok());
    context("the name of a piece, such as `wA1` or `bQ`", piece).parse(s)
}

/// `kind`: a colour, and perhaps a bug.
fn kind(s: &str) -> Parsed<'_, (Color, Option<Bug>)> {
    let color = alt((value(Color::White, char('w')), value(Color::Black, char('b'))));
    let small = take_while(|c: char| c.is_ascii_lowercase());
    let code = recognize(pair(satisfy(|c| c.is_ascii_uppercase()), small));
    let bug = opt(map_opt(code, Bug::from_code));
    context("a side or a kind, such as `w` or `wA`", pair(color, bug)).parse(s)
}

/// The productions of `grammar/query.ebnf`, leaves first, each with its parser.
pub const PRODUCTIONS: &[Production] = productions! {
    "blanks" = blanks, "side" = side, "piece" = piece, "kind" = kind, "integer" = integer,
    "literal" = literal, "relation" = relation, "state" = state, "number" = number, "text" = text,
    "comparison" = comparison, "likeness" = likeness, "query" = query,
};
