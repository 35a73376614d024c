//! The fan pieces: positions worked out by hand, a second definition of their rules, and what holds in every game.
use crate::support::{
    Dice,
    fan_oracle::{DungBeetleWalk, Options as OracleOptions, State},
    is_deep, project,
};
use hivekit::{
    hex::Hex,
    notation::{move_string::MoveString, told::Told},
    position,
    replay::{Replayer, RuleOptions},
    rules::{Bug, GameType, Options, Outcome, Piece, Position, Turn},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write as _,
    process::{Command, Stdio},
};

/// Options of the game, and the same for the second definition.
fn options(chosen: &[(&str, &str)]) -> (Options, OracleOptions) {
    let mut options = Options::default();
    let mut oracle = OracleOptions::default();
    for &(name, value) in chosen {
        options.choose(name, value).unwrap();
        let is_other = options.chosen().iter().any(|(known, _)| *known == name);
        match name {
            "queen_removal" => oracle.queen_removal_wins = is_other,
            "stick_shift" => oracle.stick_shift_old_neighbour = is_other,
            "butterfly_place" => oracle.butterfly_on_ground = is_other,
            "mite_priority" => oracle.mite_blocks = is_other,
            "dungbeetle_walk" => {
                oracle.dung_beetle_walk = match value {
                    "slide" => DungBeetleWalk::Slide,
                    "beetle" => DungBeetleWalk::Beetle,
                    _ => DungBeetleWalk::None,
                }
            }
            "dungbeetle_target" => oracle.dung_beetle_targets_ground = is_other,
            "fly_follows_thrown" => oracle.fly_follows_thrown = is_other,
            "cockroach_face_choice" => oracle.cockroach_face_choice = !is_other,
            "scorpion_suppress" => oracle.scorpion_paralyses = is_other,
            "poison_target" => oracle.poison_any = is_other,
            "beehive_target" => oracle.beehive_placement_target = is_other,
            "firefly_target" => oracle.firefly_any = is_other,
            other => panic!("the second definition has no `{other}`"),
        }
    }
    (options, oracle)
}

