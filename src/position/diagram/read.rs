use super::{LISTS, PITCH, Used};
use crate::{
    hex::Hex,
    parse::{Expected, Parsed, Production, productions},
    position::{ReadError, Setup, check_hand},
    rules::{Bug, Color, Few, GameType, How, LastTurn, Mark, Options, Outcome, Piece, Position},
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while_m_n},
    character::complete::{char, digit1, one_of, satisfy, u32 as number},
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
    /// The piece that was used on the previous turn, and how.
    used: Option<(How, Piece)>,
    moved: Few,
    turned: Few,
    state: Option<Outcome>,
}

/// A piece as it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    piece: Piece,
    is_face_down: bool,
    /// The letter of another face.
    face: Option<char>,
}

/// What a cell shows.
#[derive(Clone, Copy, Debug)]
enum Label {
    Empty,
    Top { seen: Seen, starred: bool, beneath: u8, has_under: bool },
}

/// The pieces of a cell, from the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stack {
    under: Option<Seen>,
    pieces: Vec<Seen>,
}

/// A line of a drawing.
#[derive(Clone, Debug)]
enum Line {
    Header(Header),
    Row(Vec<(usize, Label)>),
    Stack(Stack),
    Hand(Color, Vec<Bug>),
    List(Mark, Vec<Piece>),
    Blank,
}

/// `bug`: a capital, and perhaps a small letter.
fn bug(s: &str) -> Parsed<'_, Bug> {
    let upper = satisfy(|c| c.is_ascii_uppercase());
    let lower = opt(satisfy(|c| c.is_ascii_lowercase()));
    let code = map_opt(recognize(pair(upper, lower)), Bug::from_code);
    context("a bug, one of QSBGAMLP, or the two letters of a fan piece", code).parse(s)
}

/// `piece`
fn piece(s: &str) -> Parsed<'_, Piece> {
    let name = recognize((one_of("wb"), bug, opt(one_of("1234")), opt(char('\''))));
    context("the name of a piece", map_opt(name, |name: &str| name.parse().ok())).parse(s)
}

/// `seen`
fn seen(s: &str) -> Parsed<'_, Seen> {
    let face = || opt(preceded(char(':'), one_of("wbLa")));
    let hidden = delimited(char('('), pair(piece, face()), char(')'));
    let seen = |is_face_down| {
        move |(piece, face): (Piece, Option<char>)| Seen { piece, is_face_down, face }
    };
    alt((map(hidden, seen(true)), map(pair(piece, face()), seen(false)))).parse(s)
}

/// Pieces with a blank before each.
fn pieces(s: &str) -> Parsed<'_, Vec<Piece>> {
    many1(preceded(char(' '), piece)).parse(s)
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
    let used = |used: Used| {
        let word = preceded(tag(", "), tag(used.word()));
        map(preceded(word, preceded(char(' '), piece)), move |piece| (used.0, piece.whole()))
    };
    let [placed, walked, ability, flipped] = Used::ALL.map(used);
    let used = alt((placed, walked, ability, flipped));
    let few = |word| {
        let whole = |pieces: Vec<Piece>| pieces.into_iter().map(Piece::whole).collect();
        let few = map(preceded(tag(word), pieces), whole);
        map(opt(few), Option::unwrap_or_default)
    };
    let outcome = alt((
        value(Outcome::WhiteWins, tag("WhiteWins")),
        value(Outcome::BlackWins, tag("BlackWins")),
        value(Outcome::Draw, tag("Draw")),
    ));
    let state = preceded(tag(", "), outcome);
    map(
        (game_type, opt(turn), opt(used), few(", moved"), few(", turned"), opt(state)),
        |(game_type, turn, used, moved, turned, state)| Header {
            game_type,
            turn,
            used,
            moved,
            turned,
            state,
        },
    )
    .parse(s)
}

