use super::{Reported, Writer};
use std::io::{self, Write};

/// Commands of GitHub's workflows: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.
pub(super) struct Github;

impl Writer for Github {
    fn finding(&mut self, finding: &Reported<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Reported { severity, code, line, column, end_line, end_column, .. } = finding;
        let level = if *severity == "note" { "notice" } else { severity };
        let file = escaped(&finding.shown_file()).replace(':', "%3A").replace(',', "%2C");
        write!(out, "::{level} file={file},line={line},endLine={end_line}")?;
        // Columns make sense within a line alone.
        if line == end_line {
            write!(out, ",col={column},endColumn={end_column}")?;
        }
        let place = finding.place_in_game();
        let colon = if place.is_empty() { "" } else { ": " };
        writeln!(out, ",title={code}::{place}{colon}{}", escaped(&finding.message))
    }
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
