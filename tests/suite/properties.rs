use crate::support::{Dice, oracle::Table};
use hivekit::{
    hex::Hex,
    notation::move_string::MoveString,
    position::diagram,
    record::{Action, Spot},
    rules::{Cell, Color, GameType, OpeningRule, Piece, Position, Turn},
};
use std::collections::BTreeSet;

/// A position and the slow engine's picture of it, side by side.
struct Pair {
    position: Position,
    table: Table,
}

impl Pair {
    fn new(game_type: GameType, opening: OpeningRule) -> Pair {
        Pair { position: Position::new(game_type, opening), table: Table::new(game_type, opening) }
    }

    fn play(&mut self, turn: Turn) {
        self.position.play(turn).unwrap_or_else(|illegal| panic!("{turn:?}: {illegal}"));
        self.table.play(turn.goes().map(|(piece, cell)| (piece, cell.hex())));
    }
}

fn goes(turns: &[Turn]) -> BTreeSet<(Piece, Hex)> {
    turns.iter().filter_map(|turn| turn.goes()).map(|(piece, cell)| (piece, cell.hex())).collect()
}

/// Plays random games of every official type, and shows each position to `look`.
fn random_games(games: usize, plies: usize, mut look: impl FnMut(&mut Pair, &[Turn])) {
    let mut dice = Dice(0x5DEE_CE66_D1CE_4E5B);
    for game in 0..games {
        for game_type in GameType::official() {
            let opening = if game % 2 == 0 { OpeningRule::Any } else { OpeningRule::Tournament };
            let mut pair = Pair::new(game_type, opening);
            for _ in 0..plies {
                let turns = pair.position.turns();
                look(&mut pair, &turns);
                let Some(&turn) = turns.get(dice.below(turns.len().max(1))) else { break };
                pair.play(turn);
            }
        }
    }
}

#[test]
fn the_generator_lists_what_the_slow_engine_lists() {
    random_games(3, 80, |pair, turns| {
        let expected = pair.table.turns();
        assert_eq!(goes(turns), expected, "{}", diagram::draw(&pair.position));
        let pass = turns == [Turn::Pass];
        assert_eq!(pass, expected.is_empty() && !pair.table.is_over());
        assert_eq!(turns.len(), expected.len() + usize::from(pass), "a turn is listed twice");
        assert_eq!(pair.position.count_turns(), turns.len() as u64);
        assert_eq!(pair.position.has_turn(), !expected.is_empty());
    });
}

#[test]
fn the_check_of_one_turn_agrees_with_the_generator() {
    let mut seen = 0;
    random_games(2, 80, |pair, turns| {
        seen += 1;
        for &turn in turns {
            assert_eq!(pair.position.check(turn), Ok(()), "{turn:?}");
        }
        if seen % 16 != 0 {
            return;
        }
        let legal = goes(turns);
        for piece in pieces(&pair.position) {
            let is_next = pair.position.hive().cell_of(piece).is_some()
                || pair.position.next_in_hand(piece.color(), piece.bug()) == Some(piece);
            for hex in region(&pair.position) {
                let found = pair.position.find(piece, Cell::at(hex));
                // Another number of an equal piece in hand is as good; the list names the lowest.
                if is_next || found.is_err() {
                    let drawing = diagram::draw(&pair.position);
                    assert_eq!(
                        found.is_ok(),
                        legal.contains(&(piece, hex)),
                        "{piece} {hex:?}\n{drawing}"
                    );
                }
            }
        }
        assert_eq!(pair.position.check(Turn::Pass).is_ok(), turns == [Turn::Pass]);
    });
}

fn pieces(position: &Position) -> Vec<Piece> {
    let on_table = Color::BOTH.into_iter().flat_map(|color| position.hive().pieces(color));
    on_table.chain(Color::BOTH.into_iter().flat_map(|color| position.hand(color))).collect()
}

