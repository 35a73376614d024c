//! Every notation into every other and back: a game is the same, but for what the writer said that it lost.
use crate::support::{
    conversion::{compare, notations, through},
    corpus, files, project, records, source,
};
use hivekit::{
    game::Game,
    notation::{self, Dialect, Notation, Part, Reference, Style},
    record::{Cause, Control},
    replay::{Replayer, RuleOptions},
    source::Source,
};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path};

fn games(path: &Path) -> Vec<Game> {
    let mut replayer = Replayer::new(RuleOptions::default());
    records(&source(path))
        .into_iter()
        .map(|record| {
            let replayed = replayer.replay(&record.unwrap());
            assert_eq!(replayed.fault, None, "{}", path.display());
            replayed.game
        })
        .collect()
}

#[test]
fn every_pair_of_notations_keeps_what_it_does_not_name_as_lost() {
    let mut pairs = 0;
    for folder in fs::read_dir(project("testdata/games")).unwrap() {
        let folder = folder.unwrap().path();
        for from in notations() {
            let path = folder.join(format!("game.{}", from.name()));
            if !path.is_file() {
                continue;
            }
            let game = games(&path).remove(0);
            // Another test looks at the notations that have no words for fan pieces.
            for to in notations().filter(|to| to.why_not(&game).is_none()) {
                let what = format!("{}: {} to {}", folder.display(), from.name(), to.name());
                let (_, there, lost_there) = through(&game, to, Style::default());
                compare(&game, &there, &lost_there, &what);
                let (text, back, lost_back) = through(&there, from, Style::default());
                compare(&there, &back, &lost_back, &format!("{what} and back"));
                // Some notations tell in a tag of their own what others tell otherwise.
                if lost_there.is_empty() && there.tags() == game.tags() {
                    let (direct, ..) = through(&game, from, Style::default());
                    assert!(text == direct, "{what} and back:\n{text}\n{direct}");
                }
                pairs += 1;
            }
        }
    }
    assert!(pairs >= 48, "only {pairs} pairs");
}

