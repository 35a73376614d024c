//! Players: their results, and how strong they are.
use super::count::{Asked, Counting};
use crate::{
    cmd::{Failure, Io, Verdict, rows::Output},
    report::{Cell, Row},
    stats::{Key, METRICS, Pairs, Partial, Ratings, Score, Strength},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
};

/// How strong players are
///
/// A row for each player: his games, with wins, draws, losses, and those without a known result; his score in games with
/// one, with the interval in which it truly is with a chance of 95 % (Wilson); and a rating in Elo, with how far it may be off
/// to both sides, with a chance of 95 %. Ratings are those of Bradley and Terry: under them the results are most likely, with two
/// more draws for each player against one of 1500, and an advantage for White. Games of a player against himself do not
/// count for them, and count twice in his row, once for each side. Bots stand apart, at the end: they are rated by their games
/// against players who are rated by games against each other, whose ratings they leave as they are; who played bots alone is
/// rated by those games.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit stats players archive/
  hivekit stats players --min-games 20 --top 30 --format csv archive/
  hivekit stats players --bots nokamute,Mzinga archive/
  hivekit stats players --since 2024 --type Base+MLP archive/")]
pub(super) struct Args {
    /// These players are bots, besides those whose names end in `bot`
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    bots: Vec<String>,
    /// Leave out players with fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// No more than so many players
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    counting: Counting,
}

/// What is known of a player.
#[derive(Default)]
struct Player {
    name: String,
    is_bot: bool,
    /// How many games he won, drew and lost.
    results: [u64; 3],
    /// How many have no result.
    open: u64,
    opponents: BTreeSet<String>,
    strength: Option<Strength>,
}

impl Row for Player {
    const COLUMNS: &'static [&'static str] = &[
        "player",
        "bot",
        "games",
        "win",
        "draw",
        "loss",
        "open",
        "score",
        "score_low",
        "score_high",
        "elo",
        "elo_error",
        "opponents",
    ];

    fn cells(&self) -> Vec<Cell> {
        let [wins, draws, losses] = self.results;
        let score = Score::of(wins, draws, losses);
        let share = |of: fn(Score) -> f64| score.map_or(Cell::Missing, |s| Cell::Share(of(s)));
        let elo = |of: fn(Strength) -> f64| self.strength.map_or(Cell::Missing, |s| whole(of(s)));
        let name = if self.name.is_empty() { Cell::Missing } else { Cell::Text(self.name.clone()) };
        vec![
            name,
            Cell::Flag(self.is_bot),
            Cell::Count(self.games()),
            Cell::Count(wins),
            Cell::Count(draws),
            Cell::Count(losses),
            Cell::Count(self.open),
            share(|score| score.score),
            share(|score| score.low),
            share(|score| score.high),
            elo(|strength| strength.elo),
            elo(|strength| strength.error),
            Cell::Count(self.opponents.len() as u64),
        ]
    }
}

/// A rating without a fraction.
#[expect(clippy::cast_possible_truncation, reason = "ratings are small numbers")]
fn whole(rating: f64) -> Cell {
    Cell::Whole(rating.round() as i64)
}

impl Player {
    fn games(&self) -> u64 {
        self.results.iter().sum::<u64>() + self.open
    }

    fn add(&mut self, results: [u64; 3], open: u64, opponent: &str) {
        self.results.iter_mut().zip(results).for_each(|(sum, games)| *sum += games);
        self.open += open;
        if !opponent.is_empty() {
            self.opponents.insert(opponent.to_owned());
        }
    }
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let names = ["White", "Black"].map(|name| Key::Tag(name.to_owned()));
    let metrics = METRICS.iter().filter(|metric| metric.name == "games").collect();
    let asked = Asked { keys: vec![names.to_vec()], is_any: false, metrics };
    args.counting.run(&asked, quiet, io, |partial, out| args.show(partial, out))
}

impl Args {
    fn show(&self, partial: &Partial, out: &mut dyn Write) -> Result<(), Failure> {
        let (players, ratings) = self.players(partial);
        let shown = players.into_iter().filter(|player| player.games() >= self.min_games);
        self.output.write(shown.take(self.top.unwrap_or(usize::MAX)), out)?;
        if self.output.is_table() && !ratings.of.is_empty() {
            writeln!(out, "\nThe advantage of White is {:.0} Elo.", ratings.advantage)?;
        }
        Ok(())
    }

    fn is_bot(&self, name: &str) -> bool {
        name.to_lowercase().ends_with("bot") || self.bots.iter().any(|bot| bot == name)
    }

    /// All players: the strongest first, those without a rating by their games, and bots after all others.
    fn players(&self, partial: &Partial) -> (Vec<Player>, Ratings) {
        let mut players: BTreeMap<&str, Player> = BTreeMap::new();
        let mut pairs = Pairs::default();
        for (names, sums) in partial.groupings.iter().flat_map(|(_, groups)| groups.iter()) {
            let [white, black] = names else { continue };
            let results = sums.results();
            let [wins, draws, losses] = results;
            let open = sums.games() - results.iter().sum::<u64>();
            players.entry(white).or_default().add(results, open, black);
            players.entry(black).or_default().add([losses, draws, wins], open, white);
            if !white.is_empty() && !black.is_empty() {
                pairs.add(white, black, results);
            }
        }
        let ratings = pairs.ratings(|name| self.is_bot(name));
        let mut players: Vec<Player> = players
            .into_iter()
            .map(|(name, player)| Player {
                is_bot: self.is_bot(name),
                strength: ratings.of.get(name).copied(),
                name: name.to_owned(),
                ..player
            })
            .collect();
        players.sort_by(|one, other| {
            let elo = |player: &Player| player.strength.map_or(f64::MIN, |strength| strength.elo);
            let by_elo = elo(other).total_cmp(&elo(one));
            one.is_bot.cmp(&other.is_bot).then(by_elo).then(other.games().cmp(&one.games()))
        });
        (players, ratings)
    }
}
