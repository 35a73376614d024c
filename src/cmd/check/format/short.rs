use super::{Reported, Writer};
use std::io::{self, Write};

pub(super) struct Short;

impl Writer for Short {
    fn finding(&mut self, finding: &Reported<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Reported { file, line, column, code, message, .. } = finding;
        write!(out, "{file}:{line}:{column}: {code}: ")?;
        match finding.place_in_game().as_str() {
            "" => writeln!(out, "{message}"),
            place => writeln!(out, "{place}: {message}"),
        }
    }
}
