//! `sort`, `split`, `sample` and `merge`: the same games, where and in which order they should be.
use crate::support::{corpus, files, project};
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command},
};

fn printed(args: &[&str], path: &Path) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_hivekit")).arg("-q").args(args).arg(path).output();
    let run = run.unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.is_empty(), "{args:?}: {said}");
    String::from_utf8(run.stdout).unwrap()
}

/// The lines of games, as they are put in any order.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

fn games() -> PathBuf {
    project("testdata/bench/Base+MLP.uhp")
}

fn plies(line: &str) -> usize {
    line.split(';').count() - 3
}

#[test]
fn sorted_games_are_the_same_in_order() {
    let all = fs::read_to_string(games()).unwrap();
    for (by, goes_down) in [("plies", false), ("-plies", true)] {
        let by = format!("--by={by}");
        let found = printed(&["sort", &by], &games());
        assert_eq!(sorted(&found), sorted(&all));
        let lengths: Vec<usize> = found.lines().map(plies).collect();
        let in_order =
            |one: &usize, other: &usize| if goes_down { one >= other } else { one <= other };
        assert!(lengths.is_sorted_by(in_order));
        // Those that are equal stay as they were.
        let place = |line: &str| all.lines().position(|other| other == line);
        let equal = found.lines().collect::<Vec<_>>();
        for pair in equal.windows(2).filter(|pair| plies(pair[0]) == plies(pair[1])) {
            assert!(place(pair[0]) < place(pair[1]));
        }
        assert_eq!(printed(&["sort", &by, "--memory", "1", "--jobs", "3"], &games()), found);
    }
    // What is not known comes last, both ways.
    for by in ["--by=date,file", "--by=-date,file"] {
        let found = printed(&["sort", by, "--to", "ndjson"], &project("testdata/games"));
        let dates: Vec<bool> = found.lines().map(|line| line.contains("\"Date\"")).collect();
        assert!(dates.contains(&true) && dates.contains(&false));
        assert!(dates.is_sorted_by(|one, other| one >= other), "{by}");
    }
}

#[test]
fn divided_games_are_all_of_them() {
    let folder = env::temp_dir().join(format!("hivekit-split-{}", process::id()));
    let archives = corpus("boardspace-sgf/2024").into_iter().chain([project("testdata/bench")]);
    for archive in archives {
        let all = printed(&["filter", "--to", "uhp"], &archive);
        for (how, times) in
            [(["--count", "7"], 1), (["--by", "type,result"], 1), (["--by", "colour"], 2)]
        {
            let out = folder.to_str().unwrap();
            let said =
                printed(&[&["split", "--to", "uhp", "-o", out][..], &how].concat(), &archive);
            assert_eq!(said, "");
            let texts: Vec<String> =
                files(&folder).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
            let mut found = texts.iter().flat_map(|text| text.lines()).collect::<Vec<_>>();
            found.sort_unstable();
            let mut expected: Vec<&str> = all.lines().flat_map(|line| vec![line; times]).collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{how:?}");
            if how[0] == "--count" {
                assert_eq!(texts.concat(), all);
                assert!(texts[..texts.len() - 1].iter().all(|text| text.lines().count() == 7));
            }
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}

#[test]
fn samples_are_some_of_the_games_in_order() {
    let all = fs::read_to_string(games()).unwrap();
    let all: Vec<&str> = all.lines().collect();
    let taken = |args: &[&str]| -> Vec<usize> {
        let found = printed(&[&["sample"], args].concat(), &games());
        found.lines().map(|line| all.iter().position(|game| *game == line).unwrap()).collect()
    };
    let mut sums = BTreeSet::new();
    let mut counts = vec![0; all.len()];
    for seed in 0..60 {
        let found = taken(&["--games", "10", "--seed", &seed.to_string()]);
        assert_eq!(found.len(), 10);
        assert!(found.is_sorted_by(|one, other| one < other));
        found.iter().for_each(|&at| counts[at] += 1);
        sums.insert(found);
    }
    // Of 60 draws of 10 of 100, each game is drawn 6 times on average, and hardly ever more than 20 times.
    assert_eq!(sums.len(), 60);
    assert!(counts.iter().all(|&count| count <= 20), "{counts:?}");
    assert_eq!(taken(&["--games", "1000"]).len(), all.len());
    assert_eq!(taken(&["--share", "1"]).len(), all.len());
    assert_eq!(taken(&["--share", "0"]).len(), 0);
    let half = taken(&["--share", "0.5", "--seed", "3"]).len();
    assert!((25..75).contains(&half), "{half}");
}

#[test]
fn merged_games_are_in_one_notation() {
    let folder = project("testdata/games/both-queens");
    let found = printed(&["merge"], &folder);
    let names: BTreeSet<_> = files(&folder)
        .into_iter()
        .filter_map(|path| Some(path.extension()?.to_string_lossy().into_owned()))
        .collect();
    assert!(names.len() > 5, "{names:?}");
    let games = printed(&["filter", "--output", "addresses"], &folder).lines().count();
    let path = env::temp_dir().join(format!("hivekit-merge-{}", process::id()));
    fs::write(&path, found).unwrap();
    assert_eq!(printed(&["filter", "-c"], &path).trim(), games.to_string());
    fs::remove_file(&path).unwrap();
}
