use super::{Reported, Summary, Writer};
use crate::explain::pages::{Kind, kinds};
use serde_json::{Value, json};
use std::io::{self, Write};

/// A log of SARIF 2.1.0, written as the findings come: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>.
#[derive(Default)]
pub(super) struct Sarif {
    has_findings: bool,
}

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

impl Writer for Sarif {
    fn finding(&mut self, finding: &Reported<'_>, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.has_findings, true) {
            out.write_all(b",\n")?;
        } else {
            begin(out)?;
        }
        Ok(serde_json::to_writer(out, &result(finding))?)
    }

    fn finish(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        if !self.has_findings {
            begin(out)?;
        }
        writeln!(out, "\n]}}]}}")
    }
}

fn begin(out: &mut dyn Write) -> io::Result<()> {
    let driver = json!({
        "name": "hivekit",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": kinds().map(rule).collect::<Vec<_>>(),
    });
    write!(out, "{{\"$schema\": {SCHEMA:?}, \"version\": \"2.1.0\", \"runs\": [{{")?;
    write!(out, "\"tool\": {{\"driver\": {driver}}}, \"columnKind\": \"unicodeCodePoints\", ")?;
    writeln!(out, "\"results\": [")
}

fn rule(Kind { code, about, severity, .. }: Kind) -> Value {
    json!({
        "id": code,
        "shortDescription": {"text": about},
        "defaultConfiguration": {"level": severity.name()},
    })
}

fn result(finding: &Reported<'_>) -> Value {
    let Reported { line, column, end_line, end_column, .. } = finding;
    let mut text = finding.message.clone();
    for note in finding.notes.iter().chain(finding.guess.as_ref().map(|guess| &guess.sentence)) {
        text.push('\n');
        text.push_str(note);
    }
    json!({
        "ruleId": finding.code,
        "level": finding.severity,
        "message": {"text": text},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": uri(finding.file)},
                "region": {
                    "startLine": line,
                    "startColumn": column,
                    "endLine": end_line,
                    "endColumn": end_column,
                },
            },
        }],
        "properties": {"game": finding.game, "ply": finding.ply},
    })
}

/// A path as a relative reference of a URI.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let sign = |byte: u8| match byte {
        b'\\' => "/".to_owned(),
        _ if is_plain(byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(sign).collect()
}
