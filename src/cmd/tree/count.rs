//! Counting: which positions games come to, and how they go on.
use crate::{
    cmd::games::Candidate,
    game::Game,
    notation::move_string::MoveString,
    position::{Same, canonical},
    query::{Facts, Query},
    rules::{Color, GameType, Key, OpeningRule, Outcome, Position, Turn},
    stats::Score,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::RangeInclusive,
};

/// The position that a tree begins with.
pub(super) struct Root {
    same: Same,
    /// None if it is the start of each game.
    key: Option<Key>,
    /// How many pieces are on the table in positions that can be in the tree.
    pieces: RangeInclusive<u32>,
}

/// What a game says to a tree. Positions are told by what [`Same::identity`] says of them.
pub(super) struct Visits {
    game_type: GameType,
    /// The position that the tree begins with, if the game comes to it, and the side to move.
    root: Option<(Key, Color)>,
    /// The steps of the game that could be in the tree, from one position to another, each once, with the side to move
    /// after it: with exchanged colours that can be another one than in the tree.
    steps: BTreeMap<(Key, Key), Color>,
    /// Its positions that could be.
    seen: BTreeSet<Key>,
    outcome: Option<Outcome>,
    rating: Option<(i64, u64)>,
    date: Option<String>,
}

/// How games went that came to a position, for the sides as they are in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stats {
    pub(super) games: u64,
    pub(super) white: u64,
    pub(super) draw: u64,
    pub(super) black: u64,
    /// The sum of all ratings that are known, and how many these are.
    ratings: (i64, u64),
    /// The latest date.
    pub(super) last: Option<String>,
}

impl Stats {
    /// Counts a game that has this side to move where the tree has White.
    fn add(&mut self, visits: &Visits, to_move: Color) {
        self.games += 1;
        match visits.outcome {
            Some(Outcome::Draw) => self.draw += 1,
            Some(outcome) if outcome == Outcome::win(to_move) => self.white += 1,
            Some(_) => self.black += 1,
            None => {}
        }
        if let Some((sum, count)) = visits.rating {
            self.ratings = (self.ratings.0.saturating_add(sum), self.ratings.1 + count);
        }
        self.last = self.last.take().max(visits.date.clone());
    }

    /// The same for a position with this side to move.
    fn seen_by(mut self, to_move: Color) -> Stats {
        if to_move == Color::Black {
            std::mem::swap(&mut self.white, &mut self.black);
        }
        self
    }

    /// How many have no result.
    pub(super) fn open(&self) -> u64 {
        self.games - self.white - self.draw - self.black
    }

    /// The mean of the ratings that are known.
    pub(super) fn rating(&self) -> Option<i64> {
        let (sum, count) = self.ratings;
        sum.checked_div(i64::try_from(count).ok()?)
    }

    /// White's score, of games with a result.
    pub(super) fn score(&self) -> Option<Score> {
        Score::of(self.white, self.draw, self.black)
    }
}

impl Root {
    pub(super) fn new(position: Option<&Position>, depth: usize, same: Same) -> Root {
        let first = position.map_or(0, placed);
        let last = first.saturating_add(u32::try_from(depth).unwrap_or(u32::MAX));
        let key = position.map(|position| identity(same, &mut position.clone()));
        Root { same, key, pieces: first..=last }
    }

