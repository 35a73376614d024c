//! Positions drawn with letters: one drawing for people, for tests and for documents, which can be read
//! again. Grammar: `grammar/diagram.ebnf`.
//!
//! ```text
//! Base+MLP, turn White[4], moved bA1
//!
//!    .     .     .     o
//! .    wQ    wA1  *bA1   .
//!    .    bB1^1  bQ    .
//!       .     .     .
//!
//! stack: wB1 < bB1
//! white hand: S1 S2 B2 G1 G2 G3 A2 A3 M L P
//! black hand: S1 S2 B2 G1 G2 G3 A2 A3 M L P
//! ```
//!
//! Each cell is six characters wide, and each row stands three further right than the one above.
//! A piece shows as its name, a stack as its top with the number of pieces beneath it; the piece of
//! the last turn bears a star, and the cell it left is an `o`. The first line holds what the drawing cannot
//! show; `moved` is the piece that rests. Without that line a drawing is read as a position of the smallest
//! game type that has its pieces, with White to move.
use crate::{
    hex::{Direction, Hex},
    parse::{Expected, Parsed, Production, productions},
    rules::{
        Bug, Cell, Change, Color, ComposeError, GameType, Hive, OpeningRule, Piece, Position,
        bugs::Set,
    },
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while_m_n},
    character::complete::{char, digit1, one_of, u32 as number},
    combinator::{all_consuming, map, map_opt, opt, recognize, value},
    error::context,
    multi::{many1, separated_list1},
    sequence::{delimited, pair, preceded},
};
use std::{error, fmt};

/// The width of a cell.
const PITCH: usize = 6;

/// A position as a drawing shows it.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'p> {
    position: &'p Position,
}

/// Draws a position.
pub fn draw(position: &Position) -> Drawing<'_> {
    Drawing { position }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_header(f)?;
        self.write_rows(f)?;
        self.write_stacks(f)?;
        for color in Color::BOTH {
            let name = if color == Color::White { "white" } else { "black" };
            write!(f, "{name} hand:")?;
            for piece in self.position.hand(color) {
                write!(f, " {}", &piece.to_string()[1..])?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Drawing<'_> {
    fn write_header(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let (side, turn) = (position.to_move(), position.turn_number());
        write!(f, "{}, turn {side}[{turn}]", position.game_type())?;
        if let Some(piece) = position.last().displaced {
            write!(f, ", moved {piece}")?;
        }
        if let Some(outcome) = position.outcome() {
            write!(f, ", {outcome}")?;
        }
        writeln!(f, "\n")
    }

    /// Rows from the northernmost on, with a border of empty cells around the hive.
    fn write_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = spread(self.position.hive());
        if cells.is_empty() {
            return Ok(());
        }
        let vacated = self.vacated();
        let border = |hex: Hex| {
            Direction::ALL.iter().any(|&side| cells.iter().any(|&(at, _)| at == hex.step(side)))
        };
        let rows = cells.iter().map(|(hex, _)| hex.r).min().unwrap_or(0) - 1
            ..=cells.iter().map(|(hex, _)| hex.r).max().unwrap_or(0) + 1;
        let columns = cells.iter().map(|(hex, _)| column(*hex)).min().unwrap_or(0) - 1
            ..=cells.iter().map(|(hex, _)| column(*hex)).max().unwrap_or(0) + 2;
        for r in rows {
            let mut line = String::new();
            for at in columns.clone().filter(|at| (at - r).rem_euclid(2) == 0) {
                let hex = Hex { q: (at - r).div_euclid(2), r };
                let cell = cells.iter().find(|(place, _)| *place == hex).map(|(_, cell)| *cell);
                let label = match cell {
                    Some(cell) => self.label(cell),
                    None if vacated.is_some_and(|(from, beside)| {
                        place_of(&cells, from, beside) == Some(hex)
                    }) =>
                    {
                        "  o".to_owned()
                    }
                    None if border(hex) => "  .".to_owned(),
                    None => continue,
                };
                let start = usize::try_from(at - columns.start()).unwrap_or(0) * (PITCH / 2);
                let gap = start.saturating_sub(line.len());
                line.extend(std::iter::repeat_n(' ', gap));
                line.push_str(&label);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        writeln!(f)
    }

    /// The text of an occupied cell, its name from the second character on.
    fn label(&self, cell: Cell) -> String {
        let hive = self.position.hive();
        let Some(top) = hive.top(cell) else { return String::new() };
        let star = if self
            .position
            .last_changes()
            .iter()
            .any(|c| matches!(c, Change::Put(p, _) if *p == top))
            || self.position.last().displaced == Some(top)
        {
            '*'
        } else {
            ' '
        };
        match hive.height(cell) {
            1 => format!("{star}{top}"),
            height => format!("{star}{top}^{}", height - 1),
        }
    }

    /// The cell that the last turn left empty, and where its piece went.
    fn vacated(&self) -> Option<(Cell, Cell)> {
        let changes = self.position.last_changes();
        let from = changes.iter().find_map(|change| match change {
            Change::Take(_, place) => Some(place.cell),
            Change::Put(..) => None,
        })?;
        let hive = self.position.hive();
        let beside = Direction::ALL
            .iter()
            .map(|&side| from.step(side))
            .find(|&cell| hive.is_occupied(cell))?;
        (!hive.is_occupied(from)).then_some((from, beside))
    }

    fn write_stacks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hive = self.position.hive();
        for (_, cell) in spread(hive).into_iter().filter(|&(_, cell)| hive.height(cell) > 1) {
            let names: Vec<String> = hive.stack(cell).iter().map(Piece::to_string).collect();
            writeln!(f, "stack: {}", names.join(" < "))?;
        }
        Ok(())
    }
}

/// Half-cells to the right.
fn column(hex: Hex) -> i32 {
    2 * hex.q + hex.r
}

/// The occupied cells with coordinates that hang together, row by row.
pub fn spread(hive: &Hive) -> Vec<(Hex, Cell)> {
    let Some(first) = hive.cells().next() else { return Vec::new() };
    let mut placed = vec![(first.hex(), first)];
    let mut next = 0;
    while let Some(&(hex, cell)) = placed.get(next) {
        next += 1;
        for side in Direction::ALL {
            let neighbour = cell.step(side);
            if hive.is_occupied(neighbour) && placed.iter().all(|&(_, known)| known != neighbour) {
                placed.push((hex.step(side), neighbour));
            }
        }
    }
    placed.sort_by_key(|(hex, _)| (hex.r, hex.q));
    placed
}

/// The coordinates of an empty cell, by an occupied one beside it.
fn place_of(cells: &[(Hex, Cell)], empty: Cell, beside: Cell) -> Option<Hex> {
    let (hex, _) = cells.iter().find(|(_, cell)| *cell == beside)?;
    let side = Direction::ALL.into_iter().find(|&side| beside.step(side) == empty)?;
    Some(hex.step(side))
}

/// A drawing that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadDiagramError {
    /// In this line and column (from 1) something else was expected.
    Syntax {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// A noun phrase.
        expected: &'static str,
    },
    /// A stack is drawn that no line lists, or the other way round.
    Stack(Piece),
    /// The pieces are no position.
    Impossible(ComposeError),
    /// The turn is too early for the pieces on the table.
    TooEarly,
}

