use super::{Reported, Writer};
use crate::cmd::{args::Color, placed::Excerpt};
use annotate_snippets::{AnnotationKind, Element, Level, Renderer, Snippet};
use std::io::{self, Write};

/// The line with a caret, and below it what else there is to say.
pub(super) struct Text {
    renderer: Renderer,
    is_first: bool,
}

/// How wide a line is at most.
const WIDTH: usize = 100;

impl Text {
    pub(super) fn new(color: Color) -> Text {
        let renderer = if color.is_wanted() { Renderer::styled() } else { Renderer::plain() };
        Text { renderer: renderer.term_width(WIDTH), is_first: true }
    }
}

impl Writer for Text {
    fn finding(&mut self, finding: &Reported<'_>, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_first, false) {
            writeln!(out)?;
        }
        let level = match finding.severity {
            "error" => Level::ERROR,
            "warning" => Level::WARNING,
            _ => Level::NOTE,
        };
        let place = finding.place_in_game();
        let (line, span) = finding.excerpt.map_or((String::new(), 0..0), Excerpt::line);
        let annotation = AnnotationKind::Primary.span(span).label(&place);
        let snippet = Snippet::source(line)
            .path(finding.file)
            .line_start(finding.line)
            .annotation(annotation);
        let title = level.primary_title(finding.sentence).id(finding.code);
        let report = [title.element(snippet).elements(remarks(finding))];
        writeln!(out, "{}", self.renderer.render(&report))
    }
}

/// What stands below the line.
fn remarks<'f>(finding: &'f Reported<'_>) -> Vec<Element<'f>> {
    let mut remarks: Vec<Element<'f>> =
        finding.notes.iter().map(|note| Level::NOTE.message(note).into()).collect();
    if !finding.drawing.is_empty() {
        let drawing = finding.drawing.trim_end().trim_start_matches('\n');
        remarks.push(Level::NOTE.no_name().message(drawing).into());
    }
    remarks.extend(
        finding.guess.iter().map(|guess| Level::HELP.message(guess.sentence.as_str()).into()),
    );
    remarks
}
