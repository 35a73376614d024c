//! The position notation: one line without blanks. Specification: `docs/position-notation.md`.
//!
//! ```text
//! BaseMLP.w4.-wQwA1bA1~.wB1_bB1bQ.o-1_0
//! ```
use super::{Form, ReadError, Setup, filled_lines, integer, read_line, short_number, spread};
use crate::{
    hex::{Direction, Hex},
    parse::{Expected, Parsed, Production, productions},
    rules::{
        Bug, Color, ComposeError, GameType, How, LastTurn, Level, Options, Piece, Position, Sign,
        Signs, Stone,
    },
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
struct Written<'s> {
    color: Color,
    bug: Bug,
    number: Option<u8>,
    /// What it bears, by letters.
    letters: &'s str,
}

/// The letters of [`Sign::ALL`]. None is a `w` or a `b`, which begin the next piece.
const SIGNS: [char; Sign::ALL.len()] =
    ['d', 's', 'o', 'a', 'c', 'p', 'x', 'm', 't', 'n', 'v', 'y', 'z'];

/// A piece was moved: the only sign that may be left out after the `~`.
const MOVED: char = 'm';

/// A piece lies beneath its stack.
const UNDER: char = 'u';

/// Where the other half of a stick insect lies: by places in [`Direction::ALL`], which begins in the north-west.
const PARTNERS: [char; 6] = ['i', 'j', 'e', 'f', 'g', 'h'];

/// A row: stacks, each with the number of empty cells before it.
type Row<'s> = Vec<(i32, Vec<Written<'s>>)>;

/// All that is written.
#[derive(Clone, Debug)]
struct Parts<'s> {
    game_type: GameType,
    to_move: Color,
    turn: Option<u32>,
    rows: Vec<Row<'s>>,
    corner: Hex,
    /// Pieces that are not on the table and bear something.
    others: Vec<Written<'s>>,
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

/// `signs`
fn signs(s: &str) -> Parsed<'_, &str> {
    let is_sign = |c: char| SIGNS.contains(&c) || PARTNERS.contains(&c) || c == UNDER;
    preceded(char('~'), take_while(is_sign)).parse(s)
}

/// `piece`
fn piece(s: &str) -> Parsed<'_, Written<'_>> {
    let number = opt(map(one_of("1234"), |digit| digit as u8 - b'0'));
    map((color, cut(bug), number, opt(signs)), |(color, bug, number, letters)| {
        let letters = letters.map_or("", |letters| if letters.is_empty() { "m" } else { letters });
        Written { color, bug, number, letters }
    })
    .parse(s)
}

/// `stack`
fn stack(s: &str) -> Parsed<'_, Vec<Written<'_>>> {
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
fn row(s: &str) -> Parsed<'_, Row<'_>> {
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

/// `others`
fn others(s: &str) -> Parsed<'_, Vec<Written<'_>>> {
    preceded(char('x'), cut(many1(context("a piece", piece)))).parse(s)
}

/// `position`
fn position(s: &str) -> Parsed<'_, Parts<'_>> {
    let (s, game_type) = game_type(s)?;
    let (s, _) = context("`.` and the side to move", char('.')).parse(s)?;
    let (mut s, (to_move, turn)) = (color, opt(number)).parse(s)?;
    let mut rows = Vec::new();
    let mut at = None;
    let mut off_table = None;
    while at.is_none()
        && let Some(rest) = s.strip_prefix('.')
    {
        if rest.starts_with('x') && off_table.is_none() {
            (s, off_table) = map(others, Some).parse(rest)?;
        } else if rest.starts_with('o') {
            (s, at) = map(corner, Some).parse(rest)?;
        } else if off_table.is_some() {
            break;
        } else {
            let (rest, row) = row(rest)?;
            rows.push(row);
            s = rest;
        }
    }
    let (corner, others) = (at.unwrap_or(Hex::ORIGIN), off_table.unwrap_or_default());
    let parts = Parts { game_type, to_move, turn, rows, corner, others };
    success(parts).parse(s)
}

/// `position`, to be held against the grammar.
fn whole(s: &str) -> Parsed<'_, &str> {
    recognize(position).parse(s)
}

const PRODUCTIONS: &[Production] = productions! {
    "color" = color, "bug" = bug, "signs" = signs, "piece" = piece, "stack" = stack, "integer" = integer, "gap" = gap,
    "row" = row, "game-type" = game_type, "others" = others, "corner" = corner, "position" = whole,
};

impl Parts<'_> {
    fn pieces(&self) -> impl Iterator<Item = &Written<'_>> {
        self.rows.iter().flatten().flat_map(|(_, stack)| stack).chain(&self.others)
    }

    /// The setup, in which pieces without a number have the first ones that are free, as they come.
    fn setup(&self) -> Result<Setup, ReadError> {
        let mut builder = Builder {
            free: Numbers::without(self.pieces()),
            setup: Setup {
                game_type: Some(self.game_type),
                to_move: Some(self.to_move),
                turn: self.turn,
                ..Setup::default()
            },
            halves: Vec::new(),
        };
        for (r, row) in (self.corner.r..).zip(&self.rows) {
            let mut q = self.corner.q;
            for (gap, written) in row {
                q = q.saturating_add(*gap);
                builder.add_stack(Hex { q, r }, written)?;
                q = q.saturating_add(1);
            }
        }
        for one in &self.others {
            let piece = builder.free.piece(one)?;
            builder.add_signs(piece, one.letters)?;
            builder.setup.others.push(piece);
        }
        Ok(builder.setup)
    }
}

