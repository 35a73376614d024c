use super::{Reported, Writer};
use std::io::{self, Write};

pub(super) struct Short;

impl Writer for Short {
    fn finding(&mut self, finding: &Reported<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Reported { line, column, code, message, .. } = finding;
        write!(out, "{}:{line}:{column}: {code}: ", finding.shown_file())?;
        match finding.place_in_game().as_str() {
            "" => writeln!(out, "{message}"),
            place => writeln!(out, "{place}: {message}"),
        }
    }
}
