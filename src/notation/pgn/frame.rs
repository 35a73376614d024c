//! Where a game ends and the next one begins, by the beginnings of lines alone.
//!
//! A game is tags, then moves. So the next one begins with a tag after anything else; with one of the tags that begin
//! a game, or that this game has, after an empty line; or where the numbers of plies begin anew. A line
//! that is all tag begins a game even inside of a comment: there, the comment was never closed.
use super::{Item, is_in_tag_name, ply_number};
use crate::notation::{line_length, line_starts_from_end};
use std::{borrow::Cow, collections::BTreeSet};

/// How many bytes the first game of a text has.
pub(super) fn first_game(text: &str) -> usize {
    first_frame(text, number_of)
}

/// The same if numbers are not looked at, as in the grammar.
pub(super) fn first_game_by_tags(text: &str) -> usize {
    first_frame(text, |_| None)
}

fn first_frame(text: &str, number: impl Fn(&str) -> Option<u32>) -> usize {
    let mut frame = Frame::default();
    let mut start = 0;
    for (line, has_brace) in lines(text) {
        if frame.ends_before(line.trim(), has_brace, &number) {
            return start;
        }
        start += line.len();
    }
    text.len()
}

/// The last place that certainly begins a game: a tag after a move or a result, or ply number 1 after another
/// numbered line and not in a comment.
pub(super) fn last_cut(bytes: &[u8]) -> Option<usize> {
    let mut comments = Comments { bytes, nearest: None };
    line_starts_from_end(bytes).find(|&start| {
        let line = line_at(bytes, start);
        let is_tag = is_whole_tag(&line);
        if !is_tag && (number_of(&line) != Some(1) || comments.are_open_at(start)) {
            return false;
        }
        line_before(bytes, start).is_some_and(|before| {
            number_of(&before).is_some() || is_tag && tag_name(&before).is_none()
        })
    })
}

/// Whether comments are open, at places that are asked for from the end to the beginning.
struct Comments<'b> {
    bytes: &'b [u8],
    /// The nearest brace before the last place, and whether it opens a comment.
    nearest: Option<(usize, bool)>,
}

impl Comments<'_> {
    fn are_open_at(&mut self, place: usize) -> bool {
        // What was found holds for all places behind it, so that no byte is looked at twice.
        let (_, is_open) = match self.nearest {
            Some(nearest) if nearest.0 < place => nearest,
            _ => *self.nearest.insert(self.brace_before(place)),
        };
        is_open
    }

    fn brace_before(&self, mut place: usize) -> (usize, bool) {
        while let Some(at) =
            self.bytes[..place].iter().rposition(|byte| matches!(byte, b'{' | b'}'))
        {
            let start = line_starts_from_end(&self.bytes[..at]).next().unwrap_or(0);
            if tag_name(&line_at(self.bytes, start)).is_none() {
                return (at, self.bytes[at] == b'{');
            }
            // A name may hold any sign.
            place = start;
        }
        (0, false)
    }
}

/// Over how many lines of comments words are looked for.
const MOST_LINES: usize = 100;

/// The nearest words before a line that are not in a comment.
fn line_before(bytes: &[u8], start: usize) -> Option<String> {
    let mut is_in_comment = false;
    for start in line_starts_from_end(&bytes[..start - 1]).chain([0]).take(MOST_LINES) {
        let line = line_at(bytes, start);
        if !is_in_comment && tag_name(&line).is_some() {
            return Some(line.into_owned());
        }
        let mut words = &*line;
        while is_in_comment || words.trim_end().ends_with('}') {
            let open = words.rfind('{');
            is_in_comment = open.is_none();
            words = open.map_or("", |open| words[..open].trim_end());
            if is_in_comment {
                break;
            }
        }
        if !words.is_empty() {
            return Some(words.to_owned());
        }
    }
    None
}

/// The line that begins at a place, without blanks around it.
fn line_at(bytes: &[u8], start: usize) -> Cow<'_, str> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let line = bytes[start..].split(is_end).next().unwrap_or_default();
    // Where files were put together, one can begin in the middle.
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    String::from_utf8_lossy(line.trim_ascii())
}

/// The lines of a text, each with what ends it, and whether it has a brace.
fn lines(mut text: &str) -> impl Iterator<Item = (&str, bool)> {
    std::iter::from_fn(move || {
        let mut has_brace = false;
        let length = line_length(text, |byte| has_brace |= matches!(byte, b'{' | b'}'))?;
        let (line, rest) = text.split_at(length);
        text = rest;
        Some((line, has_brace))
    })
}

/// What the lines of a game have held so far.
#[derive(Default)]
struct Frame<'s> {
    tags: BTreeSet<&'s str>,
    has_other: bool,
    was_empty: bool,
    is_within_comment: bool,
    last_number: Option<u32>,
}

impl<'s> Frame<'s> {
    /// Takes the next line; `true` if it belongs to another game.
    fn ends_before(
        &mut self,
        line: &'s str,
        has_brace: bool,
        number: impl Fn(&str) -> Option<u32>,
    ) -> bool {
        if line.is_empty() {
            self.was_empty = true;
            return false;
        }
        let follows_empty = std::mem::take(&mut self.was_empty);
        if self.is_within_comment && is_whole_tag(line) {
            return true;
        }
        if !has_brace && !self.is_within_comment {
            return self.ends_before_words(line, follows_empty, number);
        }
        let after = self.after_comments(line);
        let ends = !after.is_empty() && self.ends_before_words(after, follows_empty, number);
        // In a tag braces are braces.
        let words = if tag_name(after).is_some() { after.rsplit(']').next() } else { None };
        let words = words.unwrap_or(after);
        self.is_within_comment |= words.rfind('{') > words.rfind('}');
        ends
    }

