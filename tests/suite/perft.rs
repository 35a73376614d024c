//! `testdata/perft/*.perft` and its like: a game, and how many lines of play follow it, by depth.
use crate::support::{data_lines, files, position, project};
use hivekit::rules::{OpeningRule, Position, perft};
use std::{env, fs};

/// How many lines of play a test may count: all that is published only when asked for.
fn limit() -> u64 {
    if env::var_os("HIVEKIT_DEEP").is_some() { 60_000_000_000 } else { 13_000_000 }
}

/// Counts what the files say, up to a limit; returns how many counts were compared.
fn compare(limit: u64) -> usize {
    let mut compared = 0;
    for path in files(&project("testdata/perft")) {
        let text = fs::read_to_string(&path).unwrap();
        let mut opening = OpeningRule::Tournament;
        let mut from: Option<Position> = None;
        for (number, line) in data_lines(&text) {
            let place = format!("{}:{number}", path.display());
            match line.split_once(' ').unwrap_or_else(|| panic!("{place}")) {
                ("opening", "any") => opening = OpeningRule::Any,
                ("game", game) => {
                    let mut start = position(game);
                    start.set_opening(opening);
                    from = Some(start);
                }
                ("perft", counts) => {
                    let (depth, lines) = counts.split_once(' ').unwrap();
                    let lines: u64 = lines.parse().unwrap();
                    if lines <= limit {
                        let position = from.as_mut().unwrap();
                        assert_eq!(perft(position, depth.parse().unwrap()), lines, "{place}");
                        compared += 1;
                    }
                }
                _ => panic!("{place}: {line}"),
            }
        }
    }
    compared
}

#[test]
fn the_generator_counts_what_the_files_say() {
    assert!(compare(limit()) > 50);
}

/// To the depth of nine plies for Base and eight for the others: hours.
#[test]
#[ignore = "takes hours; run with --release -- --ignored"]
fn the_generator_counts_all_that_is_published_to_nine_and_eight_plies() {
    assert!(compare(100_000_000_000) > 60);
}
