//! The table of metrics.
use super::View;
use crate::rules::{Color, Outcome};

/// How the values of games make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They are added.
    Count,
    /// The sum of the values by the sum of what they are measured by: a mean, or a share.
    Ratio,
    /// The greatest counts.
    Most,
}

/// Something that is told of a group of games.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name of its column, with the unit if it has one.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// How values make one.
    pub kind: Kind,
    /// The value of a game, and what it is measured by; nothing where the game does not tell.
    pub of: fn(View<'_>) -> Option<(u64, u64)>,
}

macro_rules! metrics {
    ($($name:literal $kind:ident $about:literal = $of:expr;)+) => {
        /// All metrics, in the order of their columns.
        pub static METRICS: &[Metric] =
            &[$(Metric { name: $name, about: $about, kind: Kind::$kind, of: $of }),+];
    };
}

metrics! {
    "games" Count "How many games." = |_| Some((1, 1));
    "white" Count "How many White won." = |view| Some(ended(view, Some(Outcome::WhiteWins)));
    "draw" Count "How many were drawn." = |view| Some(ended(view, Some(Outcome::Draw)));
    "black" Count "How many Black won." = |view| Some(ended(view, Some(Outcome::BlackWins)));
    "open" Count "How many have no result that is known." = |view| Some(ended(view, None));
    "on_board" Ratio "The share of games with a result that the board shows: a queen is surrounded." =
        |view| view.game.outcome().map(|_| (u64::from(view.game.ends_on_board()), 1));
    "plies" Ratio "The mean number of plies of a game, passes too." = |view| Some((view.measures.plies, 1));
    "most_plies" Most "The number of plies of the longest game." = |view| Some((view.measures.plies, 1));
    "clock_s" Ratio "The mean time in seconds that both players used together, of games that tell both." =
        |view| view.measures.clock.map(|milliseconds| (milliseconds, 1000));
    "placed" Ratio "The mean number of pieces placed in a game: by both sides, or by the side that is counted." =
        |view| Some((of_side(view, view.measures.placed), 1));
    "moved" Ratio "The mean number of turns in a game that moved a piece by itself." =
        |view| Some((of_side(view, view.measures.moved), 1));
    "abilities" Ratio "The mean number of turns in a game that used an ability on another piece, as a pillbug throws." =
        |view| Some((of_side(view, view.measures.abilities), 1));
    "passes" Ratio "The mean number of passes in a game, all of them forced." =
        |view| Some((of_side(view, view.measures.passes), 1));
    "queen_turn" Ratio "The mean number of the turn on which a queen is placed, of queens that are: of both sides, or of the side that is counted." =
        queen_turn;
    "mobility" Ratio "The mean number of legal turns before a ply; a forced pass is none." =
        |view| Some((view.measures.mobility, view.measures.plies));
    "most_mobility" Most "The most legal turns before a ply." = |view| Some((view.measures.most_mobility, 1));
    "pinned" Ratio "The share of plies before which a queen is pinned: of both queens, or of that of the side that is counted." =
        |view| Some((of_side(view, view.measures.pinned), view.measures.plies * sides(view)));
    "queen_neighbours" Ratio "The mean number of neighbours of a queen on the table, after each ply: of both queens, or of that of the side that is counted." =
        queen_neighbours;
    "stacked" Ratio "The share of plies after which a piece stands on another." =
        |view| Some((view.measures.stacked, view.measures.plies));
    "highest" Most "The number of pieces in the highest stack." = |view| Some((view.measures.highest, 1));
    "repetition" Ratio "The share of games in which a position comes for the third time (effective definition)." =
        |view| Some((u64::from(view.measures.third.is_some()), 1));
    "rating" Ratio "The mean rating: of both players, or of the side that is counted, as far as the records tell." = rating;
}

fn ended(view: View<'_>, outcome: Option<Outcome>) -> (u64, u64) {
    (u64::from(view.game.outcome() == outcome), 1)
}

/// The value of the side that is counted, or the sum of both.
fn of_side(view: View<'_>, values: [u64; 2]) -> u64 {
    view.side.map_or(values[0] + values[1], |side| values[side as usize])
}

/// How many sides are counted.
fn sides(view: View<'_>) -> u64 {
    if view.side.is_some() { 1 } else { 2 }
}

/// The sides that are counted.
fn counted(view: View<'_>) -> impl Iterator<Item = Color> {
    Color::BOTH.into_iter().filter(move |&color| view.side.is_none_or(|side| side == color))
}

fn queen_turn(view: View<'_>) -> Option<(u64, u64)> {
    let turns = counted(view).filter_map(|side| view.measures.queen_turn[side as usize]);
    let (sum, count) = turns.fold((0, 0), |(sum, count), turn| (sum + turn, count + 1));
    (count > 0).then_some((sum, count))
}

fn queen_neighbours(view: View<'_>) -> Option<(u64, u64)> {
    let (mut sum, mut count) = (0, 0);
    for side in counted(view) {
        for (neighbours, plies) in (0..).zip(view.measures.around[side as usize]) {
            sum += neighbours * plies;
            count += plies;
        }
    }
    (count > 0).then_some((sum, count))
}

fn rating(view: View<'_>) -> Option<(u64, u64)> {
    let known = counted(view).filter_map(|side| u64::try_from(view.game.rating(side)?).ok());
    let (sum, count) = known.fold((0, 0), |(sum, count), rating| (sum + rating, count + 1));
    (count > 0).then_some((sum, count))
}