/// All cells on the hive and up to two steps away from it.
fn region(position: &Position) -> BTreeSet<Hex> {
    let hive: Vec<Hex> = position.hive().cells().map(Cell::hex).collect();
    hive.iter()
        .flat_map(|hex| {
            (-2..=2).flat_map(move |q| (-2..=2).map(move |r| Hex { q: hex.q + q, r: hex.r + r }))
        })
        .chain([Hex::ORIGIN])
        .collect()
}

#[test]
fn walks_agree_with_the_table_of_pieces() {
    random_games(2, 80, |pair, _| {
        let position = &mut pair.position;
        for color in Color::BOTH {
            for piece in position.hive().pieces(color) {
                let slow = position.walk_destinations(piece);
                for turn in position.turns() {
                    if let Turn::Walk { piece: walker, to } = turn
                        && walker == piece
                    {
                        assert!(slow.contains(&to), "{piece} to {to:?}");
                    }
                }
            }
        }
    });
}

#[test]
fn undo_restores_the_position_exactly() {
    random_games(1, 80, |pair, turns| {
        let before = format!("{:?} {:?}", pair.position.hive(), pair.position.last());
        let hands = Color::BOTH.map(|color| pair.position.hand(color).collect::<Vec<_>>());
        for &turn in turns {
            pair.position.play(turn).unwrap();
            assert!(pair.position.undo());
            assert_eq!(format!("{:?} {:?}", pair.position.hive(), pair.position.last()), before);
            assert_eq!(
                Color::BOTH.map(|color| pair.position.hand(color).collect::<Vec<_>>()),
                hands
            );
        }
        assert_eq!(pair.position.turns(), turns);
    });
}

#[test]
fn a_written_turn_is_read_as_the_same_turn() {
    random_games(1, 80, |pair, turns| {
        for &turn in turns {
            let text = MoveString::new(&pair.position, turn).to_string();
            let record = crate::support::record(&format!("{text};pass"));
            let hive = pair.position.hive();
            let read = match record.plies[0].action {
                Action::Pass | Action::Like(_) => None,
                Action::Put(piece, Spot::Alone) => Some((piece, Cell::ORIGIN)),
                Action::Put(piece, Spot::Beside(reference, side)) => {
                    assert_ne!(reference, piece, "{text} names the mover");
                    Some((piece, hive.cell_of(reference).unwrap().step(side)))
                }
                Action::Put(piece, Spot::OnTopOf(reference)) => {
                    assert!(hive.is_top(reference), "{text} names a covered piece");
                    Some((piece, hive.cell_of(reference).unwrap()))
                }
                Action::Put(_, Spot::At(_)) | Action::Special(_) => {
                    panic!("{text} is no such move")
                }
            };
            assert_eq!(read, turn.goes(), "{text}");
            assert_eq!(record.findings.len(), 1, "{text}: only the header is missing");
        }
    });
}

#[test]
fn a_drawing_is_read_as_the_same_position() {
    random_games(1, 80, |pair, turns| {
        let position = &mut pair.position;
        if position.hive().is_empty() {
            return;
        }
        let drawing = diagram::draw(position).to_string();
        let mut read = diagram::read(&drawing, position.options())
            .unwrap_or_else(|error| panic!("{error}\n{drawing}"));
        // Coordinates start elsewhere, so the moves are compared as they are written.
        let texts = |position: &Position, turns: &[Turn]| {
            turns
                .iter()
                .map(|&turn| MoveString::new(position, turn).to_string())
                .collect::<BTreeSet<_>>()
        };
        let read_turns = read.turns();
        assert_eq!(texts(&read, &read_turns), texts(position, turns), "{drawing}");
        assert_eq!(read.outcome(), position.outcome());
    });
}

#[test]
fn the_hive_holds_together() {
    random_games(1, 120, |pair, _| assert!(pair.position.clone().hive().clone().is_connected()));
}
