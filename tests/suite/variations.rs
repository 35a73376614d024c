//! Other lines of play: trees of random play are the same in every notation that holds them.
use crate::support::{
    Dice,
    conversion::{compare, through},
};
use hivekit::{
    game::Game,
    notation::{self, Part, Style, move_string::MoveString},
    replay::{Replayer, RuleOptions},
    rules::{Bug, GameType, OpeningRule, Position, Turn},
    source::Source,
};
use serde_json::{Value, json};

/// Plays at random after some turns, and returns what was played with its texts.
fn playout(before: &[Turn], plies: usize, dice: &mut Dice) -> (Vec<Turn>, Vec<String>) {
    let game_type = GameType::BASE.with(Bug::Mosquito).with(Bug::Ladybug).with(Bug::Pillbug);
    let mut position = Position::new(game_type, OpeningRule::Tournament);
    before.iter().for_each(|&turn| position.play(turn).unwrap());
    let (mut turns, mut texts) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        let all = position.turns();
        if position.outcome().is_some() || all.is_empty() {
            break;
        }
        let turn = all[dice.below(all.len())];
        texts.push(MoveString::new(&position, turn).to_string());
        turns.push(turn);
        position.play(turn).unwrap();
    }
    (turns, texts)
}

/// A game with variations at random, and each line with all its turns.
fn tree(dice: &mut Dice) -> (Value, Vec<Vec<Turn>>) {
    let plies = 5 + dice.below(30);
    let (turns, texts) = playout(&[], plies, dice);
    let mut lines = vec![turns];
    let mut variations = Vec::new();
    for _ in 0..dice.below(12) {
        let of = dice.below(lines.len());
        let after = dice.below(lines[of].len() + 1);
        let before = lines[of][..after].to_vec();
        let plies = 1 + dice.below(6);
        let (turns, texts) = playout(&before, plies, dice);
        if turns.is_empty() {
            continue;
        }
        let remarks = json!([{ "after": after + dice.below(texts.len() + 1), "comment": "so" }]);
        let mut variation = json!({ "after": after, "plies": texts, "remarks": remarks });
        if of > 0 {
            variation["of"] = json!(of - 1);
        }
        variations.push(variation);
        lines.push([before, turns].concat());
    }
    let game =
        json!({ "hivekit": 1, "type": "Base+MLP", "plies": texts, "variations": variations });
    (game, lines)
}

fn read(text: String) -> Game {
    let source = Source::new("made", text);
    let record = notation::named("ndjson").unwrap().read(&source).next().unwrap().unwrap();
    let replayed = Replayer::new(RuleOptions::default()).replay(&record);
    assert_eq!(replayed.fault, None);
    let is_cut = |code| code == "illegal-variation";
    assert!(!replayed.findings.iter().any(|found| is_cut(found.code)), "{:?}", replayed.findings);
    replayed.game
}

#[test]
fn trees_of_random_play_are_kept() {
    let mut dice = Dice(0x7EE5);
    let mut branches = 0;
    for _ in 0..60 {
        let (text, lines) = tree(&mut dice);
        let game = read(text.to_string());
        for (at, turns) in lines.iter().skip(1).enumerate() {
            // Which piece threw another one is not written.
            let goes = |turns: &[Turn]| turns.iter().map(|turn| turn.goes()).collect::<Vec<_>>();
            assert_eq!(goes(game.line(at).turns()), goes(turns), "{text}");
        }
        branches += game.variations().len();
        for name in ["ndjson", "sgf"] {
            let to = notation::named(name).unwrap();
            let (written, there, lost) = through(&game, to, Style::default());
            assert!(!lost.contains(&Part::Variations), "{written}");
            compare(&game, &there, &lost, &format!("{name}: {written}"));
        }
    }
    assert!(branches > 200, "only {branches}");
}

/// Variations can be nested as deep as is read, and deeper ones are refused, or told to be lost.
#[test]
fn deep_trees_are_kept_or_refused() {
    let nested = |depth: usize| {
        let variation = |at: usize| match at {
            0 => json!({ "after": 1, "plies": ["bG1 wS1-"] }),
            at => json!({ "of": at - 1, "after": 1, "plies": ["bG1 wS1-"] }),
        };
        let variations: Vec<Value> = (0..depth).map(variation).collect();
        json!({ "hivekit": 1, "type": "Base", "plies": ["wS1"], "variations": variations })
            .to_string()
    };
    let game = read(nested(400));
    let sgf = notation::named("sgf").unwrap();
    let (_, there, lost) = through(&game, sgf, Style::default());
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!(there.variations().len(), 400);
    let (_, there, lost) = through(&read(nested(500)), sgf, Style::default());
    assert_eq!((there.variations().len(), lost), (0, vec![Part::Variations]));
    let source = Source::new("made", nested(501));
    let read = notation::named("ndjson").unwrap().read(&source).next().unwrap();
    assert!(read.unwrap_err().message.contains("not nested as deep"));
}
