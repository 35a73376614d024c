//! A named text, and the line and column of each of its bytes.
use std::{borrow::Cow, sync::OnceLock};

/// A text with the name that findings give it.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    was_repaired: bool,
    /// Where each line begins; found out when a place is first asked for.
    lines: OnceLock<Vec<usize>>,
}

/// Where a byte stands, as a person counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Source {
    /// Wraps a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), was_repaired: false, lines: OnceLock::new() }
    }

    /// Reads bytes as UTF-8, or, where they are not, as Latin-1, which names every byte. A byte order
    /// mark is dropped.
    pub fn decode(name: impl Into<String>, bytes: Vec<u8>) -> Source {
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                if text.starts_with('\u{feff}') {
                    text.drain(..'\u{feff}'.len_utf8());
                }
                Source::new(name, text)
            }
            Err(error) => {
                let text: String = error.as_bytes().iter().map(|&byte| char::from(byte)).collect();
                Source { was_repaired: true, ..Source::new(name, text) }
            }
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the bytes were no UTF-8 and had to be read as Latin-1.
    pub fn was_repaired(&self) -> bool {
        self.was_repaired
    }

    /// The place of the byte at `offset`.
    pub fn place(&self, offset: usize) -> LineColumn {
        let lines = self.lines.get_or_init(|| {
            let ends = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(ends).collect()
        });
        let line = lines.partition_point(|&start| start <= offset);
        let before = &self.text.as_bytes()[lines[line - 1]..offset.min(self.text.len())];
        // Bytes that begin a character: all but those of the form 10xxxxxx.
        let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        LineColumn { line, column }
    }

    /// A piece of the text as a message quotes it: one line, and not too long.
    pub fn quote(&self, span: std::ops::Range<usize>) -> Cow<'_, str> {
        const LONGEST: usize = 40;
        let text = self.text.get(span).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default().trim();
        match line.char_indices().nth(LONGEST) {
            None => Cow::Borrowed(line),
            Some((end, _)) => Cow::Owned(format!("{}...", &line[..end])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new("x", "one\nzwölf X\n");
        let offset = source.text().find('X').unwrap();
        assert_eq!(source.place(offset), LineColumn { line: 2, column: 7 });
        assert_eq!(source.place(0), LineColumn { line: 1, column: 1 });
        assert_eq!(source.place(source.text().len()), LineColumn { line: 3, column: 1 });
    }

    #[test]
    fn bytes_that_are_no_utf8_are_read_as_latin_1() {
        let source = Source::decode("x", b"J\xFCrgen".to_vec());
        assert_eq!((source.text(), source.was_repaired()), ("Jürgen", true));
        let source = Source::decode("x", b"\xEF\xBB\xBFwA1".to_vec());
        assert_eq!((source.text(), source.was_repaired()), ("wA1", false));
    }
}
