//! What `tree`, `find` and `filter` say of archives, counted again in a slow way: by the texts of positions, not by keys.
use crate::support::{corpus, files, project, records, source};
use hivekit::{
    game::Game,
    position::{self, Same},
    replay::{Replayer, RuleOptions},
    rules::{Color, OpeningRule, Options, Outcome, Position},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command},
};

fn lines(args: &[&str], path: &Path) -> Vec<String> {
    let run = Command::new(env!("CARGO_BIN_EXE_hivekit")).args(args).arg(path).output().unwrap();
    assert_eq!(run.stderr, b"", "{args:?}");
    String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// A game as the texts of its positions, which are equal for the same ones.
struct Told {
    game: Game,
    positions: Vec<String>,
}

impl Told {
    /// How the game ended, for one who takes the sides of a position with this side to move.
    fn outcome(&self, ply: usize, to_move: Color) -> Option<Outcome> {
        let outcome = self.game.outcome()?;
        let is_other = self.game.position(ply).to_move() != to_move;
        let winner = outcome.winner().map(|winner| if is_other { winner.other() } else { winner });
        Some(winner.map_or(Outcome::Draw, Outcome::win))
    }
}

fn told(path: &Path, same: Same) -> Vec<Told> {
    let mut replayer = Replayer::new(RuleOptions::default());
    let paths = if path.is_dir() { files(path) } else { vec![path.to_owned()] };
    let records = paths.iter().flat_map(|path| records(&source(path))).map(Result::unwrap);
    records
        .map(|record| {
            let game = replayer.replay(&record).game;
            let mut position = game.position(0);
            let mut positions = vec![same.name(&mut position)];
            for &turn in game.turns() {
                position.play(turn).unwrap();
                positions.push(same.name(&mut position));
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

const LEVELS: [(&str, Same); 4] = [
    ("exact", Same::Exact),
    ("shifted", Same::Shifted),
    ("turned", Same::Turned),
    ("turned+colours", Same::TurnedColours),
];

fn read(text: &str) -> Position {
    position::named("position").unwrap().read(text, Options::default()).unwrap()
}

#[test]
fn trees_count_as_a_slow_count_does() {
    for (archive, (level, same)) in archives().iter().flat_map(|a| LEVELS.map(|level| (a, level))) {
        trees_count(archive, level, same);
    }
}

fn trees_count(archive: &Path, level: &str, same: Same) {
    let told = told(archive, same);
    let rows = lines(&["tree", "--same", level, "--depth", "3", "--format", "ndjson"], archive);
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
        let game_type = text(row, "type");
        let before = if let Some((before, _)) = line.rsplit_once(';') {
            same.name(&mut read(&by_line[&(game_type, before.to_owned())]))
        } else {
            same.name(&mut Position::new(game_type.parse().unwrap(), OpeningRule::Any))
        };
        let mut position = read(&text(row, "position"));
        let (after, to_move) = (same.name(&mut position), position.to_move());
        let step = |told: &Told| {
            told.positions.windows(2).position(|p| p == [before.clone(), after.clone()])
        };
        let games: Vec<_> = told.iter().filter_map(|told| Some((told, step(told)? + 1))).collect();
        let count = |outcome| {
            games.iter().filter(|(told, ply)| told.outcome(*ply, to_move) == outcome).count()
        };
        let outcomes =
            [Some(Outcome::WhiteWins), Some(Outcome::Draw), Some(Outcome::BlackWins), None];
        let expected = outcomes.map(count);
        let found = ["white", "draw", "black", "open"].map(|n| row[n].as_u64().unwrap());
        assert_eq!(found.map(|n| usize::try_from(n).unwrap()), expected, "{level}: {line}");
        assert_eq!(row["games"].as_u64().unwrap(), games.len() as u64, "{level}: {line}");
        let all = told.iter().filter(|told| told.positions.contains(&after)).count();
        let others = row["other_ways"].as_u64().unwrap();
        assert_eq!(others, (all - games.len()) as u64, "{level}: {line}");
        first += usize::from(!line.contains(';')) * games.len();
    }
    // Every game has one first turn, and none is left out.
    assert_eq!(first, told.iter().filter(|told| told.positions.len() > 1).count());
    assert!(rows.len() > 50, "{level}: {}", archive.display());
}

#[test]
fn what_a_tree_counts_is_what_is_found() {
    let archive = project("testdata/bench/Base.uhp");
    for (level, _) in LEVELS {
        let tree = ["tree", "--same", level, "--depth", "4", "--min-games", "2", "--format"];
        let rows = lines(&[&tree[..], &["ndjson"]].concat(), &archive);
        for row in rows.iter().step_by(7) {
            let row: Value = serde_json::from_str(row).unwrap();
            let position = row["position"].as_str().unwrap();
            let find = ["find", "--same", level, "--position", position, "--first"];
            let all = row["games"].as_u64().unwrap() + row["other_ways"].as_u64().unwrap();
            assert_eq!(lines(&find, &archive).len() as u64, all, "{level}: {position}");
        }
    }
}

#[test]
fn a_position_is_found_wherever_it_comes() {
    for archive in archives() {
        let told = told(&archive, Same::Turned);
        let sought: BTreeSet<&String> =
            told.iter().step_by(9).filter_map(|t| t.positions.get(4)).collect();
        for sought in sought.into_iter().take(8) {
            let found = lines(&["find", "--position", sought], &archive);
            let plies = |told: &Told| told.positions.iter().filter(|text| *text == sought).count();
            assert_eq!(found.len(), told.iter().map(plies).sum::<usize>(), "{sought}");
            // What was found is what was sought.
            let shown = lines(&["position", "--form", "canonical"], Path::new(&found[0]));
            assert_eq!(shown.as_slice(), std::slice::from_ref(sought));
            read(sought);
        }
    }
}

#[test]
fn filters_and_their_opposites_share_out_all_games() {
    for archive in archives() {
        let all = told(&archive, Same::Turned).len();
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

#[test]
fn a_key_finds_what_its_position_does() {
    for archive in archives() {
        for game in told(&archive, Same::Turned).iter().step_by(40) {
            let Some(name) = game.positions.get(5) else { continue };
            let mut position = read(name);
            for (level, key) in
                [("turned", position.key()), ("turned+colours", position.key_of_either_color())]
            {
                let by_position = ["find", "--same", level, "--position", name];
                let found = lines(&by_position, &archive);
                assert!(!found.is_empty());
                for key in [format!("{key}"), format!("{key:#}")] {
                    let by_key = ["find", "--same", level, "--key", &key];
                    assert_eq!(lines(&by_key, &archive), found, "{name}");
                }
            }
        }
    }
}

/// All positions of an archive as files in which positions are found as in the games.
#[test]
fn files_of_positions_are_searched_as_games_are() {
    let archive = project("testdata/bench/Base.uhp");
    let question = "around(wQ) >= 4 and moves(wA1) == 0";
    let found = lines(&["find", "--where", question, "--output", "positions"], &archive);
    assert!(found.len() > 20);
    for form in ["exact", "json"] {
        let all = lines(&["position", "--every", "--form", form], &archive).join("\n");
        let file = env::temp_dir().join(format!("hivekit-positions-{}.{form}", process::id()));
        fs::write(&file, all).unwrap();
        let chosen = lines(&["filter", "--where", question, "--form", "exact"], &file);
        let places = lines(&["find", "--where", question], &file);
        fs::remove_file(&file).unwrap();
        assert_eq!(chosen, found, "{form}");
        assert_eq!(places.len(), found.len());
    }
}
