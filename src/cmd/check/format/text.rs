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
        let none = Excerpt { text: String::new(), span: 0..0, column: finding.column };
        let Excerpt { text, span, column } = finding.excerpt.unwrap_or(&none);
        let annotation = AnnotationKind::Primary.span(span.clone()).label(&place);
        let file = finding.shown_file();
        let snippet =
            Snippet::source(text).path(&file).line_start(finding.line).annotation(annotation);
        let title = level.primary_title(finding.sentence).id(finding.code);
        let guess = finding.guess.as_ref().map(|guess| guess.sentence.clone());
        let remarks = remarks(finding.notes, finding.drawing, guess);
        let report = [title.element(snippet).elements(remarks)];
        let rendered = self.renderer.render(&report);
        // What is shown of a long line begins later than the line.
        let line = finding.line;
        let [shown, real] =
            [*column, finding.column].map(|column| format!("{file}:{line}:{column}"));
        writeln!(out, "{}", rendered.replacen(&shown, &real, 1))
    }
}