    /// What a game says to the tree; nothing if it is not one that is meant.
    pub(super) fn visits(
        &self,
        game: &Game,
        candidate: &mut Candidate<'_>,
        query: &Query,
    ) -> Option<Visits> {
        let position = &mut *candidate.position;
        if !query.holds(&mut Facts { game: Some(game), position }) {
            return None;
        }
        let (mut start, mut before) = (None, None);
        let (mut steps, mut seen) = (BTreeMap::new(), BTreeMap::new());
        game.each_key(position, |position, key| {
            let placed = placed(position);
            if placed > *self.pieces.end() {
                return false;
            }
            let key = self.same.identity(key, position);
            if let Some(before) = before.filter(|before| seen.contains_key(before)) {
                steps.entry((before, key)).or_insert(position.to_move());
            }
            if self.pieces.contains(&placed) {
                seen.entry(key).or_insert(position.to_move());
            }
            start.get_or_insert(key);
            before = Some(key);
            true
        });
        let root = self.key.or(start).and_then(|root| Some((root, *seen.get(&root)?)));
        let seen = seen.into_keys().collect();
        let outcome = game.outcome();
        let date = game.tag("Date").filter(|date| is_date(date)).map(str::to_owned);
        let game_type = game.game_type();
        Some(Visits { game_type, root, steps, seen, outcome, rating: rating(game), date })
    }
}

/// What tells a position apart.
fn identity(same: Same, position: &mut Position) -> Key {
    let key = position.key();
    same.identity(key, position)
}

/// How many pieces are on the table.
fn placed(position: &Position) -> u32 {
    Color::BOTH.map(|color| position.hive().count(color)).iter().sum()
}

/// Whether a text begins with a year, so that texts can be compared.
fn is_date(date: &str) -> bool {
    date.len() >= 4 && date.bytes().take(4).all(|byte| byte.is_ascii_digit())
}

/// The sum of the players' ratings, and how many are known.
fn rating(game: &Game) -> Option<(i64, u64)> {
    let ratings = Color::BOTH.into_iter().filter_map(|color| game.rating(color));
    let (sum, count) =
        ratings.fold((0i64, 0), |(sum, count), r| (sum.saturating_add(r), count + 1));
    (count > 0).then_some((sum, count))
}

/// What all games say. What is counted of a game is seen by the side to move, as if that were White.
pub(super) struct Counts {
    same: Same,
    /// How many games come to a position.
    seen: HashMap<Key, u64>,
    /// How those that came from one position to another went.
    steps: HashMap<Key, BTreeMap<Key, Stats>>,
    /// How those went that came to a position that a tree begins with.
    roots: HashMap<Key, Stats>,
    /// The types of the games that are none of the official ones.
    other_types: BTreeSet<GameType>,
}

/// What a tree is to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wishes {
    pub(super) depth: usize,
    pub(super) min_games: u64,
    /// Whether the texts of positions are shown, which take long to make.
    pub(super) names: bool,
}

/// A position, how games came to it, and how they went on.
pub(super) struct Node {
    pub(super) game_type: GameType,
    /// The text of the position, if that is shown.
    pub(super) position: String,
    /// The move that leads to it; none leads to the root.
    pub(super) text: String,
    pub(super) stats: Stats,
    /// How many games come to the position in other ways.
    pub(super) others: u64,
    /// Whether what follows is told where the position came before.
    pub(super) is_unfolded_before: bool,
    pub(super) children: Vec<Node>,
}

impl Counts {
    pub(super) fn new(same: Same) -> Counts {
        Counts {
            same,
            seen: HashMap::new(),
            steps: HashMap::new(),
            roots: HashMap::new(),
            other_types: BTreeSet::new(),
        }
    }

    pub(super) fn add(&mut self, visits: &Visits) {
        for &key in &visits.seen {
            *self.seen.entry(key).or_default() += 1;
        }
        for (&(from, to), &to_move) in &visits.steps {
            self.steps.entry(from).or_default().entry(to).or_default().add(visits, to_move);
        }
        if !visits.game_type.is_official() {
            self.other_types.insert(visits.game_type);
        }
        if let Some((root, to_move)) = visits.root {
            self.roots.entry(root).or_default().add(visits, to_move);
        }
    }

    /// How many games come to a position.
    pub(super) fn games_at(&self, key: Key) -> u64 {
        self.seen.get(&key).copied().unwrap_or(0)
    }

