use super::PITCH;
use crate::{
    hex::Hex,
    parse::{Expected, Parsed, Production, productions},
    position::{ReadError, Setup, check_hand},
    rules::{Bug, Color, GameType, How, LastTurn, OpeningRule, Outcome, Piece, Position},
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while_m_n},
    character::complete::{char, digit1, one_of, u32 as number},
    combinator::{all_consuming, map, map_opt, opt, recognize, value},
    error::context,
    multi::{many1, separated_list1},
    sequence::{delimited, pair, preceded, terminated},
};

/// What the first line says.
#[derive(Clone, Copy, Debug)]
struct Header {
    game_type: GameType,
    turn: Option<(Color, u32)>,
    moved: Option<Piece>,
    state: Option<Outcome>,
}

/// What a cell shows.
#[derive(Clone, Copy, Debug)]
enum Label {
    Empty,
    Top { piece: Piece, starred: bool, beneath: u8 },
}

/// A line of a drawing.
#[derive(Clone, Debug)]
enum Line {
    Header(Header),
    Row(Vec<(usize, Label)>),
    Stack(Vec<Piece>),
    Hand(Color, Vec<Bug>),
    Blank,
}

/// `piece`
fn piece(s: &str) -> Parsed<'_, Piece> {
    let bug = context("a bug, one of QSBGAMLP", one_of("QSBGAMLP"));
    let name = recognize((one_of("wb"), bug, opt(one_of("1234"))));
    context("the name of a piece", map_opt(name, |name: &str| name.parse().ok())).parse(s)
}

/// `header`
fn header(s: &str) -> Parsed<'_, Header> {
    let game_type = context(
        "a game type",
        map_opt(take_while(|c: char| c.is_ascii_alphanumeric() || c == '+'), |name: &str| {
            name.parse().ok()
        }),
    );
    let color = alt((value(Color::White, tag("White")), value(Color::Black, tag("Black"))));
    let turn = preceded(tag(", turn "), pair(color, delimited(char('['), number, char(']'))));
    let moved = preceded(tag(", moved "), piece);
    let outcome = alt((
        value(Outcome::WhiteWins, tag("WhiteWins")),
        value(Outcome::BlackWins, tag("BlackWins")),
        value(Outcome::Draw, tag("Draw")),
    ));
    let state = preceded(tag(", "), outcome);
    map((game_type, opt(turn), opt(moved), opt(state)), |(game_type, turn, moved, state)| Header {
        game_type,
        turn,
        moved,
        state,
    })
    .parse(s)
}

/// `label`
fn label(s: &str) -> Parsed<'_, Label> {
    let beneath = opt(preceded(char('^'), map(one_of("123456789"), |digit| digit as u8 - b'0')));
    let top = map((opt(char('*')), piece, beneath), |(star, piece, beneath)| Label::Top {
        piece,
        starred: star.is_some(),
        beneath: beneath.unwrap_or(0),
    });
    context("a piece or `.`", alt((value(Label::Empty, alt((char('.'), char('o')))), top))).parse(s)
}

/// `row`: each label with the column where its name stands, or would stand.
fn row(s: &str) -> Parsed<'_, Vec<(usize, Label)>> {
    let blanks = |least| take_while_m_n(least, usize::MAX, |c| c == ' ');
    let (mut rest, _) = blanks(0).parse(s)?;
    let mut labels = Vec::new();
    loop {
        let column = s.len() - rest.len();
        let (after, label) = label(rest)?;
        let name = match label {
            Label::Empty => column.saturating_sub(1),
            Label::Top { starred, .. } => column + usize::from(starred),
        };
        labels.push((name, label));
        let (next, gap) = blanks(0).parse(after)?;
        rest = next;
        // A star may follow a wide label at once.
        if gap.is_empty() && !rest.starts_with('*') || rest.is_empty() {
            return Ok((rest, labels));
        }
    }
}

