//! How a kind of piece walks, as a text that a player can hold against the rule book.
//!
//! Grammar: `grammar/walk.ebnf`. A walk is one or more paths, a path one or more steps; the walker is
//! lifted and goes from one cell to a different one. Fan pieces move by this reading of their row in the table.
//! The official pieces move by code that is written for speed; for them it explains why a piece cannot
//! reach a cell, and the tests hold the fast code to it.
use crate::{
    parse::{Parsed, Production, productions},
    rules::{Cell, Color, Piece, hive::Hive, ring},
};
use nom::{
    Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{char, one_of},
    combinator::{all_consuming, map, opt, value},
    error::context,
    multi::separated_list1,
    sequence::{delimited, pair},
};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    error, fmt,
    str::FromStr,
};

/// One kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atom {
    /// `S`: along the ground to an empty cell.
    Slide,
    /// `U`: from the ground onto a neighbour.
    Up,
    /// `T`: from one stack onto the next.
    Across,
    /// `D`: from a stack to an empty cell.
    Down,
    /// `J`: over a row of one piece or more.
    Jump,
    /// `J1`: over exactly one piece.
    Hop,
    /// `Ray`: across stacks in one direction, and down at the end of the row.
    Ray,
    /// `N`: beneath a neighbour.
    Burrow,
    /// `Fly`: through the air, onto the piece that the other side used last.
    Fly,
}

/// A step with what is asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    atom: Atom,
    /// Only onto stacks whose top is the walker's colour.
    own: bool,
    /// How often it is taken: from `.0` times to `.1` times.
    times: (u8, u8),
}

/// The walk of a kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    paths: Vec<Vec<Step>>,
    /// No cell twice, the start included.
    distinct: bool,
    /// It ends on a cell with exactly one piece.
    end1: bool,
    /// The piece there goes to where the walker came from.
    swaps: bool,
}

/// Which laws of movement a walk keeps. To break one is never legal; it tells which law stops a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laws {
    /// A step must fit through the gap between its neighbours.
    pub gates: bool,
    /// A slide must keep touching the hive.
    pub contact: bool,
}

impl Laws {
    /// Both: the rules.
    pub const ALL: Laws = Laws { gates: true, contact: true };
}

/// Text that is no walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseWalkError;

impl fmt::Display for ParseWalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a walk")
    }
}

impl error::Error for ParseWalkError {}

impl FromStr for Walk {
    type Err = ParseWalkError;

    fn from_str(text: &str) -> Result<Walk, ParseWalkError> {
        all_consuming(walk).parse(text).map(|(_, walk)| walk).map_err(|_| ParseWalkError)
    }
}

/// `atom`: the longer names first, since they begin alike.
fn atom(s: &str) -> Parsed<'_, Atom> {
    context(
        "a step",
        alt((
            value(Atom::Hop, tag("J1")),
            value(Atom::Ray, tag("Ray")),
            value(Atom::Slide, char('S')),
            value(Atom::Up, char('U')),
            value(Atom::Across, char('T')),
            value(Atom::Down, char('D')),
            value(Atom::Jump, char('J')),
            value(Atom::Burrow, char('N')),
            value(Atom::Fly, tag("Fly")),
        )),
    )
    .parse(s)
}

/// `repeat`
fn repeat(s: &str) -> Parsed<'_, (u8, u8)> {
    alt((
        value((1, u8::MAX), char('+')),
        value((0, u8::MAX), char('*')),
        map(delimited(char('{'), one_of("0123456789"), char('}')), |digit| {
            let times = digit as u8 - b'0';
            (times, times)
        }),
    ))
    .parse(s)
}

/// `step`
fn step(s: &str) -> Parsed<'_, Step> {
    map((atom, opt(tag("[own]")), opt(repeat)), |(atom, own, times)| Step {
        atom,
        own: own.is_some(),
        times: times.unwrap_or((1, 1)),
    })
    .parse(s)
}

/// `path`
fn path(s: &str) -> Parsed<'_, Vec<Step>> {
    separated_list1(char(' '), step).parse(s)
}

/// `walk`
fn walk(s: &str) -> Parsed<'_, Walk> {
    map(
        pair(
            separated_list1(tag(" | "), path),
            (opt(tag(" distinct")), opt(tag(" end1")), opt(tag(" -> swap"))),
        ),
        |(paths, (distinct, end1, swaps))| Walk {
            paths,
            distinct: distinct.is_some(),
            end1: end1.is_some(),
            swaps: swaps.is_some(),
        },
    )
    .parse(s)
}

