//! How sure a score is.

/// How many standard deviations hold 95 % of a normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A score, and the interval of Wilson in which it truly is with a chance of 95 %: all three from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The score: a win is 1, a draw a half.
    pub score: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Score {
    /// The score of games with a result; nothing if there are none.
    pub fn of(wins: u64, draws: u64, losses: u64) -> Option<Score> {
        #[expect(clippy::cast_precision_loss, reason = "no archive has 2^52 games")]
        let [wins, draws, losses] = [wins, draws, losses].map(|games| games as f64);
        let games = wins + draws + losses;
        if games == 0.0 {
            return None;
        }
        let score = (wins + draws / 2.0) / games;
        let scale = 1.0 + Z * Z / games;
        let centre = (score + Z * Z / (2.0 * games)) / scale;
        let variance = score * (1.0 - score) / games + Z * Z / (4.0 * games * games);
        let half = Z * variance.sqrt() / scale;
        Some(Score { score, low: (centre - half).max(0.0), high: (centre + half).min(1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the formula, worked out by hand: 10 of 20 is 0.5 with 0.2993 to 0.7007; 1 of 1 is 1 with 0.2065 to 1.
    #[test]
    fn scores_have_the_interval_of_wilson() {
        for (wins, draws, losses, score, low, high) in [
            (10, 0, 10, 0.5, 0.2993, 0.7007),
            (0, 20, 0, 0.5, 0.2993, 0.7007),
            (1, 0, 0, 1.0, 0.2065, 1.0),
            (0, 0, 1, 0.0, 0.0, 0.7935),
        ] {
            let found = Score::of(wins, draws, losses).unwrap();
            for (found, expected) in [(found.score, score), (found.low, low), (found.high, high)] {
                assert!((found - expected).abs() < 0.0001, "{found} is not {expected}");
            }
        }
        assert_eq!(Score::of(0, 0, 0), None);
    }
}