    /// The same for a line, or what a comment leaves of one, that begins with a word of the game.
    fn ends_before_words(
        &mut self,
        line: &'s str,
        follows_empty: bool,
        number: impl Fn(&str) -> Option<u32>,
    ) -> bool {
        if let Some(name) = tag_name(line) {
            let is_again = self.tags.contains(name);
            let begins_game = follows_empty && (is_again || matches!(name, "GameType" | "Event"));
            let begins_game = begins_game || is_again && name == "GameType";
            let ends = self.has_other || begins_game && !self.tags.is_empty();
            self.tags.insert(name);
            return ends;
        }
        let number = number(line);
        let ends = number == Some(1) && self.last_number.is_some();
        self.last_number = number.or(self.last_number);
        self.has_other = true;
        ends
    }

    /// What follows the comments that a line begins with: they could stand before the tags.
    fn after_comments(&mut self, mut line: &'s str) -> &'s str {
        while self.is_within_comment || line.starts_with('{') {
            let end = line.find('}');
            self.is_within_comment = end.is_none();
            let Some(end) = end else { return "" };
            line = line[end + 1..].trim_start();
        }
        line
    }
}

/// Whether a line is one tag or several, and nothing else.
fn is_whole_tag(line: &str) -> bool {
    tag_name(line).is_some() && line.ends_with(']') && line.contains('"')
}

/// The name of the tag that a line begins with.
fn tag_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('[')?;
    let after = rest.trim_start_matches(is_in_tag_name);
    let name = &rest[..rest.len() - after.len()];
    (!name.is_empty()).then_some(name)
}

/// The number of the ply that a line begins with.
fn number_of(line: &str) -> Option<u32> {
    match ply_number(line) {
        // Chess numbers both plies of a turn alike, the second with more full stops.
        Ok((rest, _)) if line[..line.len() - rest.len()].ends_with("..") => None,
        Ok((_, Item::Number(number))) => u32::try_from(number?).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(mut text: &str) -> Vec<&str> {
        let mut games = Vec::new();
        while !text.is_empty() {
            let (game, rest) = text.split_at(first_game(text));
            games.push(game);
            text = rest;
        }
        games
    }

    #[test]
    fn a_text_is_cut_only_between_games() {
        for (text, cut) in [
            ("[A \"\"]\n1. wS1\n|[A \"\"]\n1. wS", true),
            ("[A \"\"]\n\n1. wS1\n\n|[A \"\"]\n[B \"\"]\n", true),
            ("1. wS1\n2. bS1 wS1-\n|1. wS1\n2. bS1", true),
            ("[A \"\"]\n[B \"\"]\n1. wS1\n", false),
            ("1. wS1\n[A \"\"", false),
            // A comment between them, or at the end of the line before.
            ("1. wS1\n2. bS1 wS1- {good}\n\n|[A \"\"]\n", true),
            ("1. wS1\n2. bS1 wS1-\n{good,\nas I think}\n|[A \"\"]\n", true),
            ("1. wS1\n2. bS1 wS1-\n{good}\n|1. wS1\n", true),
            ("[A \"\"]\n{a\nb}\n[B \"\"]\n", false),
            // Within one, numbers mean nothing; braces in a tag are no comment.
            ("1. wS1 {ideas:\n2. this\n1. that\n", false),
            ("[A \"{\"]\n1. wS1\n2. bS1 wS1-\n|1. wS1\n", true),
            ("1. wS1\r2. bS1 wS1-\r|[A \"\"]\r", true),
        ] {
            let whole = text.replace('|', "");
            assert_eq!(last_cut(whole.as_bytes()), cut.then(|| text.find('|')).flatten(), "{text}");
        }
    }

    #[test]
    fn a_game_ends_where_the_next_one_begins() {
        for text in [
            "[A \"\"]\n1. wS1\n|[A \"\"]\n1. wS1\n",
            "[Event \"\"]\n[B \"\"]\n\n|[GameType \"Base\"]\n",
            "[B \"\"]\n\n[C \"\"]\n\n|[B \"\"]\n",
            "1. wS1\n2. bS1 wS1-\n|1. wS1\n",
            "1. wS1\n{ never closed\n\n|[Event \"\"]\n1. wS1\n",
            "1. wS1\n1-0\nWhiteWins\n|[Event \"\"]\n",
            "[GameType \"\"]\r\n[Event \"\"]\r\n[B \"\"]\r\n\r\n1. wS1\r\n|[Event \"\"]\r\n",
            "{ never closed\n|[Event \"\"]\n1. wS1\n",
            "1. wS1 {note\n2. see below\n1. main idea}\n2. bS1 wS1-\n",
            "{c}\n[B \"\"]\n{d}\n[C \"\"]\n1. wS1 2. bS1 wS1-\n|1. wS1\n|1. wA1\n",
            "[GameType \"\"]\n[White \"a {b\"]\n[Black \"\"]\n\n1. wS1\n",
            "[White \"\"] {a comment\n[that ends} here]\n1. wS1\n",
            "[GameType \"\"]\n[White \"\"]\n|[GameType \"\"]\n1. wS1\n1... bS1 wS1-\n",
        ] {
            let whole = text.replace('|', "");
            assert_eq!(games(&whole), text.split('|').collect::<Vec<_>>(), "{text}");
        }
    }
}
