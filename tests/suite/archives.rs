//! An archive in one file is read piece by piece, by several threads: what is said about it is what is said about the whole text.
use crate::support::{files, project};
use hivekit::{
    notation::{self, Style},
    replay::{Replayed, Replayer, RuleOptions},
    source::Source,
};
use std::{env, fs, path::PathBuf, process::Command};

/// All small files of a notation that end where a game ends, over and over, until there are several pieces.
fn archive(notation: &str) -> String {
    let mut texts: Vec<String> = files(&project("testdata/games"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == notation))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let broken = match notation {
        "uhp" => "Base;InProgress;White[2];wS1;bX wS1-\nBase;InProgress;White[2];wS1;bS1 wA1-\n",
        "pgn" => "[GameType \"Base\"]\n\n1. wS1\n2. bS1 wS1- and so on\n",
        "sgf" => {
            "(;\nGM[27]VV[1]\nGN[cut-off]\nSU[hive]\n; P0[0 Start P0]\n; P0[1 Move W wS1 N 13 .]\n"
        }
        other => panic!("{other}"),
    };
    texts.push(broken.to_owned());
    let mut archive = String::new();
    while archive.len() < 600_000 {
        for text in &texts {
            archive.push_str(text);
            archive.push('\n');
        }
    }
    archive
}

type Found = (String, Option<u64>, u64, u64);

/// What is found in the whole text at once.
fn found_at_once(notation: &str, text: &str) -> Vec<Found> {
    let source = Source::new("archive", text);
    let mut replayer = Replayer::new(RuleOptions::default());
    let mut found = Vec::new();
    for (game, record) in (1..).zip(notation::named(notation).unwrap().read(&source)) {
        let mut findings = match record {
            Err(finding) => vec![finding],
            Ok(record) => {
                let replayed = replayer.replay(&record);
                [record.findings, replayed.findings, replayed.fault.into_iter().collect()].concat()
            }
        };
        findings.sort_by_key(|finding| (finding.span.start, finding.severity));
        for finding in findings {
            let place = source.place(finding.span.start);
            found.push((
                finding.code.to_owned(),
                Some(game),
                place.line as u64,
                place.column as u64,
            ));
        }
    }
    found
}

fn found_by_command(path: &str, jobs: &str) -> (Vec<Found>, Vec<u8>) {
    let run = Command::new(env!("CARGO_BIN_EXE_hivekit"))
        .args(["check", "--format", "json", "--jobs", jobs, path])
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let found = document["findings"].as_array().unwrap().iter().map(|finding| {
        (
            finding["code"].as_str().unwrap().to_owned(),
            finding["game"].as_u64(),
            finding["line"].as_u64().unwrap(),
            finding["column"].as_u64().unwrap(),
        )
    });
    (found.collect(), run.stdout)
}

/// An archive of each notation, as a file.
fn archive_files(test: &str) -> (PathBuf, Vec<(&'static str, PathBuf, String)>) {
    let folder = env::temp_dir().join(format!("hivekit-archives-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let files = ["uhp", "pgn", "sgf"].map(|notation| {
        let (path, text) = (folder.join(format!("archive.{notation}")), archive(notation));
        fs::write(&path, &text).unwrap();
        (notation, path, text)
    });
    (folder, files.into())
}

#[test]
fn a_large_file_is_read_in_pieces_as_at_once() {
    let (folder, files) = archive_files("check");
    for (notation, path, text) in files {
        let expected = found_at_once(notation, &text);
        assert!(expected.len() > 100, "{notation}: only {} findings", expected.len());
        let (one, first) = found_by_command(path.to_str().unwrap(), "1");
        assert_eq!(one.len(), expected.len(), "{notation}");
        for (found, expected) in one.iter().zip(&expected) {
            assert_eq!(found, expected, "{notation}");
        }
        let (_, second) = found_by_command(path.to_str().unwrap(), "5");
        assert!(
            first == second,
            "{notation}: the order of findings depends on the number of threads"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

/// The legal games of a text in another notation, and the numbers of those that are left out.
fn converted_at_once(from: &str, to: &str, text: &str) -> (String, Vec<usize>) {
    let (source, to) = (Source::new("archive", text), notation::named(to).unwrap());
    let mut replayer = Replayer::new(RuleOptions::default());
    let (mut games, mut left_out) = (Vec::new(), Vec::new());
    for (number, record) in (1..).zip(notation::named(from).unwrap().read(&source)) {
        match record.map(|record| replayer.replay(&record)) {
            Ok(Replayed { game, fault: None, .. }) => {
                let mut written = Vec::new();
                to.write(&game, Style::default(), &mut written).unwrap();
                games.push(String::from_utf8(written).unwrap());
            }
            _ => left_out.push(number),
        }
    }
    (games.join(to.separator()), left_out)
}

#[test]
fn a_large_file_is_converted_in_pieces_as_at_once() {
    let (folder, files) = archive_files("convert");
    for (notation, path, text) in files {
        let to = if notation == "pgn" { "uhp" } else { "pgn" };
        let (expected, left_out) = converted_at_once(notation, to, &text);
        assert!(left_out.len() > 1, "{notation}: nothing is broken");
        for jobs in ["1", "5"] {
            let run = Command::new(env!("CARGO_BIN_EXE_hivekit"))
                .args(["convert", "--to", to, "--jobs", jobs])
                .arg(&path)
                .output()
                .unwrap();
            assert!(String::from_utf8(run.stdout).unwrap() == expected, "{notation}, {jobs} jobs");
            let told = String::from_utf8(run.stderr).unwrap();
            let told: Vec<usize> = told
                .lines()
                .filter(|line| line.contains(": error["))
                .filter_map(|line| line.split("] game ").nth(1)?.split([',', ':']).next())
                .map(|number| number.parse().unwrap())
                .collect();
            assert_eq!(told, left_out, "{notation}, {jobs} jobs");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}
