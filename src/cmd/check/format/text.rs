use super::{Reported, Writer};
use crate::cmd::{
    args::Color,
    placed::Excerpt,
    remarks::{remarks, renderer},
};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::io::{self, Write};

/// The line with a caret, and below it what else there is to say.
pub(super) struct Text {
    renderer: Renderer,
    is_first: bool,
}

impl Text {
    pub(super) fn new(color: Color) -> Text {
        Text { renderer: renderer(color), is_first: true }
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
        let guess = finding.guess.as_ref().map(|guess| guess.sentence.clone());
        let remarks = remarks(finding.notes, finding.drawing, guess);
        let report = [title.element(snippet).elements(remarks)];
        writeln!(out, "{}", self.renderer.render(&report))
    }
}