/// The productions of `grammar/walk.ebnf`, leaves first, each with its parser.
pub const PRODUCTIONS: &[Production] = productions! {
    "atom" = atom, "repeat" = repeat, "step" = step, "path" = path, "walk" = walk,
};

/// Where a walk can end, each with a shortest way, which has both ends.
pub(in crate::rules) type Routes = BTreeMap<Cell, Vec<Cell>>;

/// Where a walker is on its way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Walker {
    cell: Cell,
    /// How many pieces are under it.
    level: u8,
    /// The cells it has left, if the walk asks for different ones.
    path: Vec<Cell>,
    route: Route,
}

/// The cells that a walker has left, for those who ask for them. It does not tell walkers apart: of several that are the
/// same the first counts, which took the fewest steps.
#[derive(Clone, Debug, Default)]
struct Route(Vec<Cell>);

impl PartialEq for Route {
    fn eq(&self, _: &Route) -> bool {
        true
    }
}

impl Eq for Route {}

impl PartialOrd for Route {
    fn partial_cmp(&self, other: &Route) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Route {
    fn cmp(&self, _: &Route) -> Ordering {
        Ordering::Equal
    }
}

/// What a walk depends on, with the walker and all that it carries lifted.
pub(in crate::rules) struct Ground<'h> {
    /// What stands on the table.
    pub(in crate::rules) hive: &'h Hive,
    /// Where the walker comes from.
    pub(in crate::rules) from: Cell,
    /// How many pieces are under it there. What stood on it has come down.
    pub(in crate::rules) level: u8,
    /// Whether a piece is on the walker's side.
    pub(in crate::rules) is_friend: &'h dyn Fn(Piece) -> bool,
    /// Whether nothing may come to a cell.
    pub(in crate::rules) is_closed: &'h dyn Fn(Cell) -> bool,
    /// Where a `Fly` leads.
    pub(in crate::rules) used_last: &'h [Cell],
    /// The laws that it keeps.
    pub(in crate::rules) laws: Laws,
    /// Whether the ways are kept, too.
    pub(in crate::rules) keeps_routes: bool,
}

impl Walk {
    /// Whether a path of the walk can end on other pieces.
    pub fn ends_on_top(&self) -> bool {
        self.paths
            .iter()
            .filter_map(|path| path.last())
            .any(|step| matches!(step.atom, Atom::Up | Atom::Across))
            && !self.swaps
    }

    /// Whether the walker exchanges places with the piece to which it comes.
    pub fn swaps(&self) -> bool {
        self.swaps
    }

    /// The same walk with any number of steps where it takes a fixed number of several.
    #[must_use]
    pub fn with_any_length(&self) -> Walk {
        let mut walk = Walk { distinct: false, ..self.clone() };
        for step in walk.paths.iter_mut().flatten().filter(|step| step.times.0 > 1) {
            step.times = (1, u8::MAX);
        }
        walk
    }

    /// The cells where the walk can end, for a walker of colour `color` that stands lifted off the top of `from`.
    pub fn destinations(
        &self,
        hive: &Hive,
        from: Cell,
        color: Color,
        laws: Laws,
    ) -> BTreeSet<Cell> {
        let level = hive.height(from);
        let is_friend = |piece: Piece| piece.color() == color;
        self.ends(&Ground {
            hive,
            from,
            level,
            is_friend: &is_friend,
            is_closed: &|_| false,
            used_last: &[],
            laws,
            keeps_routes: false,
        })
    }

    /// The cells where the walk can end.
    pub(in crate::rules) fn ends(&self, ground: &Ground<'_>) -> BTreeSet<Cell> {
        let mut ends: BTreeSet<Cell> = self.arrived(ground).map(|walker| walker.cell).collect();
        ends.remove(&ground.from);
        ends
    }

    /// For each of them a shortest way, with both ends.
    pub(in crate::rules) fn routes(&self, ground: &Ground<'_>) -> Routes {
        let mut routes = BTreeMap::new();
        for Walker { cell, route: Route(mut route), .. } in self.arrived(ground) {
            route.push(cell);
            routes.entry(cell).or_insert(route);
        }
        routes.remove(&ground.from);
        routes
    }

    /// All walkers at the ends of their ways.
    fn arrived(&self, ground: &Ground<'_>) -> impl Iterator<Item = Walker> {
        let Ground { hive, from, level, .. } = *ground;
        let start = Walker { cell: from, level, path: Vec::new(), route: Route::default() };
        self.paths
            .iter()
            .flat_map(move |path| {
                path.iter().fold(BTreeSet::from([start.clone()]), |walkers, step| {
                    self.repeated(ground, *step, walkers)
                })
            })
            .filter(move |walker| !self.end1 || hive.height(walker.cell) == 1)
    }