/// `label`
fn label(s: &str) -> Parsed<'_, Label> {
    let beneath = opt(preceded(char('^'), map(one_of("123456789"), |digit| digit as u8 - b'0')));
    let whole = (opt(char('*')), seen, beneath, opt(char('_')));
    let top = map(whole, |(star, seen, beneath, under)| Label::Top {
        seen,
        starred: star.is_some(),
        beneath: beneath.unwrap_or(0),
        has_under: under.is_some(),
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
fn stack(s: &str) -> Parsed<'_, Stack> {
    let under = opt(delimited(char('_'), seen, tag(" < ")));
    let whole = pair(under, separated_list1(tag(" < "), seen));
    map(preceded(tag("stack: "), whole), |(under, pieces)| Stack { under, pieces }).parse(s)
}

/// `list`
fn list(s: &str) -> Parsed<'_, (Mark, Vec<Piece>)> {
    let word = |(word, mark)| value(mark, pair(tag(word), char(':')));
    let [spent, resting, no_poison, removed] = LISTS.map(word);
    pair(alt((spent, resting, no_poison, removed)), pieces).parse(s)
}

/// `hand`
fn hand(s: &str) -> Parsed<'_, (Color, Vec<Bug>)> {
    let held = terminated(bug, opt(digit1));
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
        map(list, |(mark, pieces)| Line::List(mark, pieces)),
        map(header, Line::Header),
        map(row, Line::Row),
    ))
    .parse(s)
}

/// The productions of `grammar/diagram.ebnf`, leaves first, each with its parser.
pub const PRODUCTIONS: &[Production] = productions! {
    "bug" = bug, "piece" = piece, "seen" = seen, "label" = label, "row" = row, "stack" = stack, "list" = list, "hand" = hand,
    "header" = header,
};

/// Whether a text could be a drawing: its first line with anything in it is one of a drawing.
pub fn sniff(text: &str) -> bool {
    let is_text = |line: &&str| !line.trim().is_empty() && !line.ends_with(':');
    let first = text.lines().map(unquoted).find(is_text);
    first.is_some_and(|first| all_consuming(line).parse(first.trim_end()).is_ok())
}

/// Whether a line begins a drawing, as the game type and the turn do.
pub(super) fn begins(line: &str) -> bool {
    all_consuming(header).parse(unquoted(line)).is_ok()
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
pub fn read(drawing: &str, options: Options) -> Result<Position, ReadError> {
    let mut sheet = Sheet::default();
    for whole in drawing.lines() {
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
            let start = whole.as_ptr().addr() - drawing.as_ptr().addr();
            ReadError::at(start + whole.trim_end().len() - rest.len(), what)
        })?;
        match line {
            Line::Header(header) => sheet.header = Some(header),
            Line::Row(row) => sheet.rows.push(row),
            Line::Stack(stack) => sheet.stacks.push(stack),
            Line::Hand(color, held) => sheet.hands.push((color, held)),
            Line::List(mark, pieces) => {
                sheet.marks.extend(pieces.into_iter().map(|piece| (mark, piece.whole())));
            }
            Line::Blank => {}
        }
    }
    sheet.position(options)
}

/// The lines of a drawing, sorted.
#[derive(Debug, Default)]
struct Sheet {
    header: Option<Header>,
    rows: Vec<Vec<(usize, Label)>>,
    stacks: Vec<Stack>,
    hands: Vec<(Color, Vec<Bug>)>,
    marks: Vec<(Mark, Piece)>,
}

impl Sheet {
    fn is_empty(&self) -> bool {
        self.header.is_none() && self.rows.is_empty() && self.stacks.is_empty()
    }

    fn position(&self, options: Options) -> Result<Position, ReadError> {
        let header = self.header;
        let held = self
            .hands
            .iter()
            .flat_map(|(color, held)| held.iter().map(|&bug| Piece::new(*color, bug, 1)));
        let placed = self.placed()?;
        let names = |seen: &[Seen]| seen.iter().map(|seen| seen.piece).collect();
        let under = |(hex, stack): &(Hex, Stack)| stack.under.map(|seen| (*hex, seen.piece));
        let setup = Setup {
            game_type: header.map(|header| header.game_type),
            others: held.collect(),
            to_move: header.and_then(|header| header.turn).map(|(side, _)| side),
            turn: header.and_then(|header| header.turn).map(|(_, turn)| turn),
            stacks: placed.iter().map(|(hex, stack)| (*hex, names(&stack.pieces))).collect(),
            under: placed.iter().filter_map(under).collect(),
            marks: self.marks_of(&placed),
            last: self.last(),
        };
        let mut position = setup.compose(options)?;
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
        let Some(header) = self.header else {
            let how = if starred.is_some() { How::Moved } else { How::Unknown };
            let displaced = starred.into();
            return LastTurn { actor: starred, how, displaced, ..LastTurn::default() };
        };
        let Header { used, moved, turned, .. } = header;
        let (how, actor) = match used {
            Some((how, actor)) => (how, Some(actor)),
            // With fan pieces it counts whether the piece went by itself.
            None if !moved.is_empty() && !header.game_type.is_official() => (How::Moved, None),
            None if !moved.is_empty() => (How::Moved, moved.first()),
            None if starred.is_some() => (How::Placed, starred),
            None => (How::Unknown, None),
        };
        LastTurn { actor, how, displaced: moved, faced: turned }
    }

