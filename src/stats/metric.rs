//! The table of metrics.
use super::{View, key::result_of};
use crate::{
    course::{self, Act, Wants},
    rules::{Bug, Color, Outcome},
};

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
    /// What has to be found out of a game.
    pub wants: Wants,
    /// The value of a game, and what it is measured by; nothing where the game does not tell.
    pub of: fn(&View<'_>) -> Option<(u64, u64)>,
}

impl Metric {
    /// Whether it is counted where nobody asks for it.
    pub fn is_usual(&self) -> bool {
        !self.wants.slips
    }
}

const RECORD: Wants = Wants::NOTHING;
const STEPS: Wants = Wants { steps: true, ..RECORD };
const LEGAL: Wants = Wants { legal: true, ..STEPS };
const PINNED: Wants = Wants { pinned: true, ..STEPS };
const THIRD: Wants = Wants { third: true, ..STEPS };
const SLIPS: Wants = Wants { slips: true, ..STEPS };

macro_rules! metrics {
    ($($name:literal $kind:ident $wants:ident $about:literal = $of:expr;)+) => {
        /// All metrics, in the order of their columns.
        pub static METRICS: &[Metric] = &[$(Metric {
            name: $name,
            about: $about,
            kind: Kind::$kind,
            wants: $wants,
            of: $of,
        }),+];
    };
}

metrics! {
    "games" Count RECORD "How many games." = |_| Some((1, 1));
    "white" Count RECORD "How many White won." = |view| Some(ended(view, Some(Outcome::WhiteWins)));
    "draw" Count RECORD "How many were drawn." = |view| Some(ended(view, Some(Outcome::Draw)));
    "black" Count RECORD "How many Black won." = |view| Some(ended(view, Some(Outcome::BlackWins)));
    "open" Count RECORD "How many have no result that is known." = |view| Some(ended(view, None));
    "won" Count RECORD "How many the side won that is counted; White, if none is." = |view| Some((result(view)[0], 1));
    "lost" Count RECORD "How many it lost." = |view| Some((result(view)[2], 1));
    "on_board" Ratio RECORD "The share of games with a result that the board shows: a queen is surrounded." =
        |view| view.game.outcome().map(|_| (u64::from(view.game.ends_on_board()), 1));
    "unrated" Count RECORD "How many tell no rating of at least one player." =
        |view| Some((u64::from(view.sides().any(|side| told_rating(view, side).is_none())), 1));
    "cut" Count RECORD "How many have a variation that ends early, since its next turn is not legal." =
        |view| Some((u64::from(view.game.is_cut()), 1));
    "rating" Ratio RECORD "The mean rating: of both players, or of the side that is counted, as far as the records tell." = rating;
    "plies" Ratio RECORD "The mean number of plies of a game, passes too." = |view| Some((plies(view), 1));
    "most_plies" Most RECORD "The number of plies of the longest game." = |view| Some((plies(view), 1));
    "clock_s" Ratio RECORD "The mean time in seconds that both players used together, of games that tell both." =
        |view| course::clock(view.game).map(|milliseconds| (milliseconds, 1000));
    "placed" Ratio STEPS "The mean number of pieces placed in a game: by both sides, or by the side or of the piece that is counted." =
        |view| Some((placed(view).count() as u64, 1));
    "placed_turn" Ratio STEPS "The mean number of the turn on which a piece is placed." =
        |view| mean(placed(view));
    "queen_turn" Ratio STEPS "The mean number of the turn on which a queen is placed, of queens that are." = queen_turn;
    "moved" Ratio STEPS "The mean number of turns in a game that moved a piece by itself." = |view| Some(acts(view, Act::Move));
    "distance" Ratio STEPS "The mean distance in cells between where a piece stood and where it came to stand, of turns that moved a piece by itself." =
        distance;
    "abilities" Ratio STEPS "The mean number of turns in a game that used an ability on another piece, as a pillbug throws." =
        |view| Some(acts(view, Act::Ability));
    "thrown" Ratio STEPS "The mean number of turns in a game on which a piece was brought to another cell by the ability of another one." =
        |view| Some((thrown(view), 1));
    "covered" Ratio STEPS "The mean number of pieces that lie below others, after a ply." =
        |view| Some((covered(view), counted(view)));
    "stacked" Ratio STEPS "The share of plies after which a piece stands on another." = |view| {
        let stacked = view.steps().filter(|step| step.highest > 1).count();
        Some((stacked as u64, counted(view)))
    };
    "highest" Most STEPS "The number of pieces in the highest stack." =
        |view| Some((view.steps().map(|step| step.highest.into()).max().unwrap_or(0), 1));
    "passes" Ratio STEPS "The mean number of passes in a game, all of them forced." = |view| {
        let passes = view.own_steps().filter(|step| step.act == Act::Pass).count();
        view.tile.is_none().then_some((passes as u64, 1))
    };
    "turns" Count STEPS "How many plies are counted: of both sides, of the side that is counted, or taken with the piece that is counted." =
        |view| Some((own(view), 1));
    "mobility" Ratio LEGAL "The mean number of legal turns before a ply: of plies of both sides, or of the side that is counted; a forced pass is none." =
        |view| {
            let legal = view.own_steps().map(|step| step.legal).sum();
            view.tile.is_none().then_some((legal, own(view)))
        };
    "most_mobility" Most LEGAL "The most legal turns before a ply." =
        |view| Some((view.own_steps().map(|step| step.legal).max().unwrap_or(0), 1));
    "pinned" Ratio PINNED "The share of all plies, of both sides, before which a queen is pinned: of both queens, or of that of the side that is counted." =
        |view| {
            let pinned = view.steps().map(|step| view.of_sides(step.pinned)).sum();
            is_of_queens(view).then_some((pinned, counted(view) * view.sides().count() as u64))
        };
    "queen_neighbours" Ratio STEPS "The mean number of neighbours of a queen on the table, after each ply of either side: of both queens, or of that of the side that is counted." =
        queen_neighbours;
    "decisive" Ratio STEPS "Of games that end on the board, the share in which the last turn brought a piece of the side, or the piece that is counted, to its place." =
        decisive;
    "repetition" Ratio THIRD "The share of games in which a position comes for the third time (effective definition)." =
        |view| Some((u64::from(view.course.third.is_some()), 1));
    "missed_wins" Ratio SLIPS "The mean number of plies in a game on which a player could surround the queen of the other at once, and did not. Counted only where --metrics names it." =
        |view| Some((view.own_steps().filter(|step| step.misses_win).count() as u64, 1));
    "allowed_wins" Ratio SLIPS "The mean number of plies in a game after which the other player could win at once, though there was a turn after which he could not. Counted only where --metrics names it." =
        |view| Some((view.own_steps().filter(|step| step.allows_win).count() as u64, 1));
}

