//! Every rule has cases in `testdata/rules/CODE.tsv`: a game string, a move, and `ok` or the code that is found.
use crate::support::{data_lines, position, project, record, replay};
use hivekit::{
    hex::Hex,
    record::{Action, Spot},
    replay::RuleOptions,
    rules::{Cell, Color, OpeningRule, Rule, Turn},
};
use std::fs;

fn strict() -> RuleOptions {
    RuleOptions { rules: OpeningRule::Tournament.into(), ..RuleOptions::default() }
}

/// What is found wrong with a move after a legal game.
fn verdict(game: &str, turn: &str) -> &'static str {
    if let Some((piece, cell)) = turn.split_once(" (") {
        let (q, r) = cell.trim_end_matches(')').split_once(',').unwrap();
        let hex = Hex { q: q.parse().unwrap(), r: r.parse().unwrap() };
        let found = position(game).find(piece.parse().unwrap(), Cell::at(hex));
        return found.map_or_else(|illegal| illegal.rule.code(), |_| "ok");
    }
    let before = record(game).plies.len();
    match replay(&format!("{game};{turn}"), strict()).fault {
        None => "ok",
        Some(fault) if fault.ply == Some(before + 1) => fault.code,
        Some(fault) => panic!("{game}: {fault:?}"),
    }
}

#[test]
fn every_rule_refuses_and_allows_what_its_cases_say() {
    let mut wrong = Vec::new();
    for rule in Rule::ALL {
        let file = format!("testdata/rules/{}.tsv", rule.code());
        let text = fs::read_to_string(project(&file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let (mut refused, mut allowed) = (0, 0);
        for (number, line) in data_lines(&text) {
            let [game, turn, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{file}:{number}: not three columns");
            };
            let found = verdict(game, turn);
            if found != expected {
                wrong.push(format!("{file}:{number}: {turn}: expected {expected}, found {found}"));
            }
            refused += usize::from(expected == rule.code());
            allowed += usize::from(expected == "ok");
        }
        assert!(refused > 0 && allowed > 0, "{file} needs a case of each kind");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Game type, rule left out, what that means, game, moves only of the true rules, only of the others, count, who agrees.
type Vector = (String, String, String, String, Vec<String>, Vec<String>, usize, serde_json::Value);

/// The shortest games in which one rule makes a difference, each with the moves that only the true
/// rules allow, those that only the rules without it would allow, and the number of legal moves.
#[test]
fn each_vector_isolates_its_rule() {
    let text = fs::read_to_string(project("testdata/vectors/rule_vectors.json")).unwrap();
    let vectors: Vec<Vector> = serde_json::from_str(&text).unwrap();
    assert_eq!(vectors.len(), 28);
    for (_, mutant, _, game, legal, illegal, size, _) in vectors {
        let mut position = position(&game);
        let mut read = |turn: &str| {
            let Action::Put(piece, spot) = record(&format!("{turn};pass")).plies[0].action else {
                return position.check(Turn::Pass).map(|()| Turn::Pass);
            };
            let cell = match spot {
                Spot::Beside(reference, side) => {
                    position.hive().cell_of(reference).unwrap().step(side)
                }
                Spot::OnTopOf(reference) => position.hive().cell_of(reference).unwrap(),
                Spot::Alone | Spot::At(_) => panic!("{turn}"),
            };
            position.find(piece, cell)
        };
        for turn in &legal {
            assert!(read(turn).is_ok(), "{mutant}: {turn} in {game}");
        }
        for turn in &illegal {
            assert!(read(turn).is_err(), "{mutant}: {turn} in {game}");
        }
        assert_eq!(position.turns().len(), size, "{mutant}: {game}");
    }
}

/// Third occurrences of a position in short games, by each definition.
#[test]
fn repetition_is_found_by_each_definition() {
    use hivekit::{
        replay::RepetitionRule,
        rules::SamePosition::{Effective, Exact, Symmetric},
    };
    let plain = "wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\;wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\;wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\";
    let ants = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-;wA1 \\wQ;bA1 bQ/;wA1 /wQ;bA1 bQ\\;wA1 -wQ;bA1 bQ-;wA1 \\wQ;bA1 bQ/;wA1 /wQ;bA1 bQ\\;wA1 -wQ;bA1 bQ-";
    let mirrored = "wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\;wQ -wS1;bQ bB1-;wQ /wS1;bQ bB1/;wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\";
    let cases = [
        (plain, Exact, Some(12)),
        (plain, Effective, Some(12)),
        (plain, Symmetric, Some(12)),
        (ants, Exact, Some(18)),
        (ants, Effective, Some(18)),
        (ants, Symmetric, Some(14)),
        (mirrored, Effective, None),
        (mirrored, Symmetric, Some(12)),
    ];
    for (game, same, expected) in cases {
        let options = RuleOptions { repetition: RepetitionRule::Report, same, ..strict() };
        let replayed = replay(game, options);
        assert_eq!(replayed.fault, None, "{game}");
        let found = replayed.findings.iter().find(|finding| finding.code == "repetition");
        assert_eq!(found.and_then(|finding| finding.ply), expected, "{same:?}: {game}");
    }
    let draw = RuleOptions { repetition: RepetitionRule::Draw, ..strict() };
    assert_eq!(
        replay(&format!("{plain};wA1 -wS1"), draw).fault.map(|fault| fault.code),
        Some("game-over")
    );
    assert_eq!(replay(plain, draw).game.outcome(), Some(hivekit::rules::Outcome::Draw));
}

#[test]
fn a_game_ends_when_a_queen_is_surrounded() {
    use hivekit::rules::Outcome::{BlackWins, Draw, WhiteWins};
    let cases = [
        ("wA1;bA1 wA1/;wS1 wA1\\;bQ bA1-;wG1 wS1-;bQ bA1\\;wQ wG1-;bG1 bQ/;wQ bG1\\", WhiteWins),
        ("wA1;bG1 wA1/;wQ wA1\\;bS1 bG1-;wQ bG1\\;bQ bS1-;wA2 wQ\\;bQ bS1\\;wG1 wA1\\", BlackWins),
        (
            "wG1;bG1 \\wG1;wB1 wG1\\;bS1 -bG1;wB2 /wG1;bQ \\bS1;wQ wB1-;bQ \\bG1;wB2 bS1\\;bG1 \\bQ;wQ wB1/;bG2 bQ/;wQ wG1/;bG3 /bG1;wQ bQ\\;bB1 bG2-;wG2 wB2\\;bS2 -bG1;wA1 wG1/;bB1 bG2\\",
            Draw,
        ),
    ];
    for (game, outcome) in cases {
        let mut position = position(game);
        assert_eq!(position.outcome(), Some(outcome), "{game}");
        assert_eq!(position.turns(), [], "{game}");
        assert!(!position.has_turn());
    }
}

#[test]
fn a_pass_lets_every_piece_move_again() {
    let game = "wB1;bG1 wB1\\;wQ -wB1;bQ /bG1;wA1 /wQ;bQ wQ\\;wB1 bG1";
    assert_eq!(position(game).turns(), [Turn::Pass]);
    let mut after = position(&format!("{game};pass"));
    assert_eq!((after.to_move(), after.turns().len()), (Color::White, 49));
}
