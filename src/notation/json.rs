//! What the notations have in common that are JSON.
use super::{move_string, offset_in};
use crate::{
    finding::{self, Finding},
    parse::Expected,
    record::Record,
};
use serde_json::value::RawValue;
use std::{collections::BTreeMap, ops::Range};

/// The values of an object, each as it stands in the source.
pub(super) type Object<'s> = BTreeMap<String, &'s RawValue>;

/// Reads the documents of a text one after the other; what is no JSON ends them with a finding.
pub(super) fn documents(text: &str) -> impl Iterator<Item = Result<&RawValue, Finding>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return None;
        }
        let start = offset_in(text, rest);
        let mut documents = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let read = documents.next()?;
        let end = documents.byte_offset();
        match read {
            Ok(document) => {
                rest = &rest[end..];
                Some(Ok(document))
            }
            Err(error) => {
                let message = error.to_string();
                let message = message.split(" at line ").next().unwrap_or_default().to_owned();
                let before = rest.lines().take(error.line().saturating_sub(1));
                let lines: usize = before.map(|line| line.len() + 1).sum();
                let mut at = (start + lines + error.column().saturating_sub(1)).min(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                // What is cut off can look as if it went on in the documents after it, so the next one is the first that
                // begins a line.
                let mut ends = text[start..].match_indices('\n').map(|(end, _)| start + end + 1);
                let next = ends.find(|&next| text[next..].starts_with(['{', '[']));
                rest = &text[next.unwrap_or(text.len())..];
                Some(Err(Finding::new(&finding::SYNTAX, at..text.len(), message)))
            }
        }
    })
}

/// Where a file of documents can be cut: before a line that begins one, after a line that ends one. Within a document
/// there would be a comma between them.
pub(super) fn last_cut(bytes: &[u8]) -> Option<usize> {
    super::line_starts_from_end(bytes).find(|&start| {
        let first = bytes[start..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        matches!(first, Some(b'{' | b'['))
            && matches!(bytes[..start].trim_ascii_end().last(), Some(b'}' | b']'))
    })
}

/// The values of an object.
pub(super) fn object(raw: &RawValue) -> Option<Object<'_>> {
    serde_json::from_str(raw.get()).ok()
}

/// The values of an array.
pub(super) fn array(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw.get()).ok()
}

/// A text.
pub(super) fn text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// A number without a fraction, also where it stands in quotation marks.
pub(super) fn number(raw: &RawValue) -> Option<i64> {
    raw.get().trim_matches('"').parse().ok()
}

/// A value within objects, by the names that lead to it.
pub(super) fn within<'s>(object: &Object<'s>, names: &[&str]) -> Option<&'s RawValue> {
    let (first, rest) = names.split_first()?;
    let value = *object.get(*first)?;
    match rest {
        [] => Some(value),
        rest => within(&self::object(value)?, rest),
    }
}

/// Where a value stands in the text that it was read from.
pub(super) fn span(source: &str, raw: &RawValue) -> Range<usize> {
    let start = offset_in(source, raw.get());
    start..start + raw.get().len()
}

/// Reads a move that a value tells, which stands somewhere in the source.
///
/// # Errors
///
/// Fails where it is no move.
pub(super) fn read_move(
    text: &str,
    span: Range<usize>,
    record: &mut Record,
) -> Result<(), Finding> {
    let ply = record.plies.len() + 1;
    let (plies, findings) = (&mut record.plies, &mut record.findings);
    let known = findings.len();
    move_string::read_ply(text, span.start, None, plies, findings).map_err(|error| {
        let message = format!("expected {}", Expected::of(error).what);
        Finding::new(&finding::SYNTAX, span.clone(), message).at_ply(ply)
    })?;
    // The value can have escapes, so a place within it is none within the source.
    plies.iter_mut().skip(ply - 1).for_each(|ply| ply.span = span.clone());
    findings.iter_mut().skip(known).for_each(|finding| finding.span = span.clone());
    Ok(())
}