fn ended(view: &View<'_>, outcome: Option<Outcome>) -> (u64, u64) {
    (u64::from(view.game.outcome() == outcome), 1)
}

fn plies(view: &View<'_>) -> u64 {
    view.game.turns().len() as u64
}

/// How many plies are counted, of both sides.
fn counted(view: &View<'_>) -> u64 {
    view.steps().count() as u64
}

/// How many plies are counted that the side took which is counted.
fn own(view: &View<'_>) -> u64 {
    view.own_steps().count() as u64
}

/// The numbers of the turns on which pieces that are counted are placed.
fn placed(view: &View<'_>) -> impl Iterator<Item = u64> {
    let steps = view.steps().filter(|step| step.act == Act::Place);
    steps.filter(|step| step.piece.is_some_and(|piece| view.has(piece))).map(|step| step.number)
}

/// The sum of some values, and how many there are; nothing if there is none.
fn mean(values: impl Iterator<Item = u64>) -> Option<(u64, u64)> {
    let (sum, count) = values.fold((0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then_some((sum, count))
}

/// How many turns pieces that are counted took, of a kind.
fn acts(view: &View<'_>, act: Act) -> (u64, u64) {
    let is_counted = |actor| view.has(actor);
    let steps = view.steps().filter(|step| step.act == act);
    (steps.filter(|step| step.turn.actor().is_some_and(is_counted)).count() as u64, 1)
}

fn queen_turn(view: &View<'_>) -> Option<(u64, u64)> {
    let queens = view.steps().filter(|step| {
        step.act == Act::Place
            && step.piece.is_some_and(|piece| piece.bug() == Bug::Queen && view.has(piece))
    });
    mean(queens.map(|step| step.number))
}

fn distance(view: &View<'_>) -> Option<(u64, u64)> {
    let moves = view
        .steps()
        .filter(|step| step.act == Act::Move && step.piece.is_some_and(|piece| view.has(piece)));
    mean(moves.filter_map(|step| step.distance))
}

fn thrown(view: &View<'_>) -> u64 {
    let thrown = view
        .steps()
        .filter(|step| step.act == Act::Ability && step.piece.is_some_and(|piece| view.has(piece)));
    thrown.count() as u64
}

fn covered(view: &View<'_>) -> u64 {
    let covered = |pieces: &[_]| pieces.iter().filter(|&&piece| view.has(piece)).count();
    view.steps().map(|step| covered(&step.covered) as u64).sum()
}

/// Whether queens are counted.
fn is_of_queens(view: &View<'_>) -> bool {
    view.tile.is_none_or(|tile| tile.bug == Bug::Queen)
}

fn queen_neighbours(view: &View<'_>) -> Option<(u64, u64)> {
    let around = |side| view.steps().filter_map(move |step| step.around[side as usize]);
    is_of_queens(view).then(|| mean(view.sides().flat_map(around).map(u64::from)))?
}

fn decisive(view: &View<'_>) -> Option<(u64, u64)> {
    let last = view.course.steps.last().filter(|_| view.game.ends_on_board())?;
    Some((u64::from(last.piece.is_some_and(|piece| view.has(piece))), 1))
}

fn rating(view: &View<'_>) -> Option<(u64, u64)> {
    mean(view.sides().filter_map(|side| told_rating(view, side)))
}

/// The rating of a player, if it is one: programs write other numbers where they know none.
fn told_rating(view: &View<'_>, side: Color) -> Option<u64> {
    let rating = u64::try_from(view.game.rating(side)?).ok();
    rating.filter(|rating| (1..10_000).contains(rating))
}

fn result(view: &View<'_>) -> [u64; 3] {
    result_of(view).unwrap_or_default()
}
