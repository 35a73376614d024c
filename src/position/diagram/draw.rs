use super::{LISTS, PITCH, Used};
use crate::{
    hex::{Direction, Hex},
    position::spread,
    rules::{Bug, Cell, Change, Color, Mark, Piece, Position},
};
use std::fmt;

/// A position as a drawing shows it.
#[derive(Clone, Debug)]
pub struct Drawing<'p> {
    position: &'p Position,
    /// What is to be marked, in a drawing of this and the pieces alone.
    marks: Option<Marks>,
}

/// What a drawing shows of a turn.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Where a piece could go: `o`, behind the name where a piece stands.
    pub ends: Vec<Cell>,
    /// Where it is: `>` before the name.
    pub mover: Option<Cell>,
    /// Where it was sent: `x`, behind the name where a piece stands.
    pub sent: Option<Cell>,
    /// What stands against it: `!`, before the name where a piece stands.
    pub against: Vec<Cell>,
}

impl Marks {
    /// What stands before a name, and behind it.
    fn around(&self, cell: Cell) -> (char, &'static str) {
        let before = match cell {
            _ if self.mover == Some(cell) => '>',
            _ if self.against.contains(&cell) => '!',
            _ => ' ',
        };
        let behind = match cell {
            _ if self.sent == Some(cell) => "x",
            _ if self.ends.contains(&cell) => "o",
            _ => "",
        };
        (before, behind)
    }

    /// The sign on an empty cell.
    fn alone(&self, cell: Cell) -> Option<&'static str> {
        match self.around(cell) {
            (_, "x") => Some("  x"),
            ('!', _) => Some("  !"),
            (_, "o") => Some("  o"),
            _ => None,
        }
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.ends.iter().chain(&self.sent).chain(&self.against).copied()
    }
}

/// Draws a position.
pub fn draw(position: &Position) -> Drawing<'_> {
    Drawing { position, marks: None }
}

/// Draws the pieces of a position, and what a turn has to do with them.
pub fn draw_marked(position: &Position, marks: Marks) -> Drawing<'_> {
    Drawing { position, marks: Some(marks) }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.marks.is_some() {
            self.write_rows(f)?;
            return self.write_stacks(f);
        }
        self.write_header(f)?;
        self.write_rows(f)?;
        self.write_stacks(f)?;
        for color in Color::BOTH {
            write!(f, "{} hand:", color.word())?;
            for piece in self.position.hand(color) {
                let name = self.position.game_type().name(piece).to_string();
                write!(f, " {}", &name[1..])?;
            }
            writeln!(f)?;
        }
        self.write_lists(f)
    }
}

