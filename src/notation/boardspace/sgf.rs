//! Smart Game Format as BoardSpace writes it: trees of nodes, nodes of properties with one value each.
use crate::{
    parse::{Expected, Parsed},
    record::Variation,
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_until, take_while, take_while_m_n, take_while1},
    character::complete::{char, multispace0, one_of, space0},
    combinator::{cut, map, map_opt, opt, peek, recognize, verify},
    error::context,
    multi::many0,
    sequence::{delimited, pair, preceded, terminated},
};

/// A name and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Property<'s> {
    pub(super) name: &'s str,
    /// As written, with its escapes.
    pub(super) value: &'s str,
}

/// The properties of a node.
pub(super) type Node<'s> = Vec<Property<'s>>;

/// The main line of a tree: its nodes and those of its first branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree<'s> {
    pub(super) nodes: Vec<Node<'s>>,
    /// The other branches, each with the number of nodes before it; those that branch off last come first.
    pub(super) branches: Vec<(usize, Tree<'s>)>,
}

/// The properties of the first node of a tree that begins with `bytes`, as written, or as much of them as is there.
pub(super) fn first_node(bytes: &[u8]) -> Option<&[u8]> {
    /// How far the properties before the moves reach.
    const HEAD: usize = 4096;
    let node = bytes.strip_prefix(b"(")?.trim_ascii_start().strip_prefix(b";")?;
    let node = &node[..node.len().min(HEAD)];
    let mut is_value = false;
    let mut is_escaped = false;
    for (at, byte) in node.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'[' => is_value = true,
            b']' => is_value = false,
            b';' | b'(' | b')' if !is_value => return Some(&node[..at]),
            _ => {}
        }
    }
    Some(node)
}

/// `name`
pub(super) fn name(s: &str) -> Parsed<'_, &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    context("the name of a property", take_while1(is_part)).parse(s)
}

/// `plain-value`: a backslash escapes the character after it.
pub(super) fn plain_value(s: &str) -> Parsed<'_, &str> {
    let (inner, _) = char('[').parse(s)?;
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => return Ok((&inner[at + 1..], &inner[..at])),
            _ => {}
        }
    }
    Err(nom::Err::Failure(Expected { rest: inner, what: "a value that ends with `]`" }))
}

/// How many characters the name of a player has at most, if it is not escaped.
const LONGEST_NAME: usize = 1024;

/// `player-value`: the name of a player, which is not escaped and may hold a bracket.
pub(super) fn player_value(s: &str) -> Parsed<'_, &str> {
    let start = (char('['), space0, tag("id"), space0, char('"'));
    let (inner, start) = recognize(start).parse(s)?;
    // What ends the name is near: to look for the end of the line first could mean to look far.
    let is_within_line = |name: &&str| !name.contains(['\n', '\r']);
    let end = inner.char_indices().nth(LONGEST_NAME).map_or(inner.len(), |(at, _)| at);
    let near = &inner[..end];
    let (_, name) = verify(take_until("\"]"), is_within_line).parse(near)?;
    let rest = &inner[name.len()..];
    Ok((&rest[2..], &s[1..=start.len() + name.len()]))
}

/// `property`
pub(super) fn property(s: &str) -> Parsed<'_, Property<'_>> {
    let (s, name) = terminated(name, multispace0).parse(s)?;
    let (s, value) = context("`[`", cut(alt((player_value, plain_value)))).parse(s)?;
    Ok((s, Property { name, value }))
}

/// `node`
pub(super) fn node(s: &str) -> Parsed<'_, Node<'_>> {
    let blanks_and_property = preceded(multispace0, property);
    preceded(char(';'), many0(blanks_and_property)).parse(s)
}

/// `tree`
pub(super) fn tree(s: &str) -> Parsed<'_, Tree<'_>> {
    tree_within(s, Variation::DEEPEST)
}

/// A tree in which others may stand to a certain depth.
fn tree_within(s: &str, depth: usize) -> Parsed<'_, Tree<'_>> {
    if depth == 0 && s.starts_with('(') {
        let what = "variations that are not nested as deep";
        return Err(nom::Err::Failure(Expected { rest: s, what }));
    }
    let nodes = many0(preceded(multispace0, node));
    let first_node = preceded(multispace0, peek(context("`;`", char(';'))));
    let branches = many0(preceded(multispace0, |s| tree_within(s, depth.saturating_sub(1))));
    let close = preceded(multispace0, context("`;`, `)` or a property", cut(char(')'))));
    map(delimited(char('('), (first_node, nodes, branches), close), |(_, mut nodes, branches)| {
        let before = nodes.len();
        let mut branches = branches.into_iter();
        let Tree { nodes: rest, branches: mut others } = branches.next().unwrap_or_default();
        nodes.extend(rest);
        others.iter_mut().for_each(|(at, _)| *at += before);
        others.extend(branches.rev().map(|branch| (before, branch)));
        Tree { nodes, branches: others }
    })
    .parse(s)
}

/// `event`: the number of a move node, its verb, and its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event<'s> {
    pub(super) verb: &'s str,
    pub(super) words: Vec<&'s str>,
}

/// `event`
pub(super) fn event(s: &str) -> Parsed<'_, Event<'_>> {
    let blank = |c: char| c == ' ';
    let word = || take_while1(|c: char| !matches!(c, ' ' | '[' | ';' | '\n' | '\r'));
    let number = context("the number of the event", take_while1(|c: char| c.is_ascii_digit()));
    let verb = context("a verb", word());
    let words = many0(preceded(take_while1(blank), word()));
    map(
        (take_while(blank), number, take_while1(blank), verb, words, opt(take_while1(blank))),
        |(_, _, _, verb, words, _)| Event { verb, words },
    )
    .parse(s)
}

/// `column`: a letter, or a number and a letter for columns beyond either end of the alphabet: `1A` is
/// the one left of `A`, `1Z` the one right of `Z`.
pub(super) fn column(s: &str) -> Parsed<'_, i32> {
    let digits = take_while_m_n(0, 3, |c: char| c.is_ascii_digit());
    let letter = one_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    let (rest, (digits, letter)) =
        context("a column, such as `N`", pair(digits, letter)).parse(s)?;
    let column = letter as i32 - 'A' as i32;
    match (digits.parse::<i32>(), letter) {
        (Err(_), _) => Ok((rest, column)),
        (Ok(beyond), 'A') => Ok((rest, -beyond)),
        (Ok(beyond), 'Z') => Ok((rest, column + beyond)),
        _ => Err(nom::Err::Error(Expected { rest: s, what: "a column, such as `N`" })),
    }
}

/// `row`
pub(super) fn row(s: &str) -> Parsed<'_, i32> {
    let digits = take_while_m_n(1, 3, |c: char| c.is_ascii_digit());
    let number = map_opt(recognize(pair(opt(one_of("+-")), digits)), |row: &str| row.parse().ok());
    context("a row, such as `13`", number).parse(s)
}

/// A value without its escapes.
pub(super) fn unescaped(value: &str) -> String {
    let mut chars = value.chars();
    let mut out = String::with_capacity(value.len());
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
    }
    out
}