impl fmt::Display for ReadDiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadDiagramError::Syntax { line, column, expected } => {
                write!(f, "line {line}, column {column} of the drawing: expected {expected}")
            }
            ReadDiagramError::Stack(piece) => {
                write!(f, "the stack under `{piece}` is not as the drawing shows it")
            }
            ReadDiagramError::Impossible(error) => error.fmt(f),
            ReadDiagramError::TooEarly => {
                f.write_str("more pieces are on the table than turns were played")
            }
        }
    }
}

impl error::Error for ReadDiagramError {}

/// What the first line says.
#[derive(Clone, Copy, Debug)]
struct Header {
    game_type: GameType,
    turn: Option<(Color, u32)>,
    moved: Option<Piece>,
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
    Hand(Vec<Bug>),
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
    let state = preceded(tag(", "), alt((tag("WhiteWins"), tag("BlackWins"), tag("Draw"))));
    map((game_type, opt(turn), opt(moved), opt(state)), |(game_type, turn, moved, _)| Header {
        game_type,
        turn,
        moved,
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
fn hand(s: &str) -> Parsed<'_, Vec<Bug>> {
    let code = map_opt(recognize(one_of("QSBGAMLP")), Bug::from_code);
    let held = nom::sequence::terminated(code, opt(digit1));
    let held = opt(many1(preceded(char(' '), held)));
    map(preceded(alt((tag("white hand:"), tag("black hand:"))), held), Option::unwrap_or_default)
        .parse(s)
}

/// `line`
fn line(s: &str) -> Parsed<'_, Line> {
    if s.trim().is_empty() {
        return Ok(("", Line::Blank));
    }
    alt((
        map(stack, Line::Stack),
        map(hand, Line::Hand),
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
    let first = text.lines().map(unquoted).find(|line| !line.trim().is_empty());
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
pub fn read(drawing: &str, opening: OpeningRule) -> Result<Position, ReadDiagramError> {
    let mut sheet = Sheet::default();
    for (number, text) in (1..).zip(drawing.lines().map(unquoted)) {
        let (_, line) = all_consuming(line).parse(text).map_err(|error| {
            let Expected { rest, what } = Expected::of(error);
            ReadDiagramError::Syntax {
                line: number,
                column: text.len() - rest.len() + 1,
                expected: what,
            }
        })?;
        match line {
            Line::Header(header) => sheet.header = Some(header),
            Line::Row(row) => sheet.rows.push(row),
            Line::Stack(stack) => sheet.stacks.push(stack),
            Line::Hand(bugs) => sheet.held.extend(bugs),
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
    held: Vec<Bug>,
}

impl Sheet {
    fn position(&self, opening: OpeningRule) -> Result<Position, ReadDiagramError> {
        let stacks = self.placed()?;
        let pieces = || stacks.iter().flat_map(|(_, stack)| stack.iter().copied());
        let game_type = self.header.map_or_else(
            || {
                let kinds = pieces().map(Piece::bug).chain(self.held.iter().copied());
                kinds.filter(|bug| bug.set() != Set::Base).fold(GameType::BASE, GameType::with)
            },
            |header| header.game_type,
        );
        let count = |color| {
            let placed = pieces().filter(|piece| piece.color() == color).count();
            u32::try_from(placed).unwrap_or(u32::MAX)
        };
        let (white, black) = (count(Color::White), count(Color::Black));
        let (side, turn) = self
            .header
            .and_then(|header| header.turn)
            .unwrap_or((Color::White, white.max(black) + 1));
        let ply = turn.saturating_sub(1).saturating_mul(2).saturating_add(side as u32);
        if white > ply.div_ceil(2) || black > ply / 2 {
            return Err(ReadDiagramError::TooEarly);
        }
        let moved = match self.header {
            Some(header) => header.moved,
            None => self.starred(),
        };
        Position::compose(game_type, opening, &stacks, ply, moved)
            .map_err(ReadDiagramError::Impossible)
    }

    /// The piece with a star.
    fn starred(&self) -> Option<Piece> {
        self.rows.iter().flatten().find_map(|(_, label)| match label {
            Label::Top { piece, starred: true, .. } => Some(*piece),
            Label::Top { .. } | Label::Empty => None,
        })
    }

    /// The stacks with their cells, counted from the first piece.
    fn placed(&self) -> Result<Vec<(Cell, Vec<Piece>)>, ReadDiagramError> {
        let pitch = self.pitch();
        let mut origin = None;
        let mut placed = Vec::new();
        for (r, row) in (0..).zip(&self.rows) {
            for &(column, label) in row {
                let Label::Top { piece, beneath, .. } = label else { continue };
                let column = i32::try_from(column).unwrap_or(i32::MAX / 8);
                let (first_column, first_row) = *origin.get_or_insert((column, r));
                let r = r - first_row;
                // The nearest cell: a person does not count blanks.
                let q = (2 * (column - first_column) - pitch * r + pitch).div_euclid(2 * pitch);
                placed.push((Cell::at(Hex { q, r }), self.stack_of(piece, beneath)?));
            }
        }
        let listed = |stack: &&Vec<Piece>| placed.iter().all(|(_, drawn)| drawn != *stack);
        match self.stacks.iter().find(listed) {
            Some(stack) => Err(ReadDiagramError::Stack(stack[stack.len() - 1])),
            None => Ok(placed),
        }
    }

    /// The stack that a drawn piece is the top of.
    fn stack_of(&self, top: Piece, beneath: u8) -> Result<Vec<Piece>, ReadDiagramError> {
        let stack = self.stacks.iter().find(|stack| stack.last() == Some(&top));
        match stack {
            Some(stack) if beneath == 0 || stack.len() == usize::from(beneath) + 1 => {
                Ok(stack.clone())
            }
            None if beneath == 0 => Ok(vec![top]),
            _ => Err(ReadDiagramError::Stack(top)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_survives_reading() {
        let text = "\
Base+MLP, turn White[5], moved bA1

         .     .     o
    .    wQ    wA1  *bA1   .
       .    bB1^1 bQ     .
          .     .     .

stack: wB1 < bB1
white hand: S1 S2 B2 G1 G2 G3 A2 A3 M L P
black hand: S1 S2 B2 G1 G2 G3 A2 A3 M L P
";
        let position = read(text, OpeningRule::Any).unwrap();
        let drawn = draw(&position).to_string();
        let again = read(&drawn, OpeningRule::Any).unwrap();
        assert_eq!(draw(&again).to_string(), drawn);
        assert_eq!(position.hive().cells().count(), 5);
        assert_eq!(drawn.lines().last(), text.lines().last());
    }

    #[test]
    fn a_drawing_typed_by_hand_needs_no_header() {
        let text = "> wQ  bG1\n>   wA1 bQ\n";
        let mut position = read(text, OpeningRule::Any).unwrap();
        assert_eq!((position.to_move(), position.turn_number()), (Color::White, 3));
        assert!(position.has_turn());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text| read(text, OpeningRule::Any).unwrap_err().to_string();
        assert_eq!(
            error("wQ bX"),
            "line 1, column 5 of the drawing: expected a bug, one of QSBGAMLP"
        );
        assert_eq!(error("wQ    .    bQ"), "the pieces do not hang together");
        assert_eq!(error("wQ    wQ"), "`wQ` stands in two places");
        assert_eq!(error("wB1^1 wQ"), "the stack under `wB1` is not as the drawing shows it");
        assert_eq!(
            error("Base, turn White[1]\nwQ    bQ"),
            "more pieces are on the table than turns were played"
        );
    }
}
