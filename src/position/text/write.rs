//! From a position to its line.
use super::{MOVED, PARTNERS, SIGNS, UNDER};
use crate::{
    hex::Hex,
    position::spread,
    rules::{Color, GameType, LastTurn, Level, Piece, Position, Signs, Stone},
};
use std::{borrow::Cow, fmt::Write as _};

/// The exact form of a position: with numbers of pieces and of the turn, the piece that moved last, and the place on
/// the plane.
pub fn exact(position: &Position) -> String {
    exact_in_turn(position, &position.turn_number().to_string())
}

/// The same with another number of the turn, or none.
pub(in crate::position) fn exact_in_turn(position: &Position, turn: &str) -> String {
    let last = if position.is_official() {
        LastTurn { displaced: position.last().displaced, ..LastTurn::default() }
    } else {
        position.last()
    };
    let name = |piece: Piece| position.game_type().name(piece.whole()).to_string();
    let shown = Shown::of(position, &position.stones(&last), name);
    let head = format!("{}{turn}", head(position.game_type(), position.to_move()));
    let (mut text, corner) = shown.text(&head, 0);
    if corner != Hex::ORIGIN {
        // What is written to a string always arrives.
        let _ = write!(text, ".o{}_{}", corner.q, corner.r);
    }
    text
}

/// The canonical form: the same text for all positions that are the same up to turning, mirroring, shifting and the
/// numbers of equal pieces; on request, also for exchanged colours.
pub fn canonical(position: &mut Position, swaps_colors: bool) -> String {
    let mut texts = Vec::with_capacity(24);
    for swaps in [false, true].into_iter().take(1 + usize::from(swaps_colors)) {
        let unnumbered = Unnumbered::of(position, swaps);
        texts.extend((0..12).map(|image| unnumbered.text(image)));
    }
    // The shortest; of several the first in the order of their bytes.
    texts.into_iter().min_by(|a, b| (a.len(), a).cmp(&(b.len(), b))).unwrap_or_default()
}

/// A position without numbers, with what the previous turn left if that matters.
pub(in crate::position) struct Unnumbered {
    /// The game type and the side to move.
    head: String,
    shown: Shown,
}

impl Unnumbered {
    /// That of a position, or of the one with exchanged colours.
    pub(in crate::position) fn of(position: &mut Position, swaps_colors: bool) -> Unnumbered {
        let last = position.effective_last();
        let color = |color: Color| if swaps_colors { color.other() } else { color };
        let name =
            |piece: Piece| format!("{}{}", color(piece.color()).letter(), piece.bug().code());
        let head = head(position.game_type(), color(position.to_move()));
        Unnumbered { head, shown: Shown::of(position, &position.stones(&last), name) }
    }

    /// The text of an image.
    pub(in crate::position) fn text(&self, image: usize) -> String {
        self.shown.text(&self.head, image).0
    }
}

/// What a text shows of the table: each stack, and what else there is.
struct Shown {
    stacks: Vec<Shape>,
    /// The pieces that are not on the table and bear something.
    others: String,
}

/// A stack as it is written. Where it holds halves of stick insects, [`HOLE`]s stand for the letters of the steps to the
/// other halves, which are different in each image.
struct Shape {
    hex: Hex,
    label: String,
    steps: Vec<Hex>,
}

/// Stands for a letter that is not known yet.
const HOLE: char = '?';

impl Shown {
    fn of(position: &Position, stones: &[Stone], name: impl Fn(Piece) -> String) -> Shown {
        let label = |stone: &Stone| {
            let is_under = stone.place.is_some_and(|place| place.level == Level::Under);
            name(stone.piece) + &letters_of(stone.signs, is_under, stone.partner.is_some())
        };
        let stacks = spread(position.hive()).into_iter().map(|(hex, cell)| {
            let stone = |piece| stones.iter().find(|stone| stone.piece == piece);
            let under = position.hive().under(cell);
            let pieces = under.into_iter().chain(position.hive().stack(cell));
            let pieces: Vec<&Stone> = pieces.filter_map(stone).collect();
            let labels: Vec<String> = pieces.iter().map(|stone| label(stone)).collect();
            let steps = pieces.iter().filter_map(|stone| stone.partner).collect();
            Shape { hex, label: labels.join("_"), steps }
        });
        let off_table = stones.iter().filter(|stone| stone.place.is_none());
        let mut others: Vec<String> = off_table.map(label).collect();
        others.sort();
        Shown { stacks: stacks.collect(), others: others.concat() }
    }

    /// The text of an image, and the corner of the plane from which gaps are counted.
    fn text(&self, head: &str, image: usize) -> (String, Hex) {
        let filled: Vec<(Hex, Cow<'_, str>)> = self
            .stacks
            .iter()
            .map(|shape| (shape.hex.image(image), shape.label_in(image)))
            .collect();
        let stacks = filled.iter().map(|(hex, label)| (*hex, label.as_ref())).collect();
        let (mut text, corner) = written(head, stacks);
        if !self.others.is_empty() {
            text.push_str(".x");
            text.push_str(&self.others);
        }
        (text, corner)
    }
}

impl Shape {
    /// The label as it is in an image.
    fn label_in(&self, image: usize) -> Cow<'_, str> {
        if self.steps.is_empty() {
            return self.label.as_str().into();
        }
        let mut label = self.label.clone();
        for step in &self.steps {
            let letter = PARTNERS[step.image(image).side()];
            label = label.replacen(HOLE, letter.encode_utf8(&mut [0; 4]), 1);
        }
        label.into()
    }
}

/// What is written after a piece.
fn letters_of(signs: Signs, is_under: bool, is_half: bool) -> String {
    let mut letters: String = signs.places().map(|at| SIGNS[at]).collect();
    if letters == MOVED.to_string() && !is_under && !is_half {
        letters.clear();
    } else if letters.is_empty() && !is_under && !is_half {
        return letters;
    }
    letters.extend(is_under.then_some(UNDER));
    letters.extend(is_half.then_some(HOLE));
    format!("~{letters}")
}

/// The fields before the rows, without the number of the turn.
fn head(game_type: GameType, to_move: Color) -> String {
    format!("{}.{}", game_type.to_string().replace('+', ""), to_move.letter())
}

/// The text of stacks on cells after the first fields, and the corner of the plane from which gaps are counted.
fn written(head: &str, mut stacks: Vec<(Hex, &str)>) -> (String, Hex) {
    stacks.sort_unstable_by_key(|(hex, _)| (hex.r, hex.q));
    let mut text = String::with_capacity(128);
    text.push_str(head);
    let least = |coordinate: fn(&Hex) -> i32| stacks.iter().map(|(hex, _)| coordinate(hex)).min();
    let corner = Hex { q: least(|hex| hex.q).unwrap_or(0), r: least(|hex| hex.r).unwrap_or(0) };
    let mut row = None;
    let mut next = corner.q;
    for (hex, stack) in &stacks {
        if row != Some(hex.r) {
            text.push('.');
            (row, next) = (Some(hex.r), corner.q);
        }
        match hex.q - next {
            0 => {}
            1 => text.push('-'),
            gap => {
                // What is written to a string always arrives.
                let _ = write!(text, "-{gap}");
            }
        }
        text.push_str(stack);
        next = hex.q + 1;
    }
    (text, corner)
}
