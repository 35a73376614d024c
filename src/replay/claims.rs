//! What a record says about its game, held against the board.
use super::Replayer;
use crate::{
    finding::{self, Code, Finding},
    game::state_word,
    record::{Claimed, Record},
    rules::{Color, Outcome},
};

impl Replayer {
    /// Holds what the record says about its game against the board.
    pub(super) fn compare_claims(&mut self, record: &Record) {
        let board = self.board_outcome();
        let mut stated = None;
        for claim in &record.claims {
            let contradiction = match claim.what {
                Claimed::Turn(color, number) => self.contradicted_turn(color, number),
                Claimed::NotStarted => self.contradicted_state(self.turns.is_empty(), board),
                Claimed::InProgress => {
                    self.contradicted_state(board.is_none() && !self.turns.is_empty(), board)
                }
                Claimed::Cause(_) => None,
                Claimed::Outcome(outcome) => {
                    let earlier = stated.replace(outcome);
                    contradicted_outcome(outcome, board, earlier)
                }
            };
            if let Some((code, message)) = contradiction {
                self.findings.push(Finding::new(code, claim.span.clone(), message));
            }
        }
        if board.is_none() && stated.is_none() {
            let message = match self.turns.len() {
                0 => "the record has no plies".to_owned(),
                1 => "the record ends after its first ply".to_owned(),
                plies => format!("the record ends after {plies} plies"),
            };
            let end = record.plies.last().map_or(record.span.clone(), |ply| ply.span.clone());
            self.findings.push(Finding::new(&finding::UNFINISHED, end, message));
        }
    }

    fn contradicted_turn(&self, color: Color, number: u32) -> Option<(&'static Code, String)> {
        let (side, turn) = (self.position.to_move(), self.position.turn_number());
        ((color, number) != (side, turn))
            .then(|| (&finding::TURN_MISMATCH, format!("the moves lead to {side}[{turn}]")))
    }

    fn contradicted_state(
        &self,
        holds: bool,
        board: Option<Outcome>,
    ) -> Option<(&'static Code, String)> {
        let word = || state_word(board, self.turns.len());
        (!holds).then(|| (&finding::STATE_MISMATCH, format!("the moves lead to {}", word())))
    }
}

/// What the board and an earlier place of the record say against an outcome.
fn contradicted_outcome(
    outcome: Outcome,
    board: Option<Outcome>,
    earlier: Option<Outcome>,
) -> Option<(&'static Code, String)> {
    match (board, earlier) {
        (Some(board), _) if board != outcome => Some((
            &finding::RESULT_MISMATCH,
            format!("the record says {outcome}, the board {board}"),
        )),
        (None, Some(earlier)) if earlier != outcome => Some((
            &finding::RESULT_MISMATCH,
            format!("the record says {outcome} here and {earlier} elsewhere"),
        )),
        (None, None) => Some((
            &finding::RESULT_OFF_BOARD,
            format!("the record says {outcome}, the board is undecided"),
        )),
        _ => None,
    }
}

/// The outcome that a record gives last.
pub(super) fn stated_outcome(record: &Record) -> Option<Outcome> {
    record.claims.iter().rev().find_map(|claim| match claim.what {
        Claimed::Outcome(outcome) => Some(outcome),
        Claimed::InProgress | Claimed::NotStarted | Claimed::Turn(..) | Claimed::Cause(_) => None,
    })
}