/// `stack`
fn stack(s: &str) -> Parsed<'_, Vec<Piece>> {
    preceded(tag("stack: "), separated_list1(tag(" < "), piece)).parse(s)
}

/// `hand`
fn hand(s: &str) -> Parsed<'_, (Color, Vec<Bug>)> {
    let code = map_opt(recognize(one_of("QSBGAMLP")), Bug::from_code);
    let held = terminated(code, opt(digit1));
    let held = opt(many1(preceded(char(' '), held)));
    let color =
        alt((value(Color::White, tag("white hand:")), value(Color::Black, tag("black hand:"))));
    map(pair(color, held), |(color, held)| (color, held.unwrap_or_default())).parse(s)
}

/// `line`
fn line(s: &str) -> Parsed<'_, Line> {
    if s.trim().is_empty() {
        return Ok(("", Line::Blank));
    }
    alt((
        map(stack, Line::Stack),
        map(hand, |(color, held)| Line::Hand(color, held)),
        map(header, Line::Header),
        map(row, Line::Row),
    ))
    .parse(s)
}

/// The productions of `grammar/diagram.ebnf`, leaves first, each with its parser.
pub const PRODUCTIONS: &[Production] = productions! {
    "piece" = piece, "label" = label, "row" = row, "stack" = stack, "hand" = hand, "header" = header,
};

/// Whether a text could be a drawing: its first line with anything in it is one of a drawing.
pub fn sniff(text: &str) -> bool {
    let is_text = |line: &&str| !line.trim().is_empty() && !line.ends_with(':');
    let first = text.lines().map(unquoted).find(is_text);
    first.is_some_and(|first| all_consuming(line).parse(first.trim_end()).is_ok())
}