/// A setup that grows as its text is read.
struct Builder {
    free: Numbers,
    setup: Setup,
    /// The first halves of stick insects, each with the cell of the second.
    halves: Vec<(Hex, Piece)>,
}

impl Builder {
    fn add_stack(&mut self, hex: Hex, written: &[Written<'_>]) -> Result<(), ReadError> {
        let mut stack = Vec::with_capacity(written.len());
        for one in written {
            let piece = self.piece(hex, one)?;
            if !piece.is_half() {
                self.add_signs(piece, one.letters)?;
            }
            if one.letters.contains(UNDER) {
                self.setup.under.push((hex, piece));
            } else {
                stack.push(piece);
            }
        }
        self.setup.stacks.push((hex, stack));
        Ok(())
    }

    /// The piece that is meant on a cell: perhaps the second half of one that came before.
    fn piece(&mut self, hex: Hex, one: &Written<'_>) -> Result<Piece, ReadError> {
        let side = PARTNERS.iter().position(|&letter| one.letters.contains(letter));
        let Some(side) = side else { return self.free.piece(one) };
        let direction = Direction::ALL[side];
        let is_first = (Direction::East as usize..=Direction::SouthWest as usize).contains(&side);
        if is_first {
            let piece = self.free.piece(one)?;
            self.halves.push((hex.step(direction), piece));
            return Ok(piece);
        }
        let is_other = |&(at, piece): &(Hex, Piece)| {
            at == hex
                && piece.color() == one.color
                && one.number.is_none_or(|n| n == piece.number())
        };
        let first = self.halves.iter().find(|half| is_other(half)).map(|(_, piece)| *piece);
        first.and_then(Piece::half).ok_or_else(|| {
            let number = one.number.unwrap_or(1);
            let piece = Piece::new(one.color, one.bug, number);
            ReadError::Impossible(ComposeError::Halves(piece).into())
        })
    }

    fn add_signs(&mut self, piece: Piece, letters: &str) -> Result<(), ReadError> {
        let last = &mut self.setup.last;
        for letter in letters.chars() {
            let Some(at) = SIGNS.iter().position(|&known| known == letter) else { continue };
            match Sign::ALL[at] {
                Sign::Bears(mark) => self.setup.marks.push((mark, piece)),
                Sign::Displaced => {
                    let is_official = self.setup.game_type.is_some_and(GameType::is_official);
                    if let Some(other) = last.displaced.first().filter(|_| is_official) {
                        return Err(ReadError::BothMoved(other, piece));
                    }
                    last.displaced.add(piece);
                    if last.actor.is_none() {
                        // By itself or by a pillbug: the text does not say.
                        last.how = How::Moved;
                    }
                }
                Sign::Faced => last.faced.add(piece),
                Sign::Acted(how) => (last.actor, last.how) = (Some(piece), how),
            }
        }
        Ok(())
    }
}

/// The numbers that pieces without one can have.
struct Numbers {
    taken: [[u8; Bug::COUNT]; 2],
}

impl Numbers {
    /// Those that none of the pieces has.
    fn without<'w>(pieces: impl Iterator<Item = &'w Written<'w>>) -> Numbers {
        let mut numbers = Numbers { taken: [[0; Bug::COUNT]; 2] };
        for piece in pieces {
            if let Some(number) = piece.number {
                numbers.taken[piece.color as usize][piece.bug as usize] |= 1 << number;
            }
        }
        numbers
    }

    fn piece(&mut self, written: &Written<'_>) -> Result<Piece, ReadError> {
        let Written { color, bug, number, .. } = *written;
        let taken = &mut self.taken[color as usize][bug as usize];
        let number = match number {
            Some(number) => number,
            None => (1..=bug.most())
                .find(|number| *taken >> number & 1 == 0)
                .ok_or_else(|| ReadError::TooMany(Piece::new(color, bug, 1)))?,
        };
        if number > bug.most() {
            return Err(ReadError::TooMany(Piece::new(color, bug, 1)));
        }
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

    fn read(&self, text: &str, options: Options) -> Result<Position, ReadError> {
        let parts = read_line(text, position, "`.`, a piece, or the end")?;
        Ok(parts.setup()?.compose(options)?)
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
pub(super) struct Unnumbered {
    /// The game type and the side to move.
    head: String,
    shown: Shown,
}

impl Unnumbered {
    /// That of a position, or of the one with exchanged colours.
    pub(super) fn of(position: &mut Position, swaps_colors: bool) -> Unnumbered {
        let last = position.effective_last();
        let color = |color: Color| if swaps_colors { color.other() } else { color };
        let name =
            |piece: Piece| format!("{}{}", color(piece.color()).letter(), piece.bug().code());
        let head = head(position.game_type(), color(position.to_move()));
        Unnumbered { head, shown: Shown::of(position, &position.stones(&last), name) }
    }

    /// The text of an image.
    pub(super) fn text(&self, image: usize) -> String {
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
        let filled: Vec<(Hex, std::borrow::Cow<'_, str>)> = self
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
    fn label_in(&self, image: usize) -> std::borrow::Cow<'_, str> {
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