    /// What the pieces bear, seen or told.
    fn marks_of(&self, placed: &[(Hex, Stack)]) -> Vec<(Mark, Piece)> {
        let mut marks = self.marks.clone();
        let all = placed.iter().flat_map(|(_, stack)| stack.under.iter().chain(&stack.pieces));
        for Seen { piece, is_face_down, face } in all.filter(|seen| !seen.piece.is_half()) {
            let own = piece.color().letter();
            match (piece.bug(), face) {
                (_, None) => {}
                (Bug::Beehive, Some(face)) if *face == own => {}
                (Bug::Beehive, Some('w' | 'b')) | (Bug::Cockroach, Some('L')) => {
                    marks.push((Mark::OtherFace, *piece));
                }
                (Bug::Cicada, Some('a')) => marks.push((Mark::Adult, *piece)),
                // A face that the piece does not have, which is refused where the marks are set.
                (Bug::Cicada, Some(_)) => marks.push((Mark::OtherFace, *piece)),
                (_, Some(_)) => marks.push((Mark::Adult, *piece)),
            }
            if *is_face_down && !self.marks.contains(&(Mark::Spent, *piece)) {
                marks.push((Mark::FaceDown, *piece));
            }
        }
        marks
    }

    /// The piece with a star.
    fn starred(&self) -> Option<Piece> {
        self.rows.iter().flatten().find_map(|(_, label)| match label {
            Label::Top { seen, starred: true, .. } => Some(seen.piece.whole()),
            Label::Top { .. } | Label::Empty => None,
        })
    }

    /// The stacks with their cells, counted from the first piece.
    fn placed(&self) -> Result<Vec<(Hex, Stack)>, ReadError> {
        let pitch = self.pitch();
        let mut origin = None;
        let mut placed = Vec::new();
        for (r, row) in (0..).zip(&self.rows) {
            for &(column, label) in row {
                let Label::Top { seen, beneath, has_under, .. } = label else { continue };
                let piece = seen.piece;
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
                placed.push((hex, self.stack_of(seen, beneath, has_under)?));
            }
        }
        let is_alone = |stack: &&Stack| placed.iter().all(|(_, drawn)| drawn != *stack);
        match self.stacks.iter().find(is_alone).and_then(|stack| stack.pieces.last()) {
            Some(top) => Err(ReadError::Stack(top.piece)),
            None => Ok(placed),
        }
    }

    /// The stack that a drawn piece is the top of.
    fn stack_of(&self, top: Seen, beneath: u8, has_under: bool) -> Result<Stack, ReadError> {
        let stack = self.stacks.iter().find(|stack| stack.pieces.last() == Some(&top));
        match stack {
            Some(stack)
                if (beneath == 0 || stack.pieces.len() == usize::from(beneath) + 1)
                    && has_under == stack.under.is_some() =>
            {
                Ok(stack.clone())
            }
            None if beneath == 0 && !has_under => Ok(Stack { under: None, pieces: vec![top] }),
            _ => Err(ReadError::Stack(top.piece)),
        }
    }

    /// The width of a cell: the least distance of two labels in a row, if there are any.
    fn pitch(&self) -> i32 {
        let gaps =
            self.rows.iter().flat_map(|row| row.windows(2).map(|pair| pair[1].0 - pair[0].0));
        let least = gaps.min().filter(|gap| (3..=12).contains(gap)).unwrap_or(PITCH);
        i32::try_from(least + least % 2).unwrap_or(6)
    }
}
