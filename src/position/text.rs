//! The position notation: one line without blanks. Specification: `docs/position-notation.md`.
//!
//! ```text
//! BaseMLP.w4.-wQwA1bA1~.wB1_bB1bQ.o-1_0
//! ```
use super::{Form, ReadError, Setup, filled_lines, integer, read_line, short_number, spread};
use crate::{
    hex::Hex,
    parse::{Expected, Parsed, Production, productions},
    rules::{Bug, Color, GameType, How, LastTurn, OpeningRule, Piece, Position},
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while_m_n},
    character::complete::{char, one_of, u32 as number},
    combinator::{cut, map, map_opt, opt, recognize, success},
    error::context,
    multi::{many0, many1},
    sequence::{pair, preceded, separated_pair},
};
use std::fmt::Write as _;

/// The position notation.
pub(super) struct Text;

/// A piece as written.
#[derive(Clone, Copy, Debug)]
struct Written {
    color: Color,
    bug: Bug,
    number: Option<u8>,
    has_moved: bool,
}

/// A row: stacks, each with the number of empty cells before it.
type Row = Vec<(i32, Vec<Written>)>;

/// All that is written.
#[derive(Clone, Debug)]
struct Parts {
    game_type: GameType,
    to_move: Color,
    turn: Option<u32>,
    rows: Vec<Row>,
    corner: Hex,
}

/// `color`
fn color(s: &str) -> Parsed<'_, Color> {
    let letter = map(one_of("wb"), |c| if c == 'w' { Color::White } else { Color::Black });
    context("`w` or `b`", letter).parse(s)
}

/// `bug`: a capital, and a small letter unless that begins the next piece.
fn bug(s: &str) -> Parsed<'_, Bug> {
    let small = |s: &str| s.starts_with(|c: char| c.is_ascii_lowercase());
    let begins_next =
        |s: &str| s.starts_with(['w', 'b']) && s[1..].starts_with(|c: char| c.is_ascii_uppercase());
    let length = |s: &str| 1 + usize::from(s.len() > 1 && small(&s[1..]) && !begins_next(&s[1..]));
    let code = take_while_m_n(1, 1, |c: char| c.is_ascii_uppercase());
    let (_, _) = context("a bug, one of QSBGAMLP", code).parse(s)?;
    let code = &s[..length(s)];
    match Bug::from_code(code) {
        Some(bug) => Ok((&s[code.len()..], bug)),
        None => Err(nom::Err::Error(Expected { rest: s, what: "a bug, one of QSBGAMLP" })),
    }
}

/// `piece`
fn piece(s: &str) -> Parsed<'_, Written> {
    let number = opt(map(one_of("1234"), |digit| digit as u8 - b'0'));
    map((color, cut(bug), number, opt(char('~'))), |(color, bug, number, moved)| Written {
        color,
        bug,
        number,
        has_moved: moved.is_some(),
    })
    .parse(s)
}

/// `stack`
fn stack(s: &str) -> Parsed<'_, Vec<Written>> {
    let above = many0(preceded(char('_'), cut(context("a piece", piece))));
    map(pair(context("a piece", piece), above), |(bottom, mut stack)| {
        stack.insert(0, bottom);
        stack
    })
    .parse(s)
}

/// `gap`
fn gap(s: &str) -> Parsed<'_, i32> {
    map(preceded(char('-'), opt(short_number)), |cells| cells.unwrap_or(1)).parse(s)
}

/// `row`
fn row(s: &str) -> Parsed<'_, Row> {
    let after_gap = pair(gap, cut(context("a piece", stack)));
    let part = alt((after_gap, map(stack, |stack| (0, stack))));
    context("a piece", many1(part)).parse(s)
}

/// `game-type`
fn game_type(s: &str) -> Parsed<'_, GameType> {
    let codes = take_while(|c: char| c.is_ascii_alphanumeric());
    let codes = preceded(opt(char('+')), codes);
    let name = map_opt(preceded(tag("Base"), codes), |codes: &str| {
        let plus = if codes.is_empty() { "" } else { "+" };
        format!("Base{plus}{codes}").parse().ok()
    });
    context("a game type, such as `Base` or `BaseMLP`", name).parse(s)
}

/// `corner`
fn corner(s: &str) -> Parsed<'_, Hex> {
    let then = context("`_` and another coordinate", char('_'));
    let corner = preceded(char('o'), cut(separated_pair(integer, then, integer)));
    map(corner, |(q, r)| Hex { q, r }).parse(s)
}

/// `position`
fn position(s: &str) -> Parsed<'_, Parts> {
    let (s, game_type) = game_type(s)?;
    let (s, _) = context("`.` and the side to move", char('.')).parse(s)?;
    let (mut s, (to_move, turn)) = (color, opt(number)).parse(s)?;
    let mut rows = Vec::new();
    let mut at = None;
    while at.is_none()
        && let Some(rest) = s.strip_prefix('.')
    {
        if rest.starts_with('o') {
            (s, at) = map(corner, Some).parse(rest)?;
        } else {
            let (rest, row) = row(rest)?;
            rows.push(row);
            s = rest;
        }
    }
    let parts = Parts { game_type, to_move, turn, rows, corner: at.unwrap_or(Hex::ORIGIN) };
    success(parts).parse(s)
}

/// `position`, to be held against the grammar.
fn whole(s: &str) -> Parsed<'_, &str> {
    recognize(position).parse(s)
}

const PRODUCTIONS: &[Production] = productions! {
    "color" = color, "bug" = bug, "piece" = piece, "stack" = stack, "integer" = integer, "gap" = gap, "row" = row,
    "game-type" = game_type, "corner" = corner, "position" = whole,
};

