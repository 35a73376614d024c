use super::{Reported, Summary, Writer};
use std::io::{self, Write};

/// One document, written as the findings come.
#[derive(Default)]
pub(super) struct Json {
    has_findings: bool,
}

impl Writer for Json {
    fn finding(&mut self, finding: &Reported<'_>, out: &mut dyn Write) -> io::Result<()> {
        let is_first = !std::mem::replace(&mut self.has_findings, true);
        let before = if is_first { "{\"findings\": [\n" } else { ",\n" };
        out.write_all(before.as_bytes())?;
        Ok(serde_json::to_writer(out, finding)?)
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let before = if self.has_findings { "\n" } else { "{\"findings\": [" };
        write!(out, "{before}], \"summary\": ")?;
        serde_json::to_writer(&mut *out, summary)?;
        writeln!(out, "}}")
    }
}
