//! What the command prints and how it exits: one `testdata/cli/COMMAND/*.cmd` for each case. The first line is the command line, in
//! quotation marks where it holds blanks; the lines after it are standard input.
use crate::support::project;
use std::{
    fs,
    io::Write as _,
    process::{Command, Stdio},
};

/// The words of a command line: blanks separate, apostrophes hold together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn transcript(case: &str) -> String {
    let (line, input) = case.split_once('\n').unwrap_or((case, ""));
    let mut child = Command::new(env!("CARGO_BIN_EXE_hivekit"))
        .args(words(line))
        .current_dir(project("testdata"))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let run = child.wait_with_output().unwrap();
    format!(
        "$ hivekit {line}\n{}--- stderr\n{}--- exit {}\n",
        String::from_utf8(run.stdout).unwrap(),
        String::from_utf8(run.stderr).unwrap(),
        run.status.code().unwrap(),
    )
}

#[test]
fn every_case_prints_its_transcript() {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::glob!("../../testdata/cli", "*/*.cmd", |case| {
            insta::assert_snapshot!(transcript(&fs::read_to_string(case).unwrap()));
        });
    });
}

#[test]
fn a_closed_pipe_is_quiet() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hivekit"))
        .args(["perft", "Base", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let run = child.wait_with_output().unwrap();
    assert_eq!((run.stderr.as_slice(), run.status.code()), (b"".as_slice(), Some(0)));
}
