//! Other lines of play: each is played from where it leaves its line.
use super::{RepetitionRule, Replayer, RuleOptions};
use crate::{
    finding::{self, Finding},
    game,
    record::{Record, Variation},
    rules::{GameType, Turn},
};

/// What was played of a line after it had left another one, or of the game.
struct Line {
    /// The line that it leaves, after how many plies and turns.
    leaves: Option<(usize, usize, usize)>,
    turns: Vec<Turn>,
    /// How many turns had been played before each ply.
    turns_before: Vec<usize>,
}

/// Lines that were played; the first one is the game.
struct Lines(Vec<Line>);

impl Lines {
    /// All turns of a line from the start of the game, and how many of them come before each of its plies.
    fn whole(&self, line: usize) -> (Vec<Turn>, Vec<usize>) {
        let leaves = |line: &&Line| line.leaves.map(|(of, ..)| &self.0[of]);
        let mut parts: Vec<&Line> = std::iter::successors(Some(&self.0[line]), leaves).collect();
        let (mut turns, mut turns_before) = (Vec::new(), Vec::new());
        while let Some(part) = parts.pop() {
            let (_, plies_left, turns_left) = part.leaves.unwrap_or_default();
            turns.truncate(turns_left);
            turns.extend(&part.turns);
            turns_before.truncate(plies_left);
            turns_before.extend(&part.turns_before);
        }
        (turns, turns_before)
    }
}

impl Replayer {
    /// Plays the variations of a record whose game was played. One that is not legal ends before the turn that is not,
    /// with a finding.
    pub(super) fn variations(
        &mut self,
        record: &Record,
        game_type: GameType,
        is_cut: &mut bool,
    ) -> Vec<game::Variation> {
        if record.variations.is_empty() {
            return Vec::new();
        }
        // Analysis goes back and forth: its positions come again and again.
        let options = RuleOptions { repetition: RepetitionRule::Ignore, ..self.options };
        let mut side = Replayer::new(options);
        side.position.restart(game_type, self.position.options());
        let (turns, turns_before) = (self.turns.clone(), self.turns_before.clone());
        let mut lines = Lines(vec![Line { leaves: None, turns, turns_before }]);
        let mut played = Vec::with_capacity(record.variations.len());
        for other in &record.variations {
            let of = line_left(record, other);
            let (variation, line) = side.variation(record, other, of, &lines);
            played.push(variation);
            lines.0.push(line);
        }
        *is_cut |= side.findings.iter().any(|f| f.code == finding::ILLEGAL_VARIATION.name);
        self.findings.extend(side.findings.drain(..).map(Finding::in_variation));
        played
    }

    /// Plays one variation from where it leaves a line.
    fn variation(
        &mut self,
        record: &Record,
        other: &Variation,
        of: Option<usize>,
        lines: &Lines,
    ) -> (game::Variation, Line) {
        let left = of.map_or(0, |of| of + 1);
        let (turns, turns_before) = lines.whole(left);
        let plies = turns_before.len().min(other.after);
        let after = turns_before.get(plies).copied().unwrap_or(turns.len());
        self.lead_to(&turns[..after]);
        self.spots.clear();
        self.plies_before = plies;
        self.turns_before = turns_before;
        self.turns_before.truncate(plies);
        // Where its line was cut short before, there is nothing that it could leave.
        let fault = if plies == other.after {
            self.play_all(record, &other.plies)
        } else {
            let span = other.plies.first().map_or(record.span.clone(), |ply| ply.span.clone());
            let message = "the line that it leaves is not as long";
            Some(Finding::new(&finding::ILLEGAL_VARIATION, span, message).at_ply(other.after + 1))
        };
        self.findings.extend(fault.map(Finding::ends_variation));
        let turns = self.turns[after..].to_vec();
        let line = Line {
            leaves: Some((left, plies, after)),
            turns: turns.clone(),
            turns_before: self.turns_before[plies..].to_vec(),
        };
        let remarks = self.remarks(&other.remarks);
        let spots = std::mem::take(&mut self.spots);
        (game::Variation { of, after, turns, spots, remarks }, line)
    }

    /// Goes from the present position to the one after other turns, by way of the last one that both share.
    fn lead_to(&mut self, turns: &[Turn]) {
        let shared = self.turns.iter().zip(turns).take_while(|(one, other)| one == other).count();
        while self.turns.len() > shared {
            self.turns.pop();
            self.position.undo();
        }
        for &turn in &turns[shared..] {
            self.position.make(turn);
            self.turns.push(turn);
        }
    }
}

/// The line that a variation leaves: where it leaves one before that has left another, it is that other one.
fn line_left(record: &Record, other: &Variation) -> Option<usize> {
    let mut of = other.of;
    while let Some(line) = of.map(|of| &record.variations[of])
        && other.after < line.after
    {
        of = line.of;
    }
    of
}
