//! The same position for the third time.
use super::{RepetitionRule, Replayer, RuleOptions};
use crate::{
    finding::{self, Finding},
    record::Record,
    rules::{GameType, Options, Position, RepetitionWatch, SamePosition, Turn},
};

impl RuleOptions {
    /// Which positions are watched for. Symmetric copies are the most: where none comes three times, nothing does by any
    /// definition, and where one does, the others are looked at then.
    pub(super) fn watched(self) -> SamePosition {
        match self.repetition {
            RepetitionRule::Report => SamePosition::Symmetric,
            RepetitionRule::Draw | RepetitionRule::Ignore => self.same,
        }
    }
}

impl Replayer {
    /// Looks whether the position after the last turn comes for the third time.
    pub(super) fn watch_repetition(&mut self) {
        if self.options.repetition != RepetitionRule::Ignore
            && self.watch.is_third(&mut self.position, &self.turns)
        {
            self.third = Some(self.turns.len());
            self.is_drawn = self.options.repetition == RepetitionRule::Draw;
        }
    }

    /// Tells of a position that came for the third time by the definition that was asked for.
    pub(super) fn tell_repetition(&mut self, record: &Record) {
        let Some(third) = self.third else { return };
        let told = if self.is_drawn {
            Some((third, "the position comes for the third time: a draw".to_owned()))
        } else {
            self.thirds(third)
        };
        let Some((turns, message)) = told else { return };
        // The ply of a turn, before which a pass may have been left out.
        let at = self.turns_before.partition_point(|&before| before < turns) - 1;
        let span = record.plies[at].span.clone();
        let found = Finding::new(&finding::REPETITION, span, message).at_ply(at + 1);
        let later = |other: &Finding| other.ply.is_some_and(|ply| ply > at + 1);
        let place = self.findings.iter().position(later).unwrap_or(self.findings.len());
        self.findings.insert(place, found);
    }

    /// After how many turns a position came for the third time by the definition that was asked for, if it did, and all
    /// three definitions in words.
    fn thirds(&self, symmetric: usize) -> Option<(usize, String)> {
        let game_type = self.position.game_type();
        let by = |same| match same {
            SamePosition::Symmetric => Some(symmetric),
            same => third_occurrence(game_type, self.position.options(), &self.turns, same),
        };
        let word = |turns: Option<usize>| match turns {
            Some(turns) => format!("at ply {turns}"),
            None => "never".to_owned(),
        };
        let [exact, effective] = [SamePosition::Exact, SamePosition::Effective].map(by);
        let asked = by(self.options.same)?;
        let message = format!(
            "a position comes for the third time: exact {}, effective {}, symmetric {}",
            word(exact),
            word(effective),
            word(Some(symmetric))
        );
        Some((asked, message))
    }
}

/// After how many turns of a game a position comes for the third time.
fn third_occurrence(
    game_type: GameType,
    options: Options,
    turns: &[Turn],
    same: SamePosition,
) -> Option<usize> {
    let mut position = Position::new(game_type, options);
    let mut watch = RepetitionWatch::new(same);
    (1..=turns.len()).find(|&count| {
        position.make(turns[count - 1]);
        watch.is_third(&mut position, &turns[..count])
    })
}