fn read_json(text: &str, options: Options) -> Position {
    let form = position::named("json").unwrap();
    form.read(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn json(position: &mut Position) -> Value {
    let text = position::named("json").unwrap().write(position);
    serde_json::from_str(&text).unwrap()
}

/// The position without what belongs to the question that is asked of it.
fn without_question(case: &Value) -> String {
    let mut position = case.as_object().unwrap().clone();
    for key in ["piece_number", "title", "ask", "expected", "why", "rules"] {
        position.remove(key);
    }
    Value::from(position).to_string()
}

/// Holds the actions of the asked piece in each position of a file against those that are expected.
fn check_positions(file: &str, least: usize) {
    let text = fs::read_to_string(project(file)).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let cases = document["positions"].as_array().unwrap();
    assert!(cases.len() >= least, "{file} has only {} positions", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let rules = case.get("rules").and_then(Value::as_object);
        let chosen: Vec<(&str, &str)> = rules
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
            .collect();
        let mut position = read_json(&without_question(case), options(&chosen).0);
        let ask = case["ask"].get("act").or(case["ask"].get("place")).unwrap();
        let piece: Piece = ask.as_str().unwrap().parse().unwrap();
        let turns = position.turns().into_iter().filter(|turn| turn.actor() == Some(piece));
        let found: BTreeSet<String> =
            turns.map(|turn| Told::of(&mut position, turn).action).collect();
        let expected = case["expected"].as_array().unwrap().iter();
        let expected: BTreeSet<String> =
            expected.map(|action| action.as_str().unwrap().to_owned()).collect();
        if found != expected {
            wrong.push(format!("{}: found {found:?}, expected {expected:?}", case["title"]));
        }
    }
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
}

#[test]
fn the_published_positions_give_exactly_the_expected_actions() {
    check_positions("testdata/vectors/fan-vectors.json", 108);
}

/// The same as a user asks, on standard input.
#[test]
fn the_command_answers_each_published_position() {
    let text = fs::read_to_string(project("testdata/vectors/fan-vectors.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    for case in document["positions"].as_array().unwrap() {
        let ask = case["ask"].get("act").or(case["ask"].get("place")).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_hivekit"))
            .args(["moves", "--piece", ask.as_str().unwrap(), "--format", "json", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(without_question(case).as_bytes()).unwrap();
        let printed = child.wait_with_output().unwrap().stdout;
        let listed: Vec<Value> = serde_json::from_slice(&printed).unwrap();
        let found: BTreeSet<&str> =
            listed.iter().map(|turn| turn["action"].as_str().unwrap()).collect();
        let expected = case["expected"].as_array().unwrap().iter();
        let expected: BTreeSet<&str> = expected.map(|action| action.as_str().unwrap()).collect();
        assert_eq!(found, expected, "{}", case["title"]);
    }
}

#[test]
fn the_positions_worked_out_by_hand_give_exactly_the_expected_actions() {
    check_positions("testdata/fan/by-hand.json", 270);
}

/// A game type with some of the fan pieces, or with all of them; sometimes several of a kind.
fn random_type(dice: &mut Dice) -> GameType {
    if dice.below(6) == 0 {
        return GameType::all();
    }
    let share = 2 + dice.below(6);
    let some =
        GameType::expansions().fold(GameType::BASE, |game_type, bug| match dice.below(share) {
            0 if dice.below(8) == 0 => game_type.with_count(bug, 2),
            0 => game_type.with(bug),
            _ => game_type,
        });
    let has_fan_pieces = Bug::ALL.iter().any(|&bug| !bug.is_official() && some.count(bug) > 0);
    if has_fan_pieces { some } else { some.with(Bug::Flea) }
}

/// Some of the options, each with any of its values.
fn random_choices(dice: &mut Dice) -> Vec<(&'static str, &'static str)> {
    if dice.below(2) == 0 {
        return Vec::new();
    }
    let chosen = Options::CHOICES.iter().filter(|_| dice.below(3) == 0).collect::<Vec<_>>();
    let value = |values: &[&'static str], dice: &mut Dice| values[dice.below(values.len())];
    chosen.into_iter().map(|choice| (choice.name, value(choice.values, dice))).collect()
}

/// A turn to go on with: abilities come more often than they would by chance.
fn pick(turns: &[Turn], dice: &mut Dice) -> Option<Turn> {
    let special: Vec<Turn> =
        turns.iter().copied().filter(|turn| matches!(turn, Turn::Special(_))).collect();
    let from = if !special.is_empty() && dice.below(2) == 0 { &special } else { turns };
    from.get(dice.below(from.len().max(1))).copied()
}

/// How the second definition names a turn.
fn label(position: &mut Position, turn: Turn) -> String {
    let Some(actor) = turn.actor() else { return "pass".to_owned() };
    let name = |position: &Position, piece: Piece| position.game_type().name(piece).to_string();
    let actor_name = name(position, actor);
    let action = Told::of(position, turn).action;
    match (turn.placed(), action.strip_suffix(" as ladybug")) {
        (Some(_), Some(action)) => format!("place {actor_name}:L {action}"),
        (Some(_), None) => format!("place {actor_name} {action}"),
        (None, _) => format!("{actor_name} {action}"),
    }
}

/// All turns of a position by labels, each with the position after it in the normal form of the second definition.
fn labelled(position: &mut Position) -> BTreeMap<String, Value> {
    let mut labelled = BTreeMap::new();
    for turn in position.turns() {
        let label = label(position, turn);
        position.play(turn).unwrap_or_else(|illegal| panic!("{turn:?}: {illegal}"));
        let after = State::from_json(&json(position)).unwrap().to_json();
        position.undo();
        assert!(labelled.insert(label.clone(), after).is_none(), "{label} comes twice");
    }
    labelled
}

#[test]
fn the_engine_agrees_with_a_second_definition_of_the_rules() {
    // The second definition is slow: without a deep run only some positions of few games are compared.
    let (games, share) = if is_deep() { (100, 1) } else { (16, 5) };
    let mut dice = Dice(0x005E_EDFA_110F_FA4E);
    for game in 0..games {
        let game_type = random_type(&mut dice);
        let chosen = random_choices(&mut dice);
        let (options, oracle) = options(&chosen);
        let mut position = Position::new(game_type, options);
        for _ in 0..90 {
            let turns = position.turns();
            let Some(turn) = pick(&turns, &mut dice) else { break };
            if dice.below(share) > 0 {
                position.play(turn).unwrap();
                continue;
            }
            let shown = json(&mut position);
            let state = State::from_json(&shown).unwrap();
            let expected: BTreeMap<String, Value> = if state.outcome(&oracle).is_some() {
                BTreeMap::new()
            } else {
                let turns = state.turns(&oracle).into_iter();
                turns.map(|(label, after)| (label, after.to_json())).collect()
            };
            let found = labelled(&mut position);
            for (label, after) in &found {
                let expected = expected.get(label);
                assert_eq!(Some(after), expected, "game {game} {chosen:?}: {label}\n{shown}");
            }
            let missing: Vec<_> = expected.keys().filter(|l| !found.contains_key(*l)).collect();
            assert!(missing.is_empty(), "game {game} {chosen:?}: no {missing:?}\n{shown}");
            position.play(turn).unwrap();
        }
    }
}

/// How many lines of play follow, counted by the second definition: it lists the turns of every position.
fn oracle_perft(state: &State, oracle: &OracleOptions, depth: u32) -> usize {
    let turns = if state.outcome(oracle).is_some() { Vec::new() } else { state.turns(oracle) };
    if depth == 1 {
        return turns.len();
    }
    turns.iter().map(|(_, after)| oracle_perft(after, oracle, depth - 1)).sum()
}

#[test]
fn lines_of_play_are_counted_as_the_second_definition_counts_them() {
    let (_, oracle) = options(&[]);
    for &bug in Bug::ALL.iter().filter(|bug| !bug.is_official()) {
        let game_type = GameType::BASE.with(bug);
        let file = project(&format!("testdata/perft/fan/{game_type}.perft"));
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let start = State::from_json(&json(&mut Position::new(game_type, Options::default())));
        let start = start.unwrap();
        for depth in 1..=if is_deep() { 4 } else { 3 } {
            let line = format!("perft {depth} {}", oracle_perft(&start, &oracle, depth));
            assert!(text.lines().any(|known| known == line), "{game_type}: {line}");
        }
    }
}

#[test]
fn a_game_with_all_thirty_kinds_of_pieces_is_in_the_test_data() {
    let text = fs::read_to_string(project("testdata/games/all-thirty/game.uhp")).unwrap();
    let source = hivekit::source::Source::new("game", text);
    let uhp = hivekit::notation::named("uhp").unwrap();
    let record = uhp.read(&source).next().unwrap().unwrap();
    let replayed = Replayer::new(RuleOptions::default()).replay(&record);
    assert_eq!(replayed.fault, None);
    let placed = replayed.game.turns().iter().filter_map(|turn| turn.placed());
    let kinds: BTreeSet<Bug> = placed.map(Piece::bug).collect();
    assert_eq!(kinds.len(), Bug::COUNT);
    assert_eq!(replayed.game.outcome(), Some(Outcome::WhiteWins));
}

/// Plays random games with fan pieces, and shows each position with its turns to `look`.
fn random_games(plies: usize, mut look: impl FnMut(&mut Position, &[Turn], &mut Dice)) {
    let mut dice = Dice(0x00C1_CADA_5EED_0001);
    let mut left = plies;
    while left > 0 {
        let game_type = random_type(&mut dice);
        let (options, _) = options(&random_choices(&mut dice));
        let mut position = Position::new(game_type, options);
        for _ in 0..120.min(left) {
            let turns = position.turns();
            look(&mut position, &turns, &mut dice);
            let Some(turn) = pick(&turns, &mut dice) else { break };
            position.play(turn).unwrap();
            left -= 1;
        }
        left = left.saturating_sub(1);
    }
}

fn plies() -> usize {
    if is_deep() { 1_000_000 } else { 6_000 }
}

#[test]
fn every_turn_is_accepted_and_undone_exactly_and_one_hive_holds() {
    random_games(plies(), |position, turns, dice| {
        let before = json(position);
        // One of them, and all of them now and then: all would take hours.
        let all = dice.below(40) == 0;
        let some = turns.len().min(if all { turns.len() } else { 2 });
        for _ in 0..some {
            let turn = turns[dice.below(turns.len())];
            assert_eq!(position.check(turn), Ok(()), "{turn:?}\n{before}");
            assert_eq!(position.find_turn(turn), Ok(turn), "{turn:?}\n{before}");
            position.play(turn).unwrap();
            assert!(position.hive().clone().is_connected(), "{turn:?}\n{before}");
            position.undo();
            assert_eq!(json(position), before, "{turn:?}");
        }
        assert_eq!(position.turns(), turns, "{before}");
        assert_eq!(position.has_turn(), turns.iter().any(|turn| *turn != Turn::Pass));
        assert_eq!(position.count_turns(), turns.len() as u64);
        let texts: BTreeSet<String> =
            turns.iter().map(|&turn| MoveString::new(position, turn).to_string()).collect();
        assert_eq!(texts.len(), turns.len(), "two turns have one text\n{before}");
    });
}

#[test]
fn the_written_turn_reads_back_as_the_same_turn() {
    let mut dice = Dice(0x0BEE_0BEE_0BEE_0BEE);
    let uhp = hivekit::notation::named("uhp").unwrap();
    let games = if is_deep() { 5000 } else { 60 };
    for _ in 0..games {
        let game_type = random_type(&mut dice);
        let (options, _) = options(&random_choices(&mut dice));
        let mut position = Position::new(game_type, options);
        let mut played = Vec::new();
        let mut text = format!("{game_type};InProgress;White[1]");
        for _ in 0..100 {
            let Some(turn) = pick(&position.turns(), &mut dice) else { break };
            text = format!("{text};{}", MoveString::new(&position, turn));
            position.play(turn).unwrap();
            played.push(turn);
        }
        let source = hivekit::source::Source::new("written", text.clone());
        let record = uhp.read(&source).next().unwrap().unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let rules = RuleOptions { rules: options, ..RuleOptions::default() };
        let replayed = Replayer::new(rules).replay(&record);
        assert_eq!(replayed.fault, None, "{text}");
        assert_eq!(replayed.game.turns(), played, "{text}");
    }
}

#[test]
fn every_form_of_a_position_is_read_as_it_is_written() {
    random_games(plies() / 2, |position, turns, dice| {
        if position.hive().is_empty() || dice.below(4) > 0 {
            return;
        }
        let before = json(position);
        let texts = |position: &mut Position, turns: &[Turn]| -> BTreeSet<String> {
            turns.iter().map(|&turn| MoveString::new(position, turn).to_string()).collect()
        };
        let expected = texts(position, turns);
        for name in ["json", "position", "ascii"] {
            let form = position::named(name).unwrap();
            let text = form.write(position);
            let mut again = form
                .read(&text, position.options())
                .unwrap_or_else(|error| panic!("{error}\n{text}\n{before}"));
            // The cell that the last turn left is not read back.
            let drawn = text.replace("  o", "  .");
            let shown = if name == "ascii" { &drawn } else { &text };
            assert_eq!(form.write(&mut again), *shown, "{before}");
            let turns = again.turns();
            assert_eq!(texts(&mut again, &turns), expected, "{name}: {text}\n{before}");
            assert_eq!(again.key(), position.key(), "{name}: {text}\n{before}");
        }
        let canonical = position::canonical(position, false);
        let form = position::named("position").unwrap();
        let mut again = form.read(&canonical, position.options()).unwrap();
        assert_eq!(position::canonical(&mut again, false), canonical, "{before}");
        assert_eq!(again.key(), position.key(), "{canonical}\n{before}");
    });
}

/// A position turned, mirrored and shifted.
fn moved(shown: &Value, image: usize, shift: Hex) -> Value {
    let mut moved = shown.clone();
    for key in ["cells", "under"] {
        for place in moved.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            let coordinate = |name: &str| i32::try_from(place[name].as_i64().unwrap()).unwrap();
            let hex = Hex { q: coordinate("q"), r: coordinate("r") }.image(image);
            place["q"] = (hex.q + shift.q).into();
            place["r"] = (hex.r + shift.r).into();
        }
    }
    moved
}

#[test]
fn turned_mirrored_and_shifted_positions_have_one_text_and_one_key() {
    random_games(plies() / 3, |position, _, dice| {
        if dice.below(10) > 0 {
            return;
        }
        let (text, key) = (position::canonical(position, false), position.key());
        let shown = json(position);
        for image in 0..12 {
            let shift = Hex { q: dice.ranged(), r: dice.ranged() };
            let other = moved(&shown, image, shift).to_string();
            let mut other = read_json(&other, position.options());
            assert_eq!(position::canonical(&mut other, false), text, "image {image}: {shown}");
            assert_eq!(other.key(), key, "image {image}: {shown}");
        }
        let either = position.key_of_either_color();
        assert!(either <= key);
    });
}

#[test]
fn games_end_as_the_table_shows() {
    let mut ends: BTreeMap<Option<Outcome>, usize> = BTreeMap::new();
    random_games(plies(), |position, turns, _| {
        if let Some(outcome) = position.outcome() {
            assert!(turns.is_empty());
            *ends.entry(Some(outcome)).or_default() += 1;
        }
    });
    assert!(ends.len() >= 2, "{ends:?}");
}

#[test]
fn a_kind_that_only_walks_is_a_row_of_the_table() {
    for &bug in Bug::ALL {
        let walks = bug.read_walk().is_some();
        assert_eq!(walks, !bug.walk().is_empty(), "{bug:?}: the walk cannot be read");
        assert!(walks || bug.ability().is_some(), "{bug:?} can do nothing");
    }
}
