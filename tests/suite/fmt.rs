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

/// A folder with files for a test.
fn folder_with(test: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder = env::temp_dir().join(format!("hivekit-fmt-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

#[test]
fn remarks_stay_and_files_stay_apart() {
    let list = "# title\n\n# before\nwS1\n# after the first\nbG1 wS1-\n";
    let other = "wA1\nbA1 wA1-\n";
    let folder = folder_with("remarks", &[("a.txt", list), ("b.txt", other)]);
    let run = fmt(&[], &folder);
    assert_eq!(String::from_utf8(run.stdout).unwrap(), [list, other].join("\n"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_read_costs_no_other_file() {
    let odd = "Base;InProgress;White[2];wS1;bS1  wS1-\n";
    let folder =
        folder_with("unreadable", &[("a.uhp", odd), ("b.txt", "nonsense"), ("c.uhp", odd)]);
    let [a, b, c, missing] =
        ["a.uhp", "b.txt", "c.uhp", "missing"].map(|name| folder.join(name).display().to_string());
    let run = fmt(&["--check", &a, &b, &missing], Path::new(&c));
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(String::from_utf8(run.stdout).unwrap(), format!("{a}\n{c}\n"));
    let run = fmt(&["-i", &a, &b, &missing], Path::new(&c));
    assert_eq!(run.status.code(), Some(2));
    for path in [a, c] {
        assert_eq!(fs::read_to_string(path).unwrap(), odd.replace("  ", " "));
    }
    assert_eq!(fs::read_to_string(b).unwrap(), "nonsense");
    fs::remove_dir_all(folder).unwrap();
}

/// Files are read in pieces, which end anywhere between two games.
#[test]
fn large_files_in_one_spelling_do_not_change() {
    let uhp = fs::read_to_string(project("testdata/bench/Base.uhp")).unwrap().repeat(4);
    let source = Source::new("bench", uhp);
    let mut replayer = Replayer::new(RuleOptions::default());
    let read = notation::named("uhp").unwrap().read(&source);
    let games: Vec<_> = read.map(|record| replayer.replay(&record.unwrap()).game).collect();
    for notation in notation::ALL.iter().filter(|notation| notation.can_rewrite()) {
        let mut texts = Vec::new();
        for game in &games {
            let mut text = Vec::new();
            notation.write(game, notation::Style::default(), &mut text).unwrap();
            texts.push(String::from_utf8(text).unwrap());
        }
        let text = texts.join(notation.separator());
        assert!(text.len() > 200_000, "{}: only {} bytes", notation.name(), text.len());
        let folder = folder_with(notation.name(), &[("large", &text)]);
        let check = fmt(&["--check", "--from", notation.name()], &folder.join("large"));
        let said = String::from_utf8_lossy(&check.stderr).into_owned();
        assert!(check.stdout.is_empty() && check.status.success(), "{}: {said}", notation.name());
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn what_is_no_list_of_games_is_refused() {
    let run = fmt(&[], &project("testdata/games/both-queens/game.table"));
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&run.stderr).contains("convert"));
}
