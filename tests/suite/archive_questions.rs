//! What `tree`, `find` and `filter` say of archives, counted again in a slow way: by canonical texts, not by keys.
use crate::support::{corpus, files, project, records, source};
use hivekit::{
    game::Game,
    position::{self, canonical},
    replay::{Replayer, RuleOptions},
    rules::{Options, Outcome},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

fn lines(args: &[&str], path: &Path) -> Vec<String> {
    let run = Command::new(env!("CARGO_BIN_EXE_hivekit")).args(args).arg(path).output().unwrap();
    assert_eq!(run.stderr, b"", "{args:?}");
    String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// A game as the texts of its positions.
struct Told {
    game: Game,
    positions: Vec<String>,
}

fn told(path: &Path) -> Vec<Told> {
    let mut replayer = Replayer::new(RuleOptions::default());
    let paths = if path.is_dir() { files(path) } else { vec![path.to_owned()] };
    let records = paths.iter().flat_map(|path| records(&source(path))).map(Result::unwrap);
    records
        .map(|record| {
            let game = replayer.replay(&record).game;
            let mut position = game.position(0);
            let mut positions = vec![canonical(&mut position, false)];
            for &turn in game.turns() {
                position.play(turn).unwrap();
                positions.push(canonical(&mut position, false));
            }
            Told { game, positions }
        })
        .collect()
}

/// Our own games, and the public ones where they are on this machine.
fn archives() -> Vec<PathBuf> {
    let own = ["testdata/bench/Base.uhp", "testdata/bench/Base+MLP.uhp"].map(project);
    own.into_iter().chain(corpus("boardspace-sgf/2024")).collect()
}

#[test]
fn trees_count_as_a_slow_count_does() {
    for archive in archives() {
        let told = told(&archive);
        let rows = lines(&["tree", "--depth", "3", "--format", "ndjson"], &archive);
        let rows: Vec<Value> = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        let by_line: BTreeMap<(String, String), String> = rows
            .iter()
            .map(|row| ((text(row, "type"), text(row, "line")), text(row, "position")))
            .collect();
        assert_eq!(by_line.len(), rows.len());
        let mut first = 0;
        for row in rows.iter().filter(|row| row["depth"] != 0) {
            let line = text(row, "line");
            let before = match line.rsplit_once(';') {
                Some((before, _)) => by_line[&(text(row, "type"), before.to_owned())].clone(),
                None => format!("{}.w", text(row, "type").replace('+', "")),
            };
            let after = text(row, "position");
            let steps = |told: &&Told| {
                told.positions.windows(2).any(|p| p == [before.clone(), after.clone()])
            };
            let games: Vec<&Told> = told.iter().filter(steps).collect();
            let count =
                |outcome| games.iter().filter(|told| told.game.outcome() == outcome).count();
            let outcomes =
                [Some(Outcome::WhiteWins), Some(Outcome::Draw), Some(Outcome::BlackWins), None];
            let expected = outcomes.map(count);
            let found = ["white", "draw", "black", "open"].map(|n| row[n].as_u64().unwrap());
            assert_eq!(found.map(|n| usize::try_from(n).unwrap()), expected, "{line}");
            assert_eq!(row["games"].as_u64().unwrap(), games.len() as u64, "{line}");
            let all = told.iter().filter(|told| told.positions.contains(&after)).count();
            let others = row["other_ways"].as_u64().unwrap();
            assert_eq!(others, (all - games.len()) as u64, "{line}");
            first += usize::from(!line.contains(';')) * games.len();
        }
        // Every game has one first turn, and none is left out.
        assert_eq!(first, told.iter().filter(|told| told.positions.len() > 1).count());
        assert!(rows.len() > 50, "{}", archive.display());
    }
}

#[test]
fn a_position_is_found_wherever_it_comes() {
    for archive in archives() {
        let told = told(&archive);
        let sought: BTreeSet<&String> =
            told.iter().step_by(9).filter_map(|t| t.positions.get(4)).collect();
        for sought in sought.into_iter().take(8) {
            let found = lines(&["find", "--position", sought], &archive);
            let plies = |told: &Told| told.positions.iter().filter(|text| *text == sought).count();
            assert_eq!(found.len(), told.iter().map(plies).sum::<usize>(), "{sought}");
            // What was found is what was sought.
            let shown = lines(&["position", "--form", "canonical"], Path::new(&found[0]));
            assert_eq!(shown.as_slice(), std::slice::from_ref(sought));
            let form = position::named("position").unwrap();
            assert!(form.read(sought, Options::default()).is_ok());
        }
    }
}

#[test]
fn filters_and_their_opposites_share_out_all_games() {
    for archive in archives() {
        let all = told(&archive).len();
        for question in ["plies > 40", "result == white", "around(wQ) >= 5 or not placed(bQ)"] {
            let count = |more: &[&str]| {
                lines(
                    &[&["filter", "--output", "addresses", "--where", question], more].concat(),
                    &archive,
                )
                .len()
            };
            let (so, not_so) = (count(&[]), count(&["-v"]));
            assert_eq!(so + not_so, all, "{question}");
            assert!(so > 0, "{question}");
        }
    }
}