    /// All walkers after the step was taken as often as it asks.
    fn repeated(
        &self,
        ground: &Ground<'_>,
        step: Step,
        walkers: BTreeSet<Walker>,
    ) -> BTreeSet<Walker> {
        let (least, most) = step.times;
        let mut fresh = walkers;
        for _ in 0..least {
            fresh = fresh.iter().flat_map(|walker| self.once(ground, step, walker)).collect();
        }
        let mut all = fresh.clone();
        for _ in least..most {
            fresh = fresh
                .iter()
                .flat_map(|walker| self.once(ground, step, walker))
                .filter(|walker| !all.contains(walker))
                .collect();
            if fresh.is_empty() {
                break;
            }
            all.extend(fresh.iter().cloned());
        }
        all
    }

    /// All walkers after one step.
    fn once(&self, ground: &Ground<'_>, step: Step, walker: &Walker) -> Vec<Walker> {
        let cells: Vec<Cell> = if step.atom == Atom::Fly {
            ground.used_last.to_vec()
        } else {
            (0..6).filter_map(|side| ground.step(step.atom, walker, side)).collect()
        };
        cells
            .into_iter()
            .filter(|&to| !(ground.is_closed)(to))
            .filter(|&to| !step.own || ground.hive.top(to).is_some_and(ground.is_friend))
            .filter(|&to| !self.distinct || to != walker.cell && !walker.path.contains(&to))
            .map(|to| {
                let mut path = walker.path.clone();
                if self.distinct {
                    path.push(walker.cell);
                }
                let mut route = walker.route.clone();
                if ground.keeps_routes {
                    route.0.push(walker.cell);
                }
                let level = if step.atom == Atom::Burrow { 0 } else { ground.hive.height(to) };
                Walker { cell: to, level, path, route }
            })
            .collect()
    }
}

impl Ground<'_> {
    /// The cell that a step to this side leads to.
    fn step(&self, atom: Atom, walker: &Walker, side: usize) -> Option<Cell> {
        let to = walker.cell.toward(side);
        let (occupied, level) = (self.hive.is_occupied(to), walker.level);
        let fits = !self.laws.gates || self.hive.fits(walker.cell, level, side);
        match atom {
            Atom::Slide => {
                let touches = !self.laws.contact || self.touches_beside(walker.cell, side);
                (level == 0 && !occupied && fits && touches && self.is_near(to)).then_some(to)
            }
            Atom::Up => (level == 0 && occupied && fits).then_some(to),
            Atom::Across => (level > 0 && occupied && fits).then_some(to),
            Atom::Down => (level > 0 && !occupied && fits).then_some(to),
            Atom::Jump => self.behind_row(walker.cell, side, u8::MAX),
            Atom::Hop => self.behind_row(walker.cell, side, 1),
            Atom::Ray => self.down_the_ray(walker, side),
            Atom::Burrow => occupied.then_some(to),
            // It leads to no side.
            Atom::Fly => None,
        }
    }

    /// Whether one of the two cells beside a step is occupied, or the one that it leaves, where something has stayed.
    fn touches_beside(&self, from: Cell, side: usize) -> bool {
        let beside = [ring::previous(side), ring::next(side)];
        self.hive.is_occupied(from)
            || beside.into_iter().any(|side| self.hive.is_occupied(from.toward(side)))
    }

    /// Whether a piece stands within two steps: farther out, even a walk that may lose the hive has
    /// no business.
    fn is_near(&self, cell: Cell) -> bool {
        self.hive.ring(cell) != 0 || (0..6).any(|side| self.hive.ring(cell.toward(side)) != 0)
    }

    /// The first empty cell behind an unbroken row of 1 to `most` stacks.
    fn behind_row(&self, from: Cell, side: usize, most: u8) -> Option<Cell> {
        let mut at = from.toward(side);
        let mut row = 0;
        while self.hive.is_occupied(at) {
            at = at.toward(side);
            row += 1;
        }
        (1..=most).contains(&row).then_some(at)
    }

    /// The end of a straight way over one stack or more, with open gates all along.
    fn down_the_ray(&self, walker: &Walker, side: usize) -> Option<Cell> {
        let (mut at, mut level) = (walker.cell, walker.level);
        let mut crossed = 0;
        while level > 0 && (!self.laws.gates || self.hive.fits(at, level, side)) {
            at = at.toward(side);
            if !self.hive.is_occupied(at) {
                return (crossed > 0).then_some(at);
            }
            if (self.is_closed)(at) {
                return None;
            }
            level = self.hive.height(at);
            crossed += 1;
        }
        None
    }
}
