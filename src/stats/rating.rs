//! How strong players are, from their results against each other.
//!
//! The model is that of Bradley and Terry: White scores with a chance of `1 / (1 + 10 ^ ((black - white - advantage) /
//! 400))` against Black, and a draw is half a win. The ratings are those under which the results are most likely, where each
//! player has two more draws against one of [`AVERAGE`], so that nobody who won or lost all his games is infinitely far away.
use std::collections::BTreeMap;

/// The rating of an average player.
const AVERAGE: f64 = 1500.0;

/// How many games each player draws against an average one, before all others.
const PRIOR: f64 = 2.0;

/// How many standard deviations hold 95 % of a normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// How many Elo a strength of 1 is: one that makes the odds e.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// How often all strengths are looked at, at most.
const ROUNDS: usize = 10_000;

/// When strengths no longer change.
const ENOUGH: f64 = 1e-7;

/// The results of pairs of players: by White and Black how many games White won, drew and lost.
#[derive(Clone, Debug, Default)]
pub struct Pairs(BTreeMap<(String, String), [u64; 3]>);

/// A rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The rating in Elo.
    pub elo: f64,
    /// How far it may be off to both sides, in Elo, with a chance of 95 %, where those of all others are right.
    pub error: f64,
}

/// The ratings of players.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    /// Those of players, by name.
    pub of: BTreeMap<String, Strength>,
    /// By how many Elo White is stronger for beginning.
    pub advantage: f64,
}

impl Pairs {
    /// Adds the results of White against Black. Games of a player against himself say nothing.
    pub fn add(&mut self, white: &str, black: &str, results: [u64; 3]) {
        if white != black && results != [0; 3] {
            let all = self.0.entry((white.to_owned(), black.to_owned())).or_default();
            all.iter_mut().zip(results).for_each(|(sum, games)| *sum += games);
        }
    }

    /// The ratings of all players: first of those that are no bots, by the games among them; then of the bots, by their
    /// games against those, whose ratings stand, and each other; then of the rest, by their games against all that have one.
    pub fn ratings(&self, is_bot: impl Fn(&str) -> bool) -> Ratings {
        let mut ratings = Ratings::default();
        let people = Fit::of(self, &ratings, |white, black| !is_bot(white) && !is_bot(black));
        people.fit(&mut ratings, true);
        let others = Fit::of(self, &ratings, |white, black| {
            let known = |name: &str| is_bot(name) || ratings.of.contains_key(name);
            (is_bot(white) || is_bot(black)) && known(white) && known(black)
        });
        others.fit(&mut ratings, false);
        let rest = Fit::of(self, &ratings, |white, black| {
            [white, black].iter().any(|name| !ratings.of.contains_key(*name))
        });
        rest.fit(&mut ratings, false);
        ratings
    }
}

/// Results of White against Black.
struct Result {
    white: usize,
    black: usize,
    score: f64,
    games: f64,
}

/// Ratings that are looked for.
struct Fit {
    names: Vec<String>,
    /// The strength of each player, and whether it stands.
    strengths: Vec<(f64, bool)>,
    results: Vec<Result>,
    /// For each player the results that he is in.
    of: Vec<Vec<usize>>,
}

impl Fit {
    fn of(pairs: &Pairs, known: &Ratings, is_counted: impl Fn(&str, &str) -> bool) -> Fit {
        let counted = || pairs.0.iter().filter(|((white, black), _)| is_counted(white, black));
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for ((white, black), _) in counted() {
            places.extend([(white.as_str(), 0), (black.as_str(), 0)]);
        }
        let names: Vec<String> = places.keys().map(|&name| name.to_owned()).collect();
        places.values_mut().enumerate().for_each(|(at, place)| *place = at);
        let results: Vec<Result> = counted()
            .map(|((white, black), results)| {
                #[expect(clippy::cast_precision_loss, reason = "no archive has 2^52 games")]
                let [wins, draws, losses] = results.map(|games| games as f64);
                Result {
                    white: places[white.as_str()],
                    black: places[black.as_str()],
                    score: wins + draws / 2.0,
                    games: wins + draws + losses,
                }
            })
            .collect();
        let mut of = vec![Vec::new(); names.len()];
        for (at, result) in results.iter().enumerate() {
            of[result.white].push(at);
            of[result.black].push(at);
        }
        let strength = |name: &String| match known.of.get(name) {
            Some(known) => ((known.elo - AVERAGE) / ELO, true),
            None => (0.0, false),
        };
        let strengths = names.iter().map(strength).collect();
        Fit { names, strengths, results, of }
    }