/// The schema names what we write, and what we write is in the schema.
#[test]
fn the_schema_names_all_properties() {
    let schema = fs::read_to_string(project("docs/ndjson.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let path = project("testdata/notation/ndjson/valid/everything.ndjson");
    let (text, ..) =
        through(&games(&path)[0], notation::named("ndjson").unwrap(), Style::default());
    let line: Value = serde_json::from_str(&text).unwrap();
    let names = |value: &Value| -> BTreeSet<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(names(&line), names(&schema["$defs"]["game"]["properties"]));
    let all = |value: &Value| value.as_array().unwrap().iter().flat_map(names).collect();
    let said: BTreeSet<_> = all(&line["remarks"]);
    let remark = &schema["$defs"]["remarks"]["items"]["properties"];
    assert_eq!(said, names(remark));
    let game = &schema["$defs"]["game"]["properties"];
    let said: BTreeSet<_> = all(&line["variations"]);
    assert_eq!(said, names(&game["variations"]["items"]["properties"]));
    assert_eq!(names(&line["origin"]), names(&schema["$defs"]["origin"]["properties"]));
    let words = |value: &Value| -> Vec<String> {
        value["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    };
    let causes: Vec<_> = Cause::ALL.iter().map(|cause| cause.word()).collect();
    assert_eq!(words(&schema["$defs"]["game"]["properties"]["cause"]), causes);
    let controls: Vec<_> = Control::ALL.iter().map(|control| control.word()).collect();
    assert_eq!(words(&remark["control"]), controls);
}

/// Where a notation holds all parts of a game, nothing is named as lost; where it does not, that is named.
#[test]
fn what_is_named_as_lost_is_what_the_notation_does_not_hold() {
    for folder in fs::read_dir(project("testdata/games")).unwrap() {
        let game = games(&folder.unwrap().path().join("game.ndjson")).remove(0);
        for to in notations().filter(|to| to.why_not(&game).is_none()) {
            let (_, _, lost) = through(&game, to, Style::default());
            for &part in Part::ALL.iter().filter(|part| part.is_in(&game)) {
                let is_held = to.holds().contains(&part);
                // Some hold names of players, and no other tags.
                let is_partial = part == Part::Tags && is_held;
                let is_lost = lost.contains(&part);
                assert!(is_lost != is_held || is_partial, "{}: {part}", to.name());
            }
        }
    }
}

#[test]
fn a_game_with_fan_pieces_is_refused_where_there_are_no_words_for_them() {
    let game = games(&project("testdata/games/all-thirty/game.ndjson")).remove(0);
    let written: Vec<&str> =
        notations().filter(|to| to.why_not(&game).is_none()).map(Notation::name).collect();
    assert_eq!(written, ["uhp", "pgn", "ndjson", "plies", "table"]);
    for to in notations().filter(|to| !to.has_fan_pieces()) {
        let why = to.why_not(&game).unwrap();
        assert!(why.ends_with("has no word for the scorpion (`wSc`)"), "{why}");
    }
}

#[test]
fn public_records_go_through_every_notation() {
    let Some(root) = corpus("") else { return };
    let mut count = 0;
    for folder in ["boardspace-sgf", "sgf-pgn-pairs", "pgn/verdicts/valid", "hivegame-export"] {
        for path in files(&root.join(folder)) {
            if path.extension().is_some_and(|extension| extension == "json") {
                continue;
            }
            for game in games(&path) {
                for to in notations() {
                    let what = format!("{} to {}", path.display(), to.name());
                    let (_, there, lost) = through(&game, to, Style::default());
                    compare(&game, &there, &lost, &what);
                    let is_ours = to.name() == "ndjson";
                    assert!(
                        !is_ours || lost.iter().all(|part| matches!(part, Part::Others)),
                        "{what}: {lost:?}"
                    );
                }
                count += 1;
            }
        }
    }
    assert!(count > 480, "only {count} games");
}

/// A record in the PGN of another program, made of a file.
fn imitated(path: &Path, dialect: Dialect, reference: Reference) -> String {
    let game = games(path).remove(0);
    let pgn = notation::named("pgn").unwrap();
    let mut out = Vec::new();
    pgn.write(&game, Style { reference, dialect }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_pgn_of_mzinga_is_written_as_mzinga_writes_it() {
    let Some(folder) = corpus("sgf-pgn-pairs") else { return };
    let mut pairs = 0;
    for path in files(&folder) {
        if path.extension().is_some_and(|extension| extension == "sgf") {
            let written = imitated(&path, Dialect::Mzinga, Reference::Keep);
            let expected = fs::read_to_string(path.with_extension("pgn")).unwrap();
            assert_eq!(written, expected, "{}", path.display());
            pairs += 1;
        }
    }
    assert_eq!(pairs, 19);
}

#[test]
fn the_pgn_of_the_converter_is_written_as_it_writes_it() {
    let Some(root) = corpus("") else { return };
    // Where it could not make out the result, it says so, and after a step down without a neighbour in the
    // source it tells the place by the piece that moves: we know better.
    let is_its_fault = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let tells_itself = |piece: &str, place: &str| place.trim_matches(['\\', '/', '-']) == piece;
        line == "[Result \"error parsing result\"]"
            || matches!(words[..], [_, piece, place] if tells_itself(piece, place))
    };
    let mut count = 0;
    for path in files(&root.join("pgn/2024")) {
        let expected = fs::read_to_string(&path).unwrap();
        let name = path.with_extension("sgf");
        let sgf = root.join("boardspace-sgf/2024").join(name.file_name().unwrap());
        let written = imitated(&sgf, Dialect::Iongier, Reference::Keep);
        assert_eq!(written.lines().count(), expected.lines().count(), "{}", path.display());
        for (ours, theirs) in written.lines().zip(expected.lines()) {
            assert!(ours == theirs || is_its_fault(theirs), "{}: {ours} {theirs}", path.display());
        }
        count += 1;
    }
    assert!(count > 40, "only {count} files");
}

#[test]
fn the_pgn_of_hivegame_com_is_written_as_it_writes_it() {
    let Some(path) = corpus("hivegame-export/hivegame.pgn") else { return };
    let written = imitated(&path, Dialect::Hivegame, Reference::Hivegame);
    let expected = fs::read_to_string(&path).unwrap();
    // The blank behind the first move was lost on the way into the collection.
    assert_eq!(written.replace(" \n", "\n"), expected.replace(" \n", "\n"));
}

/// Each program chooses another neighbour to tell a place by.
#[test]
fn the_neighbour_that_tells_a_place_is_chosen_as_asked() {
    let path = project("testdata/notation/uhp/valid/self_reference.uhp");
    let game = games(&path).remove(0);
    let last = |reference| {
        let style = Style { reference, dialect: Dialect::default() };
        let (text, ..) = through(&game, notation::named("uhp").unwrap(), style);
        text.trim_end().rsplit(';').next().unwrap().to_owned()
    };
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(last(Reference::Keep), written.trim_end().rsplit(';').next().unwrap());
    assert_eq!(last(Reference::Hivekit), "bQ bB1\\");
}

/// Games that are hard to write, one by one and all in one file.
#[test]
fn odd_games_go_through_every_notation() {
    let odd = games(&project("testdata/notation/ndjson/valid/odd_games.ndjson"));
    assert!(odd.len() > 12);
    for to in notations() {
        let mut file = to.prologue().to_owned();
        let mut expected = Vec::new();
        for (number, game) in (1..).zip(&odd) {
            let what = format!("odd game {number} to {}", to.name());
            let (text, there, lost) = through(game, to, Style::default());
            compare(game, &there, &lost, &what);
            if number > 1 {
                file.push_str(to.separator());
            }
            file.push_str(&text[to.prologue().len()..]);
            expected.push(there);
        }
        let source = Source::new("all", file);
        let mut replayer = Replayer::new(RuleOptions::default());
        let read: Vec<_> =
            to.read(&source).map(|record| replayer.replay(&record.unwrap()).game).collect();
        assert_eq!(read.len(), odd.len(), "{}:\n{}", to.name(), source.text());
        for (one, other) in expected.iter().zip(&read) {
            compare(one, other, &[], &format!("all to {}", to.name()));
        }
    }
}
