//! A file in pieces, each of whole games or positions: so that a file of any size is read with little memory.
use super::content::Content;
use crate::source::Source;
use std::io::{self, Read};

/// How many bytes a piece has, if games end in time.
const SIZE: usize = 128 * 1024;

/// What some programs write before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How far the beginning of a game is looked for.
const LONGEST_HEAD: usize = 16 * 1024 * 1024;

/// The pieces of a file.
pub(super) struct Chunks<R> {
    name: String,
    reader: R,
    /// What was read and not handed out.
    buffer: Vec<u8>,
    /// The line on which `buffer` begins, from 1.
    line: usize,
    /// How many bytes stand before `buffer`.
    offset: usize,
    /// What every piece needs before it, once it is known.
    head: Option<Vec<u8>>,
    is_at_end: bool,
}

impl<R: Read> Chunks<R> {
    /// Begins to read.
    ///
    /// # Errors
    ///
    /// Passes on the error of the reader.
    pub(super) fn open(name: String, reader: R) -> io::Result<Chunks<R>> {
        let mut chunks = Chunks {
            name,
            reader,
            buffer: Vec::new(),
            line: 1,
            offset: 0,
            head: None,
            is_at_end: false,
        };
        chunks.fill(SIZE)?;
        Ok(chunks)
    }

    /// The beginning of the file, to guess its notation by.
    pub(super) fn head(&self) -> Source {
        Source::decode(self.name.clone(), self.buffer.clone())
    }

    /// Whether there are only blanks and remarks in the lines of the head that are whole.
    pub(super) fn says_nothing(&self) -> bool {
        let end = self.buffer.iter().rposition(|&byte| byte == b'\n').filter(|_| !self.is_at_end);
        let mut lines =
            self.buffer[..end.unwrap_or(self.buffer.len())].split(|&byte| byte == b'\n');
        lines.all(|line| {
            let line = line.trim_ascii_start();
            line.is_empty() || line.starts_with(b"#")
        })
    }

    /// Reads on, so that [`Chunks::head`] has twice as much; `false` where there is no more, or where it would be
    /// too much to look for the beginning of a game in.
    ///
    /// # Errors
    ///
    /// Passes on the error of the reader.
    pub(super) fn lengthen_head(&mut self) -> io::Result<bool> {
        let is_possible = !self.is_at_end && self.buffer.len() < LONGEST_HEAD;
        if is_possible {
            self.fill(self.buffer.len() * 2)?;
        }
        Ok(is_possible)
    }

    /// The next piece.
    ///
    /// # Errors
    ///
    /// Passes on the error of the reader.
    pub(super) fn next(&mut self, content: Content) -> io::Result<Option<Source>> {
        let is_first = self.head.is_none();
        let head = self.buffer[..content.head(&self.buffer)].to_vec();
        self.head.get_or_insert(head);
        let mut wanted = SIZE;
        loop {
            self.fill(wanted)?;
            if self.is_at_end {
                let rest = std::mem::take(&mut self.buffer);
                return Ok((!rest.is_empty()).then(|| self.piece(rest, is_first)));
            }
            // UTF-16 has other bytes than those that end a game.
            let is_bytewise = !matches!(self.buffer[..], [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
            let cut = if is_bytewise { content.last_cut(&self.buffer) } else { None };
            if let Some(cut) = cut.filter(|&cut| cut > 0) {
                let after = self.buffer.split_off(cut);
                let piece = std::mem::replace(&mut self.buffer, after);
                return Ok(Some(self.piece(piece, is_first)));
            }
            wanted = self.buffer.len() * 2;
        }
    }

    /// Reads until there are as many bytes, or no more.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if !self.is_at_end && self.buffer.len() < wanted {
            let missing = (wanted - self.buffer.len()) as u64;
            let read = self.reader.by_ref().take(missing).read_to_end(&mut self.buffer)?;
            self.is_at_end = (read as u64) < missing;
        }
        Ok(())
    }

    fn piece(&mut self, mut bytes: Vec<u8>, is_first: bool) -> Source {
        let (mut lines, mut copied) = (0, 0);
        // A byte order mark is dropped.
        let mark = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let offset = self.offset + mark;
        self.offset += bytes.len();
        if let Some(head) = self.head.as_ref().filter(|head| !is_first && !head.is_empty()) {
            lines = head.split(|&byte| byte == b'\n').count() - 1;
            bytes.splice(..0, head.iter().copied());
            copied = head.len();
        }
        let before = offset.cast_signed() - copied.cast_signed();
        let source = Source::decode(self.name.clone(), bytes);
        let source = source.from_line(self.line - lines).from_byte(before);
        self.line += source.line_count() - 1 - lines;
        source
    }
}
