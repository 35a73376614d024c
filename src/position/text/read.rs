//! From a line to what it shows.
use super::{PARTNERS, SIGNS, UNDER};
use crate::{
    hex::{Direction, Hex},
    parse::{Expected, Parsed, Production, productions},
    position::{ReadError, Setup, integer, short_number},
    rules::{Bug, Color, ComposeError, GameType, How, Piece, Sign},
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

/// A piece as written.
#[derive(Clone, Copy, Debug)]
struct Written<'s> {
    color: Color,
    bug: Bug,
    number: Option<u8>,
    /// What it bears, by letters.
    letters: &'s str,
}

/// A row: stacks, each with the number of empty cells before it.
type Row<'s> = Vec<(i32, Vec<Written<'s>>)>;

/// All that is written.
#[derive(Clone, Debug)]
pub(super) struct Parts<'s> {
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
pub(super) fn position(s: &str) -> Parsed<'_, Parts<'_>> {
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

pub(super) const PRODUCTIONS: &[Production] = productions! {
    "color" = color, "bug" = bug, "signs" = signs, "piece" = piece, "stack" = stack, "integer" = integer, "gap" = gap,
    "row" = row, "game-type" = game_type, "others" = others, "corner" = corner, "position" = whole,
};

impl Parts<'_> {
    fn pieces(&self) -> impl Iterator<Item = &Written<'_>> {
        self.rows.iter().flatten().flat_map(|(_, stack)| stack).chain(&self.others)
    }

    /// The setup, in which pieces without a number have the first ones that are free, as they come.
    pub(super) fn setup(&self) -> Result<Setup, ReadError> {
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
            self.add_signs(piece.whole(), one.letters)?;
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
        if one.bug != Bug::StickInsect {
            let piece = self.free.piece(one)?;
            return Err(ReadError::Impossible(ComposeError::Halves(piece).into()));
        }
        let direction = Direction::ALL[side];
        if direction.is_onward() {
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
                Sign::Acted(how) => {
                    let is_same = last.actor == Some(piece) && last.how == how;
                    if let Some(other) = last.actor.filter(|_| !is_same) {
                        return Err(ReadError::BothMoved(other, piece));
                    }
                    (last.actor, last.how) = (Some(piece), how);
                }
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