impl Drawing<'_> {
    fn write_header(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let (side, turn) = (position.to_move(), position.turn_number());
        write!(f, "{}, turn {side}[{turn}]", position.game_type())?;
        let last = position.last();
        if let (false, Some(actor), Some(used)) =
            (position.is_official(), last.actor, Used::of(last.how))
        {
            write!(f, ", {} {actor}", used.word())?;
        }
        for (word, pieces) in [("moved", last.displaced), ("turned", last.faced)] {
            if !pieces.is_empty() {
                write!(f, ", {word}")?;
            }
            pieces.iter().try_for_each(|piece| write!(f, " {piece}"))?;
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
        let is_vacated = |hex: Hex| {
            vacated.is_some_and(|(from, beside)| place_of(&cells, from, beside) == Some(hex))
        };
        let pitch = self.pitch(&cells);
        let marked: Vec<(Hex, &str)> = self
            .marks
            .iter()
            .flat_map(|marks| marks.cells().map(move |cell| (cell, marks)))
            .filter_map(|(cell, marks)| near(&cells, cell).zip(marks.alone(cell)))
            .collect();
        let sign = |hex: Hex| marked.iter().find(|(at, _)| *at == hex).map(|(_, sign)| *sign);
        let rows = cells.iter().map(|(hex, _)| hex.r).min().unwrap_or(0) - 1
            ..=cells.iter().map(|(hex, _)| hex.r).max().unwrap_or(0) + 1;
        let first = cells.iter().map(|(hex, _)| column(*hex)).min().unwrap_or(0) - 1;
        // To the west of the westernmost piece only what is marked is drawn.
        let first =
            marked.iter().map(|(hex, _)| column(*hex)).chain([first]).min().unwrap_or(first);
        let columns = first..=cells.iter().map(|(hex, _)| column(*hex)).max().unwrap_or(0) + 2;
        for r in rows {
            let mut line = String::new();
            for at in columns.clone().filter(|at| (at - r).rem_euclid(2) == 0) {
                let hex = Hex { q: (at - r).div_euclid(2), r };
                let cell = cells.iter().find(|(place, _)| *place == hex).map(|(_, cell)| *cell);
                let label = match cell {
                    Some(cell) => self.label(cell),
                    None => match sign(hex) {
                        Some(sign) => sign.to_owned(),
                        None if is_vacated(hex) => "  o".to_owned(),
                        None if border(hex) => "  .".to_owned(),
                        None => continue,
                    },
                };
                let start = usize::try_from(at - columns.start()).unwrap_or(0) * (pitch / 2);
                let gap = start.saturating_sub(line.len());
                line.extend(std::iter::repeat_n(' ', gap));
                line.push_str(&label);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        writeln!(f)
    }

    /// The width of a cell: even, and wider than the usual one only where a label needs it.
    fn pitch(&self, cells: &[(Hex, Cell)]) -> usize {
        let longest = cells.iter().map(|(_, cell)| self.label(*cell).len()).max().unwrap_or(0);
        longest.next_multiple_of(2).max(PITCH)
    }

    /// The text of an occupied cell, its name from the second character on.
    fn label(&self, cell: Cell) -> String {
        let hive = self.position.hive();
        let Some(top) = hive.top(cell) else { return String::new() };
        let last = self.position.last();
        let is_last = match last.placed() {
            Some(placed) => placed == top.whole(),
            None => last.displaced.contains(top.whole()),
        };
        let star = if is_last { '*' } else { ' ' };
        let under = if hive.under(cell).is_some() { "_" } else { "" };
        let (before, behind) = self.marks.as_ref().map_or((star, ""), |marks| marks.around(cell));
        let top = self.name(top);
        match hive.height(cell) {
            1 => format!("{before}{top}{under}{behind}"),
            height => format!("{before}{top}^{}{under}{behind}", height - 1),
        }
    }

    /// The name of a piece and what a person sees of it: in brackets it lies face down; a letter tells another face.
    fn name(&self, piece: Piece) -> String {
        let shows = |mark| self.position.has_mark(mark, piece);
        let is_face_down = self.position.is_face_down(piece);
        let face = match piece.bug() {
            Bug::Beehive if shows(Mark::OtherFace) => {
                format!(":{}", piece.color().other().letter())
            }
            Bug::Cockroach if shows(Mark::OtherFace) => ":L".to_owned(),
            Bug::Cicada if shows(Mark::Adult) => ":a".to_owned(),
            _ => String::new(),
        };
        let piece = self.position.game_type().name(piece);
        if is_face_down { format!("({piece}{face})") } else { format!("{piece}{face}") }
    }

    /// The cell that the last turn left empty, and where its piece went.
    fn vacated(&self) -> Option<(Cell, Cell)> {
        if self.marks.is_some() {
            return None;
        }
        let changes = self.position.last_changes();
        let from = changes.iter().find_map(|change| match change {
            Change::Take(_, place) => Some(place.cell),
            _ => None,
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
        for (_, cell) in spread(hive) {
            let under = hive.under(cell).map(|piece| format!("_{}", self.name(piece)));
            let names = hive.stack(cell).into_iter().map(|piece| self.name(piece));
            let names: Vec<String> = under.into_iter().chain(names).collect();
            if names.len() > 1 {
                writeln!(f, "stack: {}", names.join(" < "))?;
            }
        }
        Ok(())
    }

    /// What no person sees on the table.
    fn write_lists(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (word, mark) in LISTS {
            let all = self.position.whole_box();
            let mut bearers = all.filter(|&piece| self.position.has_mark(mark, piece)).peekable();
            if bearers.peek().is_some() {
                write!(f, "{word}:")?;
                bearers.try_for_each(|piece| {
                    write!(f, " {}", self.position.game_type().name(piece))
                })?;
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// Half-cells to the right.
fn column(hex: Hex) -> i32 {
    2 * hex.q + hex.r
}

/// The coordinates of an empty cell, by an occupied one beside it.
fn place_of(cells: &[(Hex, Cell)], empty: Cell, beside: Cell) -> Option<Hex> {
    let (hex, _) = cells.iter().find(|(_, cell)| *cell == beside)?;
    let side = Direction::ALL.into_iter().find(|&side| beside.step(side) == empty)?;
    Some(hex.step(side))
}

/// The coordinates of an empty cell beside the hive.
fn near(cells: &[(Hex, Cell)], empty: Cell) -> Option<Hex> {
    Direction::ALL.into_iter().find_map(|side| place_of(cells, empty, empty.step(side)))
}
