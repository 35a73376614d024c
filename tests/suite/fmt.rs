//! `fmt`: one spelling, the same games, nothing lost.
use crate::support::{files, project, records};
use hivekit::{
    notation,
    replay::{Replayer, RuleOptions},
    source::Source,
};
use std::{
    env, fs,
    path::Path,
    process::{Command, Output},
};

fn fmt(args: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hivekit")).arg("fmt").args(args).arg(path).output().unwrap()
}

/// Where the pieces go in each game of a text that can be read, with its outcome and tags.
fn games(text: &str) -> Vec<String> {
    let source = Source::new("test", text);
    let mut replayer = Replayer::new(RuleOptions::default());
    records(&source)
        .into_iter()
        .flatten()
        .map(|record| {
            let game = replayer.replay(&record).game;
            let numbering = game.numbering();
            let turns: Vec<_> = game
                .turns()
                .iter()
                .map(|turn| turn.goes().map(|(piece, cell)| (numbering.name(piece), cell.hex())))
                .collect();
            format!("{turns:?} {:?} {:?} {:?}", game.outcome(), game.cause(), game.remarks())
        })
        .collect()
}

#[test]
fn all_test_files_keep_their_games_and_are_in_one_spelling() {
    let folder = env::temp_dir().join(format!("hivekit-fmt-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut count = 0;
    for notation in notation::ALL.iter().filter(|notation| notation.can_rewrite()) {
        for path in files(&project(&format!("testdata/notation/{}", notation.name()))) {
            let before = Source::decode("before", fs::read(&path).unwrap());
            let run = fmt(&["-q"], &path);
            let after = String::from_utf8(run.stdout).unwrap();
            let what = path.display();
            // A board without directions can be turned by being read anew.
            if notation.name() != "relative" {
                assert_eq!(games(before.text()), games(&after), "{what}:\n{after}");
            }
            let copy = folder.join(path.file_name().unwrap());
            fs::write(&copy, &after).unwrap();
            let again = fmt(&["-q"], &copy);
            assert_eq!(String::from_utf8(again.stdout).unwrap(), after, "{what} a second time");
            let check = fmt(&["--check", "-q"], &copy);
            assert!(check.stdout.is_empty(), "{what} would change a second time");
            count += 1;
        }
    }
    fs::remove_dir_all(folder).unwrap();
    assert!(count > 80, "only {count} files");
}

#[test]
fn files_are_written_anew_in_place_only_if_they_change() {
    let folder = env::temp_dir().join(format!("hivekit-fmt-place-{}", std::process::id()));
    fs::create_dir_all(folder.join("below")).unwrap();
    let (bad, good) = (folder.join("below/bad.uhp"), folder.join("good.uhp"));
    let clean = "Base;InProgress;White[2];wS1;bS1 wS1-\n";
    // A remark and a game that is not legal stay as they are.
    let odd = "# a remark\nwS1;bS1 wS1-;\nBase;InProgress;White[2];wS1;bS1 wS2-";
    let expected = "# a remark\nBase;InProgress;White[2];wS1;bS1 wS1-\nBase;InProgress;White[2];wS1;bS1 wS2-\n";
    fs::write(&bad, odd).unwrap();
    fs::write(&good, clean).unwrap();
    let check = fmt(&["--check", "-q"], &folder);
    assert_eq!(check.status.code(), Some(1));
    assert_eq!(String::from_utf8(check.stdout).unwrap().trim(), bad.display().to_string());
    let written = fs::metadata(&good).unwrap().modified().unwrap();
    let run = fmt(&["--in-place"], &folder);
    assert_eq!(run.status.code(), Some(1), "a game is not legal");
    assert_eq!(fs::read_to_string(&bad).unwrap(), expected);
    assert_eq!(fs::metadata(&good).unwrap().modified().unwrap(), written);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_no_list_of_games_is_refused() {
    let run = fmt(&[], &project("testdata/games/both-queens/game.table"));
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&run.stderr).contains("convert"));
}
