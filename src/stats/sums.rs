//! Sums over games, in groups.
use super::{Key, Kind, METRICS, Metric, Score, View, key::result_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sums over the games of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// For each of [`METRICS`] the sum of the values, or the greatest, and the sum of what they are measured by.
    values: Vec<(u64, u64)>,
    /// How many games were won, drawn and lost: by White, or by the side that is counted.
    results: [u64; 3],
}

impl Default for Sums {
    fn default() -> Sums {
        Sums { values: vec![(0, 0); METRICS.len()], results: [0; 3] }
    }
}

impl Sums {
    /// Whether there is a sum for each metric.
    pub(super) fn is_whole(&self) -> bool {
        self.values.len() == METRICS.len()
    }

    /// Adds what metrics say of a game.
    fn add(&mut self, metrics: &[&Metric], values: &Values) {
        for (&metric, value) in metrics.iter().zip(&values.of) {
            if let (Some(value), Some(at)) = (*value, place(metric)) {
                add(metric.kind, &mut self.values[at], value);
            }
        }
        for (sum, result) in self.results.iter_mut().zip(values.result) {
            *sum += result;
        }
    }

    /// Adds other sums.
    pub fn merge(&mut self, other: &Sums) {
        for ((sum, value), metric) in self.values.iter_mut().zip(&other.values).zip(METRICS) {
            add(metric.kind, sum, *value);
        }
        for (sum, result) in self.results.iter_mut().zip(other.results) {
            *sum = sum.saturating_add(result);
        }
    }

    /// The sum of the values of a metric, and of what they are measured by.
    pub fn of(&self, metric: &Metric) -> (u64, u64) {
        place(metric).map_or((0, 0), |at| self.values[at])
    }

    /// How many games were won, drawn and lost: by White, or by the side that is counted.
    pub fn results(&self) -> [u64; 3] {
        self.results
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.values[0].0
    }

    /// The score of White, or of the side that is counted, in games with a result.
    pub fn score(&self) -> Option<Score> {
        let [wins, draws, losses] = self.results;
        Score::of(wins, draws, losses)
    }
}

/// The place of a metric in the table.
fn place(metric: &Metric) -> Option<usize> {
    METRICS.iter().position(|known| std::ptr::eq(known, metric))
}

fn add(kind: Kind, sum: &mut (u64, u64), (value, by): (u64, u64)) {
    // No archive has so much; a file of sums can say it.
    sum.0 = if kind == Kind::Most { sum.0.max(value) } else { sum.0.saturating_add(value) };
    sum.1 = sum.1.saturating_add(by);
}

/// What metrics say of a game, or of a part of it.
#[derive(Clone, Debug)]
struct Values {
    of: Vec<Option<(u64, u64)>>,
    /// Whether it was won, drawn or lost, as sums.
    result: [u64; 3],
}

impl Values {
    fn of(metrics: &[&Metric], view: &View<'_>) -> Values {
        let of = metrics.iter().map(|metric| (metric.of)(view)).collect();
        Values { of, result: result_of(view).unwrap_or_default() }
    }
}

/// A game with what metrics say of it.
#[derive(Clone, Debug)]
pub struct Counted<'g> {
    metrics: &'g [&'static Metric],
    view: View<'g>,
    whole: Values,
}

impl<'g> Counted<'g> {
    /// Asks metrics of a game.
    pub fn of(metrics: &'g [&'static Metric], view: View<'g>) -> Counted<'g> {
        let whole = Values::of(metrics, &view);
        Counted { metrics, view, whole }
    }
}

/// Games in groups by the values of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups(BTreeMap<Vec<String>, Sums>);

impl FromIterator<(Vec<String>, Sums)> for Groups {
    fn from_iter<I: IntoIterator<Item = (Vec<String>, Sums)>>(groups: I) -> Groups {
        let mut all = Groups::default();
        for (values, sums) in groups {
            all.0.entry(values).or_default().merge(&sums);
        }
        all
    }
}

impl Groups {
    /// Adds what metrics say of a game: once for each part of it that the keys tell apart.
    pub fn add(&mut self, keys: &[Key], counted: &Counted<'_>) {
        let Counted { metrics, view, whole } = counted;
        for (group, view) in Key::groups(keys, view) {
            let sums = self.0.entry(group).or_default();
            if view.is_whole() {
                sums.add(metrics, whole);
            } else {
                sums.add(metrics, &Values::of(metrics, &view));
            }
        }
    }

    /// Adds other groups.
    pub fn merge(&mut self, other: Groups) {
        for (group, sums) in other.0 {
            self.0.entry(group).or_default().merge(&sums);
        }
    }

    /// The groups in the order of their values.
    pub fn iter(&self) -> impl Iterator<Item = (&[String], &Sums)> {
        self.0.iter().map(|(group, sums)| (group.as_slice(), sums))
    }
}
