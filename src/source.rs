//! A named text, and the line and column of each of its bytes.
use std::{
    cell::{Cell, OnceCell},
    ops::Range,
};

/// A text with the name that findings give it.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    /// Where the first line begins that was no UTF-8.
    repaired: Option<usize>,
    /// How many lines of the file stand before the text.
    lines_before: usize,
    /// Where each line begins; found out when a place is first asked for.
    lines: OnceCell<Vec<usize>>,
    /// The last place that was asked for, with its offset.
    last_place: Cell<(usize, LineColumn)>,
}

/// Where a byte stands, as a person counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// What some programs write before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of bytes that are no UTF-8, and where it was first repaired.
fn repaired(bytes: &[u8]) -> (String, usize) {
    let utf16 = |from: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            bytes[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
        (String::from_utf16_lossy(&units), 0)
    };
    match bytes {
        [0xFF, 0xFE, ..] => return utf16(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => return utf16(u16::from_be_bytes),
        _ => {}
    }
    let mut text = String::with_capacity(bytes.len());
    let mut first = None;
    // Each line for itself: concatenated archives mix encodings.
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if let Ok(line) = str::from_utf8(line) {
            text.push_str(line.trim_start_matches(BYTE_ORDER_MARK));
        } else {
            first.get_or_insert(text.len());
            text.extend(line.iter().map(|&byte| char::from(byte)));
        }
    }
    (text, first.unwrap_or(0))
}

impl Source {
    /// Wraps a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
            repaired: None,
            lines_before: 0,
            lines: OnceCell::new(),
            last_place: Cell::new((0, LineColumn { line: 0, column: 0 })),
        }
    }

    /// Reads bytes as UTF-8; a line that is none is read as Latin-1, which names every byte, and a text that begins
    /// with the mark of UTF-16 as that. Byte order marks are dropped.
    pub fn decode(name: impl Into<String>, bytes: Vec<u8>) -> Source {
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                // Also in the middle, where files were put together.
                if text.contains(BYTE_ORDER_MARK) {
                    text = text.replace(BYTE_ORDER_MARK, "");
                }
                Source::new(name, text)
            }
            Err(error) => {
                let (text, repaired) = repaired(error.as_bytes());
                Source { repaired: Some(repaired), ..Source::new(name, text) }
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

    /// Where the first line begins that was no UTF-8 and was read as Latin-1, if there is one.
    pub fn repaired(&self) -> Option<usize> {
        self.repaired
    }

    /// The same text as a part of a file, which begins there on this line, counted from 1.
    #[must_use]
    pub fn from_line(self, line: usize) -> Source {
        Source { lines_before: line - 1, ..self }
    }

    /// How many lines the text has, the last one perhaps empty.
    pub fn line_count(&self) -> usize {
        self.lines().len()
    }

    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| line_starts(&self.text))
    }

    /// The place of the byte at `offset`.
    pub fn place(&self, offset: usize) -> LineColumn {
        let lines = self.lines();
        let line = lines.partition_point(|&start| start <= offset);
        // Places are mostly asked for in order, so on a long line counting goes on where it ended.
        let (known, column) = match self.last_place.get() {
            (known, place) if place.line == line && known <= offset => (known, place.column),
            _ => (lines[line - 1], 1),
        };
        let between = &self.text.as_bytes()[known..offset.min(self.text.len())];
        // Bytes that begin a character: all but those of the form 10xxxxxx.
        let column = column + between.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.last_place.set((offset, LineColumn { line, column }));
        LineColumn { line: line + self.lines_before, column }
    }

    /// A piece of the text as a message quotes it: one line, not too long, and without what would
    /// steer a terminal.
    pub fn quote(&self, span: Range<usize>) -> String {
        const LONGEST: usize = 40;
        let text = self.text.get(span).unwrap_or_default();
        let line = text.split(['\n', '\r']).next().unwrap_or_default().trim();
        let mut quote: String = line
            .chars()
            .take(LONGEST)
            .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
            .collect();
        if line.chars().nth(LONGEST).is_some() {
            quote.push_str("...");
        }
        quote
    }
}

/// Where each line begins: after a line feed, or a carriage return without one.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = bytes
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
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
        assert_eq!((source.text(), source.repaired()), ("Jürgen", Some(0)));
        let source = Source::decode("x", "zwölf\nJ".bytes().chain(*b"\xFCrgen").collect());
        assert_eq!(source.text(), "zwölf\nJürgen", "each line for itself");
        assert_eq!(source.repaired(), Some("zwölf\n".len()));
        let source = Source::decode("x", b"\xFF\xFEw\0A\0".to_vec());
        assert_eq!((source.text(), source.repaired()), ("wA", Some(0)));
        let source = Source::decode("x", b"\xEF\xBB\xBFwA1".to_vec());
        assert_eq!((source.text(), source.repaired()), ("wA1", None));
    }
}
