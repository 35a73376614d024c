//! What a stream holds: games in a notation, or positions in a form.
use super::{args::From, chunks::Chunks};
use crate::{
    notation::Notation,
    position::{self, Form, ReadError},
    rules::{Options, Position},
    source::Source,
};
use std::{
    io::{self, Read},
    ops::Range,
};

#[derive(Clone, Copy)]
pub(super) enum Content {
    Games(&'static dyn Notation),
    Positions(&'static dyn Form),
}

/// A position where it stands in a source.
pub(super) struct Found {
    pub(super) span: Range<usize>,
    pub(super) position: Result<Position, ReadError>,
}

impl Content {
    /// What a stream begins with; nothing if it looks like neither.
    ///
    /// # Errors
    ///
    /// Passes on the error of the reader.
    pub(super) fn of(from: &From, chunks: &mut Chunks<impl Read>) -> io::Result<Option<Content>> {
        loop {
            let head = chunks.head();
            let form = form_of(from, &head).map(Content::Positions);
            let content = form.or_else(|| from.notation_of(&head).map(Content::Games));
            // What is looked for can stand behind blanks and remarks.
            if content.is_some() || !chunks.says_nothing() || !chunks.lengthen_head()? {
                return Ok(content);
            }
        }
    }

    /// How many bytes of the beginning every piece of the stream needs before it.
    pub(super) fn head(self, bytes: &[u8]) -> usize {
        match self {
            Content::Games(notation) => notation.head(bytes),
            Content::Positions(_) => 0,
        }
    }

    /// What follows the full stop in the names of its files.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Content::Games(notation) => notation.extension(),
            Content::Positions(_) => "txt",
        }
    }

    /// What stands before the first record of a file.
    pub(super) fn prologue(self) -> &'static str {
        match self {
            Content::Games(notation) => notation.prologue(),
            Content::Positions(_) => "",
        }
    }

    /// What stands between two records.
    pub(super) fn separator(self) -> &'static str {
        match self {
            Content::Games(notation) => notation.separator(),
            Content::Positions(form) => form.separator(),
        }
    }

    /// Whether records make a file of the same kind.
    pub(super) fn can_rewrite(self) -> bool {
        match self {
            Content::Games(notation) => notation.can_rewrite(),
            Content::Positions(_) => true,
        }
    }

    /// The name of the notation or form.
    pub(super) fn name(self) -> &'static str {
        match self {
            Content::Games(notation) => notation.name(),
            Content::Positions(form) => form.name(),
        }
    }

    /// The last place where the bytes can be cut without dividing a game or a position.
    pub(super) fn last_cut(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Content::Games(notation) => notation.last_cut(bytes),
            Content::Positions(form) => form.last_cut(bytes),
        }
    }
}

/// The form of positions that a text is in, if it is in any: a drawing can look like other texts.
fn form_of(from: &From, head: &Source) -> Option<&'static dyn Form> {
    let form = position::detect(head.text()).filter(|_| from.is_auto())?;
    // The first line of a drawing looks like that of a table.
    let is_other = |notation: &dyn Notation| notation.name() != "table";
    let is_certain = form.name() != "ascii" || !from.notation(head.text()).is_some_and(is_other);
    is_certain.then_some(form)
}

/// The positions of a source, in their order.
pub(super) fn positions<'s>(
    source: &'s Source,
    form: &'static dyn Form,
    options: Options,
) -> impl Iterator<Item = Found> + 's {
    form.split(source.text()).into_iter().map(move |text| {
        let start = text.as_ptr().addr() - source.text().as_ptr().addr();
        Found { span: start..start + text.len(), position: form.read(text, options) }
    })
}
