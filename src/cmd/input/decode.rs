//! Texts in other encodings than UTF-8, made UTF-8 while they are read.
use std::io::{self, Read};

/// In which encoding texts are.
#[derive(clap::Args, Clone, Debug, Default)]
pub(in crate::cmd) struct Encoding {
    /// The encoding of all texts, such as `iso-8859-1`; without it they are UTF-8, or UTF-16 where they begin with its
    /// mark, and of what is neither the encoding is guessed
    #[cfg(feature = "encodings")]
    #[arg(long, value_name = "NAME", value_parser = named)]
    encoding: Option<&'static encoding_rs::Encoding>,
}

/// The encoding with a name of the Encoding Standard.
#[cfg(feature = "encodings")]
fn named(name: &str) -> Result<&'static encoding_rs::Encoding, String> {
    encoding_rs::Encoding::for_label(name.as_bytes())
        .ok_or_else(|| "it is no encoding of the Encoding Standard".to_owned())
}

/// Reads a stream as UTF-8, as far as can be told before its text is seen.
#[cfg(feature = "encodings")]
pub(super) fn decoded<T>(
    reader: &mut dyn Read,
    encoding: &Encoding,
    with: impl FnOnce(&mut dyn Read) -> T,
) -> io::Result<T> {
    let mut head = Vec::new();
    Read::take(&mut *reader, 2).read_to_end(&mut head)?;
    let is_utf16 = matches!(head[..], [0xFF, 0xFE] | [0xFE, 0xFF]);
    let mut whole = io::Cursor::new(head).chain(reader);
    if !is_utf16 && encoding.encoding.is_none() {
        return Ok(with(&mut whole));
    }
    let mut decoder = encoding_rs_io::DecodeReaderBytesBuilder::new();
    Ok(with(&mut decoder.encoding(encoding.encoding).build(whole)))
}

#[cfg(not(feature = "encodings"))]
#[expect(clippy::unnecessary_wraps, reason = "as with the feature")]
pub(super) fn decoded<T>(
    reader: &mut dyn Read,
    _: &Encoding,
    with: impl FnOnce(&mut dyn Read) -> T,
) -> io::Result<T> {
    Ok(with(reader))
}