    /// The starts of the games, of those types first of which there are most.
    pub(super) fn starts(&self) -> Vec<Position> {
        let start = |game_type| {
            let mut start = Position::new(game_type, OpeningRule::Any);
            let games = self.games_at(identity(self.same, &mut start));
            (games, start)
        };
        let types = GameType::official().chain(self.other_types.iter().copied());
        let mut starts: Vec<_> = types.map(start).filter(|(n, _)| *n > 0).collect();
        starts.sort_by_key(|(games, _)| Reverse(*games));
        starts.into_iter().map(|(_, start)| start).collect()
    }

    /// The tree from a position on.
    pub(super) fn tree(&self, position: &mut Position, wishes: Wishes) -> Node {
        let mut unfolding = Unfolding { counts: self, wishes, unfolded: HashMap::new() };
        Node {
            game_type: position.game_type(),
            position: unfolding.name(position),
            text: String::new(),
            stats: self.stats_of_root(position),
            others: 0,
            is_unfolded_before: false,
            children: unfolding.children(position, wishes.depth).unwrap_or_default(),
        }
    }
}

impl Counts {
    fn stats_of_root(&self, position: &mut Position) -> Stats {
        let stats = self.roots.get(&identity(self.same, position)).cloned();
        stats.unwrap_or_default().seen_by(position.to_move())
    }
}

/// Makes a tree of what is no tree, since many ways lead to one position: each is unfolded where it first comes.
struct Unfolding<'c> {
    counts: &'c Counts,
    wishes: Wishes,
    /// How many plies were followed from a position, with this side to move.
    unfolded: HashMap<(Key, Color), usize>,
}

impl Unfolding<'_> {
    /// The text of a position, where it is shown.
    fn name(&self, position: &mut Position) -> String {
        match self.counts.same {
            _ if !self.wishes.names => String::new(),
            // Of the two with exchanged colours the one that the numbers are about.
            Same::TurnedColours => canonical(position, false),
            same => same.name(position),
        }
    }

    /// The continuations of a position, that of most games first; none where they were unfolded before.
    fn children(&mut self, position: &mut Position, depth: usize) -> Option<Vec<Node>> {
        let own = identity(self.counts.same, position);
        let Some(steps) = self.counts.steps.get(&own).filter(|_| depth > 0) else {
            return Some(Vec::new());
        };
        let name = (own, position.to_move());
        if self.unfolded.get(&name).is_some_and(|&followed| followed >= depth) {
            return None;
        }
        self.unfolded.insert(name, depth);
        let mut found: Vec<(Key, Turn, String)> = continuations(position, self.counts.same, steps)
            .filter(|(key, _)| steps[key].games >= self.wishes.min_games)
            .map(|(key, turn)| (key, turn, MoveString::new(position, turn).to_string()))
            .collect();
        let rank = |(key, _, text): &(Key, Turn, String)| (Reverse(steps[key].games), text.clone());
        found.sort_by_key(rank);
        let mut children = Vec::with_capacity(found.len());
        for (key, turn, text) in found {
            position.make(turn);
            let stats = steps[&key].clone().seen_by(position.to_move());
            let unfolded = self.children(position, depth - 1);
            children.push(Node {
                game_type: position.game_type(),
                position: self.name(position),
                text,
                others: self.counts.games_at(key).saturating_sub(stats.games),
                stats,
                is_unfolded_before: unfolded.is_none(),
                children: unfolded.unwrap_or_default(),
            });
            position.undo();
        }
        Some(children)
    }
}

/// The turns that lead to these positions: of several to one the first.
fn continuations(
    position: &mut Position,
    same: Same,
    steps: &BTreeMap<Key, Stats>,
) -> impl Iterator<Item = (Key, Turn)> + use<> {
    let mut found = BTreeMap::new();
    for turn in position.turns() {
        position.make(turn);
        let key = identity(same, position);
        position.undo();
        if steps.contains_key(&key) {
            found.entry(key).or_insert(turn);
        }
    }
    found.into_iter()
}