/// A line without the signs that mail programs set before a quotation.
fn unquoted(line: &str) -> &str {
    let mut line = line.trim_end();
    while let Some(rest) = line.strip_prefix('>') {
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    line
}

/// Reads a drawing.
///
/// # Errors
///
/// Fails where a line is none of a drawing, where stacks and rows contradict each other, and where the
/// pieces are no position.
pub fn read(drawing: &str, opening: OpeningRule) -> Result<Position, ReadError> {
    let mut sheet = Sheet::default();
    for (number, whole) in (1..).zip(drawing.lines()) {
        let text = unquoted(whole);
        // What mail programs set before and after a quotation.
        if text == "--" {
            break;
        }
        if text.ends_with(':') && sheet.is_empty() && !text.contains("hand") {
            continue;
        }
        let (_, line) = all_consuming(line).parse(text).map_err(|error| {
            let Expected { rest, what } = Expected::of(error);
            ReadError::Syntax {
                line: number,
                column: whole.trim_end().len() - rest.len() + 1,
                expected: what.to_owned(),
            }
        })?;
        match line {
            Line::Header(header) => sheet.header = Some(header),
            Line::Row(row) => sheet.rows.push(row),
            Line::Stack(stack) => sheet.stacks.push(stack),
            Line::Hand(color, held) => sheet.hands.push((color, held)),
            Line::Blank => {}
        }
    }
    sheet.position(opening)
}

/// The lines of a drawing, sorted.
#[derive(Debug, Default)]
struct Sheet {
    header: Option<Header>,
    rows: Vec<Vec<(usize, Label)>>,
    stacks: Vec<Vec<Piece>>,
    hands: Vec<(Color, Vec<Bug>)>,
}

impl Sheet {
    fn is_empty(&self) -> bool {
        self.header.is_none() && self.rows.is_empty() && self.stacks.is_empty()
    }

    fn position(&self, opening: OpeningRule) -> Result<Position, ReadError> {
        let header = self.header;
        let held = self
            .hands
            .iter()
            .flat_map(|(color, held)| held.iter().map(|&bug| Piece::new(*color, bug, 1)));
        let setup = Setup {
            game_type: header.map(|header| header.game_type),
            others: held.collect(),
            to_move: header.and_then(|header| header.turn).map(|(side, _)| side),
            turn: header.and_then(|header| header.turn).map(|(_, turn)| turn),
            stacks: self.placed()?,
            last: self.last(),
        };
        let mut position = setup.compose(opening)?;
        for (color, held) in &self.hands {
            check_hand(&position, *color, held)?;
        }
        match (self.header.and_then(|header| header.state), position.outcome()) {
            (Some(Outcome::Draw), None) => position.end_in_draw(),
            (Some(stated), shown) if shown != Some(stated) => return Err(ReadError::State),
            _ => {}
        }
        Ok(position)
    }

    /// The previous turn: without a first line, a star is a piece that moved.
    fn last(&self) -> LastTurn {
        let starred = self.starred();
        match self.header {
            Some(Header { moved: None, .. }) if starred.is_some() => {
                LastTurn { actor: starred, how: How::Placed, displaced: None }
            }
            Some(Header { moved: None, .. }) => LastTurn::default(),
            Some(Header { moved, .. }) => {
                LastTurn { actor: moved, how: How::Moved, displaced: moved }
            }
            None if starred.is_some() => {
                LastTurn { actor: starred, how: How::Moved, displaced: starred }
            }
            None => LastTurn::default(),
        }
    }

    /// The piece with a star.
    fn starred(&self) -> Option<Piece> {
        self.rows.iter().flatten().find_map(|(_, label)| match label {
            Label::Top { piece, starred: true, .. } => Some(*piece),
            Label::Top { .. } | Label::Empty => None,
        })
    }

    /// The stacks with their cells, counted from the first piece.
    fn placed(&self) -> Result<Vec<(Hex, Vec<Piece>)>, ReadError> {
        let pitch = self.pitch();
        let mut origin = None;
        let mut placed = Vec::new();
        for (r, row) in (0..).zip(&self.rows) {
            for &(column, label) in row {
                let Label::Top { piece, beneath, .. } = label else { continue };
                let column = i32::try_from(column).unwrap_or(i32::MAX / 8);
                let (first_column, first_row) = *origin.get_or_insert((column, r));
                let r = r - first_row;
                // The nearest cell: a person does not count blanks, but must not leave it open which one.
                let across = 2 * (column - first_column) - pitch * r;
                let q = (across + pitch).div_euclid(2 * pitch);
                if (across - 2 * pitch * q).abs() * 4 > 3 * pitch {
                    return Err(ReadError::OffGrid(piece));
                }
                let hex = Hex { q, r };
                if placed.iter().any(|(known, _)| *known == hex) {
                    return Err(ReadError::OffGrid(piece));
                }
                placed.push((hex, self.stack_of(piece, beneath)?));
            }
        }
        let listed = |stack: &&Vec<Piece>| placed.iter().all(|(_, drawn)| drawn != *stack);
        match self.stacks.iter().find(listed) {
            Some(stack) => Err(ReadError::Stack(stack[stack.len() - 1])),
            None => Ok(placed),
        }
    }

    /// The stack that a drawn piece is the top of.
    fn stack_of(&self, top: Piece, beneath: u8) -> Result<Vec<Piece>, ReadError> {
        let stack = self.stacks.iter().find(|stack| stack.last() == Some(&top));
        match stack {
            Some(stack) if beneath == 0 || stack.len() == usize::from(beneath) + 1 => {
                Ok(stack.clone())
            }
            None if beneath == 0 => Ok(vec![top]),
            _ => Err(ReadError::Stack(top)),
        }
    }

    /// The width of a cell: the least distance of two labels in a row, if there are any.
    fn pitch(&self) -> i32 {
        let gaps =
            self.rows.iter().flat_map(|row| row.windows(2).map(|pair| pair[1].0 - pair[0].0));
        let least = gaps.min().filter(|gap| (3..=9).contains(gap)).unwrap_or(PITCH);
        i32::try_from(least + least % 2).unwrap_or(6)
    }
}
