use super::{Reported, Writer};
use std::io::{self, Write};

pub(super) struct Ndjson;

impl Writer for Ndjson {
    fn finding(&mut self, finding: &Reported<'_>, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, finding)?;
        writeln!(out)
    }
}