    /// Finds the strengths, and the advantage of White if it is not known yet.
    fn fit(mut self, ratings: &mut Ratings, finds_advantage: bool) {
        let mut advantage = ratings.advantage / ELO;
        for _ in 0..ROUNDS {
            let mut most: f64 = 0.0;
            for player in 0..self.names.len() {
                let (slope, bend) = self.of_player(player, advantage);
                if !self.strengths[player].1 {
                    let step = (slope / bend).clamp(-1.0, 1.0);
                    self.strengths[player].0 += step;
                    most = most.max(step.abs());
                }
            }
            if finds_advantage {
                let (slope, bend) = self.of_advantage(advantage);
                let step = (slope / bend).clamp(-1.0, 1.0);
                advantage += step;
                most = most.max(step.abs());
            }
            if most < ENOUGH {
                break;
            }
        }
        ratings.advantage = advantage * ELO;
        for (player, name) in self.names.iter().enumerate() {
            let (strength, is_known) = self.strengths[player];
            if !is_known {
                let (_, bend) = self.of_player(player, advantage);
                let (elo, error) = (AVERAGE + ELO * strength, Z * ELO / bend.sqrt());
                ratings.of.insert(name.clone(), Strength { elo, error });
            }
        }
    }

    /// How the likelihood of the results changes with the strength of a player, and how this changes.
    fn of_player(&self, player: usize, advantage: f64) -> (f64, f64) {
        let chance = chance(self.strengths[player].0);
        let mut slope = PRIOR / 2.0 - PRIOR * chance;
        let mut bend = PRIOR * chance * (1.0 - chance);
        for &at in &self.of[player] {
            let result = &self.results[at];
            let (toward, spread) = self.of_result(result, advantage);
            slope += if result.white == player { toward } else { -toward };
            bend += spread;
        }
        (slope, bend)
    }

    /// The same with the advantage of White; it may not be infinite either.
    fn of_advantage(&self, advantage: f64) -> (f64, f64) {
        let chance = chance(advantage);
        let start = (PRIOR / 2.0 - PRIOR * chance, PRIOR * chance * (1.0 - chance));
        self.results
            .iter()
            .map(|result| self.of_result(result, advantage))
            .fold(start, |(slope, bend), (toward, spread)| (slope + toward, bend + spread))
    }

    fn of_result(&self, result: &Result, advantage: f64) -> (f64, f64) {
        let ahead = self.strengths[result.white].0 - self.strengths[result.black].0 + advantage;
        let chance = chance(ahead);
        (result.score - result.games * chance, result.games * chance * (1.0 - chance))
    }
}

/// The chance to win against one who is weaker by so much.
fn chance(ahead: f64) -> f64 {
    1.0 / (1.0 + (-ahead).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(results: &[(&str, &str, [u64; 3])]) -> Pairs {
        let mut pairs = Pairs::default();
        results.iter().for_each(|(white, black, results)| pairs.add(white, black, *results));
        pairs
    }

    /// With many games the prior no longer counts: three of four points are 190.8 Elo (`400 log10 3`), and White has no
    /// advantage where both sides score the same.
    #[test]
    fn a_score_is_a_distance() {
        let ratings = pairs(&[
            ("a", "b", [75_000, 0, 25_000]),
            ("b", "a", [20_000, 10_000, 70_000]),
            ("a", "a", [7, 0, 0]),
        ])
        .ratings(|_| false);
        let ahead = ratings.of["a"].elo - ratings.of["b"].elo;
        assert!((ahead - 190.85).abs() < 0.1, "{ahead}");
        assert!(ratings.advantage.abs() < 0.1);
        // The error of 200,000 games at a chance of 0.75: 1.96 * 173.7 / sqrt(200000 * 0.1875) = 1.758.
        assert!((ratings.of["a"].error - 1.758).abs() < 0.01, "{}", ratings.of["a"].error);
    }

    /// One who won all his games is ahead, and not infinitely.
    #[test]
    fn nobody_is_infinitely_strong() {
        let ratings = pairs(&[("a", "b", [5, 0, 0]), ("b", "a", [0, 0, 5])]).ratings(|_| false);
        let (a, b) = (ratings.of["a"], ratings.of["b"]);
        assert!(a.elo > 1600.0 && a.elo < 2500.0, "{a:?}");
        // Both are as far from the average, since all that is known of them is the same.
        assert!((a.elo + b.elo - 3000.0).abs() < 0.001);
        assert!(a.error > 100.0);
    }

    /// White's advantage is not taken for strength: each won all games as White.
    #[test]
    fn the_advantage_of_white_is_found() {
        let ratings = pairs(&[("a", "b", [9, 0, 1]), ("b", "a", [9, 0, 1])]).ratings(|_| false);
        assert!((ratings.of["a"].elo - ratings.of["b"].elo).abs() < 0.001);
        assert!(ratings.advantage > 200.0);
    }

    /// Games against bots do not change the ratings of people who play each other.
    #[test]
    fn bots_are_apart() {
        let among = [("a", "b", [6, 0, 4]), ("b", "c", [6, 0, 4])];
        let all = [&among[..], &[("bot", "a", [10, 0, 0]), ("d", "bot", [3, 0, 0])]].concat();
        let (alone, ratings) =
            (pairs(&among).ratings(|_| false), pairs(&all).ratings(|name| name == "bot"));
        for name in ["a", "b", "c"] {
            assert_eq!(alone.of[name], ratings.of[name]);
        }
        assert!(ratings.of["bot"].elo > ratings.of["a"].elo);
        // One who played bots alone is rated by them.
        assert!(ratings.of["d"].elo > ratings.of["bot"].elo);
    }
}
