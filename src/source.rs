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
    /// Where the first line begins that was no UTF-8, and the encoding in which it was read.
    repaired: Option<(usize, &'static str)>,
    /// How many lines of the file stand before the text.
    lines_before: usize,
    /// How many bytes of the file stand before the text; less than none, where the text begins with a copy of the head.
    bytes_before: isize,
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

/// The text of bytes that are no UTF-8, where it was first repaired, and the encoding that was taken there.
fn repaired(bytes: &[u8]) -> (String, (usize, &'static str)) {
    let utf16 = |from: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            bytes[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
        (String::from_utf16_lossy(&units), (0, "UTF-16"))
    };
    match bytes {
        [0xFF, 0xFE, ..] => return utf16(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => return utf16(u16::from_be_bytes),
        _ => {}
    }
    let mut text = String::with_capacity(bytes.len());
    let mut first = None;
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    // Concatenated archives mix encodings, so each record is looked at for itself, and only its lines that need it.
    for record in lines.chunk_by(|_, next| !begins_record(next)) {
        let encoding = encoding::guess(record.iter().filter(|line| str::from_utf8(line).is_err()));
        for line in record {
            if let Ok(line) = str::from_utf8(line) {
                text.push_str(line.trim_start_matches(BYTE_ORDER_MARK));
            } else {
                first.get_or_insert((text.len(), encoding::name(encoding)));
                text.push_str(&encoding::decode(encoding, line));
            }
        }
    }
    (text, first.unwrap_or((0, "UTF-8")))
}

/// Whether a line looks as if a record began there, in any notation: a tree, a first tag, or a line for itself.
fn begins_record(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    [&b"(;"[..], b"[GameType", b"[Event", b"Base", b"{"].iter().any(|start| line.starts_with(start))
}

/// What the encoding of lines is that are no UTF-8: guessed by their letters.
#[cfg(feature = "encodings")]
mod encoding {
    use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
    use encoding_rs::Encoding;

    pub(super) fn guess<'l>(lines: impl Iterator<Item = &'l &'l [u8]>) -> &'static Encoding {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        for line in lines {
            detector.feed(line, false);
        }
        detector.guess(None, Utf8Detection::Deny)
    }

    pub(super) fn name(encoding: &'static Encoding) -> &'static str {
        encoding.name()
    }

    pub(super) fn decode(encoding: &'static Encoding, line: &[u8]) -> String {
        encoding.decode_without_bom_handling(line).0.into_owned()
    }
}

/// Latin-1, which names every byte.
#[cfg(not(feature = "encodings"))]
mod encoding {
    #[derive(Clone, Copy)]
    pub(super) struct Latin1;

    pub(super) fn guess<'l>(_: impl Iterator<Item = &'l &'l [u8]>) -> Latin1 {
        Latin1
    }

    pub(super) fn name(_: Latin1) -> &'static str {
        "Latin-1"
    }

    pub(super) fn decode(_: Latin1, line: &[u8]) -> String {
        line.iter().map(|&byte| char::from(byte)).collect()
    }
}

impl Source {
    /// Wraps a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
            repaired: None,
            lines_before: 0,
            bytes_before: 0,
            lines: OnceCell::new(),
            last_place: Cell::new((0, LineColumn { line: 0, column: 0 })),
        }
    }

    /// Reads bytes as UTF-8; of lines that are none the encoding is guessed, for each record by itself (without the
    /// feature `encodings` it is Latin-1), and a text that begins with the mark of UTF-16 is read as that. Byte order
    /// marks are dropped.
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

    /// Where the first line begins that was no UTF-8, if there is one, and the encoding in which it was read.
    pub fn repaired(&self) -> Option<(usize, &'static str)> {
        self.repaired
    }

    /// The same text as a part of a file, which begins there on this line, counted from 1.
    #[must_use]
    pub fn from_line(self, line: usize) -> Source {
        Source { lines_before: line - 1, ..self }
    }

    /// The same text as a part of a file, where so many bytes stand before it.
    #[must_use]
    pub fn from_byte(self, bytes_before: isize) -> Source {
        Source { bytes_before, ..self }
    }

    /// Where in the file the byte at `offset` is, counted from 0: exact, where all text before it is UTF-8.
    pub fn byte(&self, offset: usize) -> usize {
        offset.saturating_add_signed(self.bytes_before)
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
        let mut quote: String = line.chars().take(LONGEST).map(harmless).collect();
        if line.chars().nth(LONGEST).is_some() {
            quote.push_str("...");
        }
        quote
    }
}

/// A character, or a sign for one that would steer a terminal: controls, and those that turn the direction of writing.
pub(crate) fn harmless(c: char) -> char {
    let turns =
        matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    if c.is_control() || turns { char::REPLACEMENT_CHARACTER } else { c }
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

    /// How the name of the encoding of Western Europe is spelled.
    const LATIN: &str = if cfg!(feature = "encodings") { "windows-1252" } else { "Latin-1" };

    /// Two records in two encodings of one byte a letter.
    #[cfg(feature = "encodings")]
    #[test]
    fn each_record_has_an_encoding_of_its_own() {
        let mut bytes = b"(;GM[27]\nRE[Jos\xE9 y Mu\xF1oz]\n)\n".to_vec();
        // "The game was won by Ivan" in Russian, in the encoding of Windows.
        bytes.extend(
            b"(;GM[27]\nRE[\xC8\xE3\xF0\xF3 \xE2\xFB\xE8\xE3\xF0\xE0\xEB \xC8\xE2\xE0\xED]\n)\n",
        );
        let source = Source::decode("mixed", bytes);
        assert!(source.text().contains("RE[José y Muñoz]"), "{}", source.text());
        assert!(source.text().contains("RE[Игру выиграл Иван]"), "{}", source.text());
        assert_eq!(source.repaired(), Some(("(;GM[27]\n".len(), LATIN)));
    }

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
        assert_eq!((source.text(), source.repaired()), ("Jürgen", Some((0, LATIN))));
        let source = Source::decode("x", "zwölf\nJ".bytes().chain(*b"\xFCrgen").collect());
        assert_eq!(source.text(), "zwölf\nJürgen", "each line for itself");
        assert_eq!(source.repaired(), Some(("zwölf\n".len(), LATIN)));
        let source = Source::decode("x", b"\xFF\xFEw\0A\0".to_vec());
        assert_eq!((source.text(), source.repaired()), ("wA", Some((0, "UTF-16"))));
        let source = Source::decode("x", b"\xEF\xBB\xBFwA1".to_vec());
        assert_eq!((source.text(), source.repaired()), ("wA1", None));
    }
}
