//! What is said below the line of a finding, and how it is rendered.
use super::args::Color;
use annotate_snippets::{Element, Level, Renderer};

/// How wide a line is at most.
const WIDTH: usize = 100;

/// What turns findings into text.
pub(super) fn renderer(color: Color) -> Renderer {
    let renderer = if color.is_wanted() { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(WIDTH)
}

/// Sentences, a drawing if there is one, and a guess.
pub(super) fn remarks<'r>(
    notes: &'r [String],
    drawing: &'r str,
    guess: Option<String>,
) -> Vec<Element<'r>> {
    let mut remarks: Vec<Element<'r>> =
        notes.iter().map(|note| Level::NOTE.message(note).into()).collect();
    if !drawing.is_empty() {
        let drawing = drawing.trim_end().trim_start_matches('\n');
        remarks.push(Level::NOTE.no_name().message(drawing).into());
    }
    remarks.extend(guess.map(|guess| Level::HELP.message(guess).into()));
    remarks
}