impl Parts {
    fn pieces(&self) -> impl Iterator<Item = &Written> {
        self.rows.iter().flatten().flat_map(|(_, stack)| stack)
    }

    /// The setup, in which pieces without a number have the first ones that are free, as they come.
    fn setup(&self) -> Result<Setup, ReadError> {
        let mut free = Numbers::without(self.pieces());
        let mut setup = Setup {
            game_type: Some(self.game_type),
            to_move: Some(self.to_move),
            turn: self.turn,
            ..Setup::default()
        };
        for (r, row) in (self.corner.r..).zip(&self.rows) {
            let mut q = self.corner.q;
            for (gap, written) in row {
                q = q.saturating_add(*gap);
                let mut stack = Vec::with_capacity(written.len());
                for one in written {
                    let piece = free.piece(one)?;
                    stack.push(piece);
                    if one.has_moved {
                        if let Some(other) = setup.last.displaced {
                            return Err(ReadError::BothMoved(other, piece));
                        }
                        // By itself or by a pillbug: the text does not say.
                        let displaced = Some(piece);
                        setup.last = LastTurn { actor: None, how: How::Moved, displaced };
                    }
                }
                setup.stacks.push((Hex { q, r }, stack));
                q = q.saturating_add(1);
            }
        }
        Ok(setup)
    }
}

/// The numbers that pieces without one can have.
struct Numbers {
    taken: [[u8; Bug::COUNT]; 2],
}

impl Numbers {
    /// Those that none of the pieces has.
    fn without<'w>(pieces: impl Iterator<Item = &'w Written>) -> Numbers {
        let mut numbers = Numbers { taken: [[0; Bug::COUNT]; 2] };
        for piece in pieces {
            if let Some(number) = piece.number {
                numbers.taken[piece.color as usize][piece.bug as usize] |= 1 << number;
            }
        }
        numbers
    }

    fn piece(&mut self, written: &Written) -> Result<Piece, ReadError> {
        let Written { color, bug, number, .. } = *written;
        let taken = &mut self.taken[color as usize][bug as usize];
        let number = match number {
            Some(number) => number,
            None => (1..=Piece::MAX_NUMBER)
                .find(|number| *taken >> number & 1 == 0)
                .ok_or_else(|| ReadError::TooMany(Piece::new(color, bug, 1)))?,
        };
        *taken |= 1 << number;
        Ok(Piece::new(color, bug, number))
    }
}

impl Form for Text {
    fn name(&self) -> &'static str {
        "position"
    }

    fn sniff(&self, text: &str) -> bool {
        let line = text.trim_start().lines().next().unwrap_or_default().trim_end();
        let head = line.split('.').nth(1);
        let side = head.is_some_and(|side| side.starts_with(['w', 'b']));
        line.starts_with("Base") && side && !line.contains([';', ' '])
    }

    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        filled_lines(text)
    }

    fn read(&self, text: &str, opening: OpeningRule) -> Result<Position, ReadError> {
        let parts = read_line(text, position, "`.`, a piece, or the end")?;
        Ok(parts.setup()?.compose(opening)?)
    }

    fn write(&self, position: &mut Position) -> String {
        exact(position) + "\n"
    }

    fn productions(&self) -> &'static [Production] {
        PRODUCTIONS
    }
}

/// The exact form of a position: with numbers of pieces and of the turn, the piece that moved last, and the place on
/// the plane.
pub fn exact(position: &Position) -> String {
    exact_in_turn(position, &position.turn_number().to_string())
}

/// The same with another number of the turn, or none.
pub(super) fn exact_in_turn(position: &Position, turn: &str) -> String {
    let moved = position.last().displaced;
    let label = |piece: Piece| {
        let mark = if moved == Some(piece) { "~" } else { "" };
        format!("{piece}{mark}")
    };
    let stacks = labelled(position, label);
    let stacks = stacks.iter().map(|(hex, label)| (*hex, label.as_str())).collect();
    let head = format!("{}{turn}", head(position.game_type(), position.to_move()));
    let (mut text, corner) = written(&head, stacks);
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

/// A position without numbers, with the piece that rests if that matters.
pub(super) struct Unnumbered {
    /// The game type and the side to move.
    head: String,
    stacks: Vec<(Hex, String)>,
}

impl Unnumbered {
    /// That of a position, or of the one with exchanged colours.
    pub(super) fn of(position: &mut Position, swaps_colors: bool) -> Unnumbered {
        let resting = position.resting_piece();
        let color = |color: Color| if swaps_colors { color.other() } else { color };
        let label = |piece: Piece| {
            let mark = if resting == Some(piece) { "~" } else { "" };
            format!("{}{}{mark}", color(piece.color()).letter(), piece.bug().code())
        };
        let head = head(position.game_type(), color(position.to_move()));
        Unnumbered { head, stacks: labelled(position, label) }
    }

    /// The text of an image.
    pub(super) fn text(&self, image: usize) -> String {
        let turned = |(hex, label)| (Hex::image(hex, image), label);
        let stacks = self.stacks.iter().map(|(hex, label)| turned((*hex, label.as_str())));
        written(&self.head, stacks.collect()).0
    }
}

/// The fields before the rows, without the number of the turn.
fn head(game_type: GameType, to_move: Color) -> String {
    format!("{}.{}", game_type.to_string().replace('+', ""), to_move.letter())
}

/// The stacks, each as it is written with a label for each piece.
fn labelled(position: &Position, label: impl Fn(Piece) -> String) -> Vec<(Hex, String)> {
    let hive = position.hive();
    let text = |cell| hive.stack(cell).into_iter().map(&label).collect::<Vec<_>>().join("_");
    spread(hive).into_iter().map(|(hex, cell)| (hex, text(cell))).collect()
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
