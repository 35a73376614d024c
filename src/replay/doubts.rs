//! What a record says of its game beside the turns that cannot be so.
use super::Replayer;
use crate::{
    date::{NoSuchDay, date_of_text, day_of},
    finding::{self, Code, Finding},
    hex::Direction,
    record::{Action, Aside, Ply, Record, Spot},
    rules::{Bug, Cell, Color, IllegalTurn, Piece, Rule},
};

/// The tag with the date as BoardSpace's files tell it, besides the one in the name of the game.
const OTHER_DATE: &str = "SgfDate";

/// The tag with the name that BoardSpace gives a game.
const GAME_NAME: &str = "SgfGameName";

/// How many days two dates of one game can be apart: servers and players live in different zones.
const ZONES: i32 = 1;

/// The month in which BoardSpace took over the pillbug as it was printed.
const NEW_PILLBUG: &str = "2013.03";

impl Replayer {
    /// Tells of clocks that run backwards, and of dates that cannot be.
    pub(super) fn doubt(&mut self, record: &Record) {
        self.doubt_clocks(record);
        for (code, message) in doubts_of_dates(record) {
            let start = record.span.start;
            self.findings.push(Finding::new(code, start..start, message));
        }
    }

    fn doubt_clocks(&mut self, record: &Record) {
        let mut used = [0; 2];
        for remark in &record.remarks {
            let Aside::Clock(player, milliseconds) = remark.what else { continue };
            let before = std::mem::replace(&mut used[player as usize], milliseconds);
            let at = remark.after.saturating_sub(1);
            if let Some(ply) = record.plies.get(at).filter(|_| milliseconds < before) {
                let message = format!(
                    "{player} had used {} s before, and {} s now",
                    seconds(before),
                    seconds(milliseconds)
                );
                self.note(&finding::CLOCK_BACKWARDS, at, ply, message);
            }
        }
    }

    /// Tells of a place whose coordinates and neighbour contradict each other.
    pub(super) fn doubt_reference(&mut self, at: usize, ply: &Ply) {
        let (Action::Put(piece, Spot::At(hex)), Some(told)) = (ply.action, ply.told) else {
            return;
        };
        let is_of_itself =
            matches!(told, Spot::Beside(other, _) | Spot::OnTopOf(other) if other == piece);
        let other = self.resolve(told).filter(|&cell| !is_of_itself && cell != Cell::at(hex));
        if other.is_some() {
            let message = "the neighbour tells another cell than the coordinates, which count";
            self.note(&finding::REFERENCE_MISMATCH, at, ply, message);
        }
    }

    /// The finding about a throw that the pillbug's first rules may have allowed.
    pub(super) fn old_throw(
        &self,
        record: &Record,
        ply: &Ply,
        illegal: IllegalTurn,
    ) -> Option<Finding> {
        let Action::Put(piece, _) = ply.action else { return None };
        let is_old = record.tag(GAME_NAME).is_some()
            && record.tag("Date").is_some_and(|date| date.len() >= 7 && date < NEW_PILLBUG);
        let is_about_throws = matches!(
            illegal.rule,
            Rule::NotYourPiece
                | Rule::FrozenPiece
                | Rule::CoveredPiece
                | Rule::OneHive
                | Rule::FreedomToMove
                | Rule::OccupiedDestination
                | Rule::OutOfReach
        );
        let could_be = is_old && is_about_throws && self.is_beside_pillbug(piece);
        let message =
            format!("{}; under the rules of that time it may have been a throw", illegal.rule);
        could_be.then(|| Finding::new(&finding::OLD_PILLBUG, ply.span.clone(), message))
    }

    /// Whether a pillbug of the side to move stands beside a piece, or a mosquito, which could copy it.
    fn is_beside_pillbug(&self, piece: Piece) -> bool {
        let hive = self.position.hive();
        let side: Color = self.position.to_move();
        let is_thrower = |other: Piece| {
            other.color() == side && matches!(other.bug(), Bug::Pillbug | Bug::Mosquito)
        };
        hive.cell_of(piece).is_some_and(|cell| {
            Direction::ALL
                .into_iter()
                .any(|direction| hive.top(cell.step(direction)).is_some_and(is_thrower))
        })
    }
}

/// Milliseconds as seconds.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

fn doubts_of_dates(record: &Record) -> Vec<(&'static Code, String)> {
    let mut doubts = Vec::new();
    let told = record.tag("Date").unwrap_or_default();
    let other = record.tag(OTHER_DATE).unwrap_or_default();
    let date = day_of(told);
    if date == Some(Err(NoSuchDay)) {
        doubts.push((&finding::IMPOSSIBLE_DATE, format!("there is no day `{told}`")));
    }
    let second = date_of_text(other);
    if let (Some(Ok(date)), Some(Some(Ok(second)))) = (date, second.as_deref().map(day_of)) {
        let apart = (date.to_julian_day() - second.to_julian_day()).abs();
        if apart > ZONES {
            let message = format!("the date is `{told}` in the name of the game, and `{other}`");
            doubts.push((&finding::DATE_MISMATCH, message));
        }
    }
    doubts
}
