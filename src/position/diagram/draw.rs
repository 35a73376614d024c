use super::PITCH;
use crate::{
    hex::{Direction, Hex},
    position::spread,
    rules::{Cell, Change, Color, Piece, Position},
};
use std::fmt;

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
        let last = self.position.last();
        let star = if last.placed().or(last.displaced) == Some(top) { '*' } else { ' ' };
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

/// The coordinates of an empty cell, by an occupied one beside it.
fn place_of(cells: &[(Hex, Cell)], empty: Cell, beside: Cell) -> Option<Hex> {
    let (hex, _) = cells.iter().find(|(_, cell)| *cell == beside)?;
    let side = Direction::ALL.into_iter().find(|&side| beside.step(side) == empty)?;
    Some(hex.step(side))
}
