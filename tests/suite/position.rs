//! Positions as texts and as keys: every form is read as it is written, and equal positions, and only they, have one
//! canonical text and one key.
use crate::support::{Dice, corpus, data_lines, files, is_deep, project, records, source};
use hivekit::{
    hex::Hex,
    position::{self, Setup},
    replay::{Replayer, RuleOptions},
    rules::{
        Bug, Cell, Color, GameType, Hive, Key, LastTurn, OpeningRule, Options, Piece, Position,
        RunningKey, Turn,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
};

/// How many positions the properties are tried on: a million takes minutes.
fn positions() -> usize {
    if is_deep() { 1_000_000 } else { 20_000 }
}

/// Plays random games of every official type until as many positions were seen.
fn random_positions(count: usize, mut look: impl FnMut(&mut Position, &mut Dice)) {
    let mut dice = Dice(0x905_1710);
    let mut seen = 0;
    for game_type in GameType::official().collect::<Vec<_>>().into_iter().cycle() {
        let mut position = Position::new(game_type, OpeningRule::Tournament);
        let plies = 4 + dice.below(90);
        for _ in 0..plies {
            look(&mut position, &mut dice);
            seen += 1;
            if seen == count {
                return;
            }
            let turns = position.turns();
            if turns.is_empty() {
                break;
            }
            position.play(turns[dice.below(turns.len())]).unwrap();
        }
    }
}

/// The stacks with coordinates that hang together, found by walking from cell to cell.
fn stacks(hive: &Hive) -> Vec<(Hex, Vec<Piece>)> {
    let Some(first) = hive.cells().next() else { return Vec::new() };
    let mut found: BTreeMap<(i32, i32), Cell> = BTreeMap::from([((0, 0), first)]);
    let mut next = vec![(Hex::ORIGIN, first)];
    while let Some((hex, cell)) = next.pop() {
        for side in hivekit::hex::Direction::ALL {
            let (there, beside) = (hex.step(side), cell.step(side));
            if hive.is_occupied(beside) && found.insert((there.q, there.r), beside).is_none() {
                next.push((there, beside));
            }
        }
    }
    found.into_iter().map(|((q, r), cell)| (Hex { q, r }, hive.stack(cell))).collect()
}

/// Other numbers for equal pieces.
fn renumbered(dice: &mut Dice) -> impl Fn(Piece) -> Piece + use<> {
    let mut numbers = BTreeMap::new();
    for color in Color::BOTH {
        for &bug in Bug::ALL {
            let mut order: Vec<u8> = (1..=bug.count()).collect();
            for at in (1..order.len()).rev() {
                order.swap(at, dice.below(at + 1));
            }
            numbers.insert((color, bug), order);
        }
    }
    move |piece| {
        let order = &numbers[&(piece.color(), piece.bug())];
        Piece::new(piece.color(), piece.bug(), order[usize::from(piece.number()) - 1])
    }
}

/// The position in an image, elsewhere on the plane, with other numbers.
fn changed(
    position: &Position,
    image: usize,
    shift: Hex,
    name: impl Fn(Piece) -> Piece,
) -> Position {
    let place = |hex: Hex| {
        let hex = hex.image(image);
        Hex { q: hex.q + shift.q, r: hex.r + shift.r }
    };
    let named =
        |(hex, stack): (Hex, Vec<Piece>)| (place(hex), stack.into_iter().map(&name).collect());
    let last = position.last();
    let setup = Setup {
        game_type: Some(position.game_type()),
        to_move: Some(position.to_move()),
        turn: Some(position.turn_number()),
        stacks: stacks(position.hive()).into_iter().map(named).collect(),
        last: LastTurn {
            actor: last.actor.map(&name),
            how: last.how,
            displaced: last.displaced.iter().map(&name).collect(),
            faced: last.faced.iter().map(&name).collect(),
        },
        ..Setup::default()
    };
    setup.compose(position.options()).unwrap()
}

#[test]
fn turned_mirrored_shifted_and_renumbered_positions_have_one_text_and_one_key() {
    random_positions(positions() / 10, |position, dice| {
        let (text, key) = (position::canonical(position, false), position.key());
        for image in 0..12 {
            let shift = Hex { q: dice.ranged(), r: dice.ranged() };
            let mut other = changed(position, image, shift, renumbered(dice));
            assert_eq!(position::canonical(&mut other, false), text);
            assert_eq!(other.key(), key, "{text}, image {image}");
        }
    });
}

/// The same in another way: the least list of all stacks over the images, and what is legal with and without the rest.
fn slow_identity(position: &mut Position) -> String {
    let goes = |position: &mut Position| -> BTreeSet<Option<(Piece, Cell)>> {
        position.turns().into_iter().map(Turn::goes).collect()
    };
    let rests = position.last().displaced.first().filter(|_| {
        let mut setup = changed(position, 0, Hex::ORIGIN, |piece| piece);
        let resting = goes(&mut setup);
        let text = position::exact(&setup).replace('~', "");
        let form = position::named("position").unwrap();
        resting != goes(&mut form.read(&text, position.options()).unwrap())
    });
    let stacks = stacks(position.hive());
    let lists = (0..12).map(|image| {
        let mut list: Vec<(i32, i32, Vec<String>)> = stacks
            .iter()
            .map(|(hex, stack)| {
                let hex = hex.image(image);
                let label = |piece: &Piece| {
                    let rests = if rests == Some(*piece) { "!" } else { "" };
                    format!("{:?}{:?}{rests}", piece.color(), piece.bug())
                };
                (hex.r, hex.q, stack.iter().map(label).collect())
            })
            .collect();
        list.sort();
        let least =
            |of: fn(&(i32, i32, Vec<String>)) -> i32| list.iter().map(of).min().unwrap_or(0);
        let (top, left) = (least(|cell| cell.0), least(|cell| cell.1));
        list.iter_mut().for_each(|cell| (cell.0, cell.1) = (cell.0 - top, cell.1 - left));
        list
    });
    let least = lists.min().unwrap();
    format!("{} {} {least:?}", position.game_type(), position.to_move())
}

#[test]
fn different_positions_have_different_texts_and_keys() {
    let mut by_text: HashMap<String, (String, Key)> = HashMap::new();
    let mut by_key: HashMap<u64, String> = HashMap::new();
    let mut by_identity: HashMap<String, String> = HashMap::new();
    let mut repeated = 0;
    random_positions(positions(), |position, _| {
        let (text, key) = (position::canonical(position, false), position.key());
        let identity = slow_identity(position);
        assert_eq!(by_identity.entry(identity.clone()).or_insert_with(|| text.clone()), &text);
        assert_eq!(by_key.entry(key.first).or_insert_with(|| text.clone()), &text);
        repeated += usize::from(by_text.contains_key(&text));
        let known = by_text.entry(text.clone()).or_insert((identity.clone(), key));
        assert_eq!(known, &(identity, key), "{text}");
    });
    assert!(repeated > 500, "only {repeated} positions came again");
}

#[test]
fn a_key_that_follows_a_game_is_the_one_made_anew() {
    let mut running = None;
    random_positions(positions(), |position, _| {
        if position.ply() == 0 {
            running = Some(RunningKey::new(position));
        }
        let running = running.as_mut().unwrap();
        if position.ply() > 0 {
            running.follow(position);
        }
        assert_eq!(running.key(position), position.key(), "{}", position::exact(position));
    });
}

#[test]
fn exchanged_colours_have_one_text_if_that_is_asked_for() {
    random_positions(positions() / 10, |position, _| {
        let text = position::canonical(position, true);
        let other = position::canonical(position, false)
            .replace('w', "x")
            .replace('b', "w")
            .replace('x', "b");
        let mut swapped =
            position::named("position").unwrap().read(&other, position.options()).unwrap();
        assert_eq!(position::canonical(&mut swapped, true), text);
    });
}

#[test]
fn every_form_is_read_as_it_is_written() {
    random_positions(positions(), |position, _| {
        for form in position::ALL {
            let text = form.write(position);
            assert_eq!(
                position::detect(&text).map(hivekit::position::Form::name),
                Some(form.name()),
                "{text}"
            );
            let mut again = form
                .read(&text, position.options())
                .unwrap_or_else(|error| panic!("{}: {error}\n{text}", form.name()));
            // The cell that the last turn left is drawn, and not read.
            assert_eq!(form.write(&mut again), text.replace(" o", " ."));
            let is_whole = matches!(form.name(), "position" | "json" | "ascii");
            if is_whole {
                assert_eq!(position.key(), again.key(), "{}: {text}", form.name());
                assert_eq!(position.turn_number(), again.turn_number());
            }
            let at_home = |position: &Position| {
                let mut all = stacks(position.hive());
                all.iter_mut().for_each(|(_, stack)| {
                    let kind = |piece: &mut Piece| {
                        if form.name() == "lihive-board" {
                            *piece = Piece::new(piece.color(), piece.bug(), 1);
                        }
                    };
                    stack.iter_mut().for_each(kind);
                });
                all.into_iter().map(|(_, stack)| stack).collect::<BTreeSet<_>>()
            };
            assert_eq!(at_home(position), at_home(&again), "{}", form.name());
        }
        let canonical = position::canonical(position, false);
        let form = position::named("position").unwrap();
        let mut again = form.read(&canonical, position.options()).unwrap();
        assert_eq!(position::canonical(&mut again, false), canonical);
    });
}

#[test]
fn an_exact_text_holds_everything() {
    random_positions(positions() / 10, |position, _| {
        let form = position::named("position").unwrap();
        let mut again = form.read(&position::exact(position), position.options()).unwrap();
        let turns = |position: &mut Position| -> BTreeSet<_> {
            position.turns().into_iter().map(Turn::goes).collect()
        };
        assert_eq!(turns(position), turns(&mut again), "{}", position::exact(position));
    });
}

#[test]
fn what_shows_no_position_is_refused_with_the_reason() {
    let text = fs::read_to_string(project("testdata/position/refused.tsv")).unwrap();
    for (number, line) in data_lines(&text) {
        let (shown, expected) = line.split_once('\t').unwrap();
        let shown = shown.replace("\\n", "\n");
        let detected = position::detect(&shown).filter(|_| !shown.starts_with("Base"));
        let form = detected.or(position::named("position")).unwrap();
        let Err(error) = form.read(&shown, Options::default()) else {
            panic!("line {number} is read")
        };
        let source = hivekit::source::Source::new("refused", shown.clone());
        let place = source.place(error.finding(0..shown.len()).span.start);
        let told = format!("line {}, column {}: {error}", place.line, place.column);
        assert!(told.contains(expected), "line {number}: {told}");
    }
}

/// The keys were computed by another program, from the specification.
#[test]
fn keys_are_as_specified() {
    let text = fs::read_to_string(project("testdata/vectors/keys.tsv")).unwrap();
    for (number, line) in data_lines(&text) {
        let (shown, key) = line.split_once('\t').unwrap();
        let form = position::named("position").unwrap();
        let mut position = form.read(shown, Options::default()).unwrap();
        assert_eq!(format!("{:#}", position.key()), key, "line {number}: {shown}");
    }
}

/// Another engine gives this position two names in some of its images.
#[test]
fn a_position_that_is_hard_to_orient_has_one_key() {
    let source = hivekit::source::Source::new(
        "game",
        "Base;InProgress;Black[3];wB1;bG1 \\wB1;wG1 wB1\\;bB1 -bG1;wG2 wG1/",
    );
    let record = records(&source).remove(0).unwrap();
    let game = Replayer::new(RuleOptions::default()).replay(&record).game;
    let position = &mut game.position(5);
    let key = position.key();
    for image in 0..12 {
        assert_eq!(changed(position, image, Hex::ORIGIN, |piece| piece).key(), key);
    }
}

#[test]
fn public_positions_are_the_same_as_their_folders_say() {
    let Some(root) = corpus("pgn/verdicts/hash") else { return };
    for folder in ["mirroring", "rotation", "same_position"] {
        let keys: BTreeSet<Key> = files(&root.join(folder))
            .iter()
            .map(|path| {
                let record = records(&source(path)).remove(0).unwrap();
                let game = Replayer::new(RuleOptions::default()).replay(&record).game;
                game.position(game.turns().len()).key()
            })
            .collect();
        assert_eq!(keys.len(), 1, "{folder}");
    }
}

/// A forced pass is told, too.
#[test]
fn every_position_of_our_own_games_is_read_as_it_is_written() {
    for path in files(&project("testdata/games")) {
        let record = records(&source(&path)).remove(0).unwrap();
        let game = Replayer::new(RuleOptions::default()).replay(&record).game;
        for ply in 0..=game.turns().len() {
            let mut position = game.position(ply);
            for name in ["position", "json"] {
                let form = position::named(name).unwrap();
                let text = form.write(&mut position);
                let mut again = form.read(&text, position.options()).unwrap();
                assert_eq!(form.write(&mut again), text, "{}", path.display());
            }
        }
    }
}
