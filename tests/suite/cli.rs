//! What the command prints and how it exits: one `testdata/cli/COMMAND/*.cmd` for each case. The first line is the command line, in
//! quotation marks where it holds blanks; the lines after it are standard input.
use crate::support::{data_lines, fed, project};
use hivekit::rules::Rule;
use std::{
    fs,
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
    let run = fed(&words(line), input.as_bytes());
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

/// What `check` says of the first case of each rule, which a person reviews who knows the game and not the program.
#[test]
fn every_rule_is_explained() {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        let mut untold = Vec::new();
        for rule in Rule::ALL {
            let file = project(&format!("testdata/rules/{}.tsv", rule.code()));
            let text = fs::read_to_string(file).unwrap();
            let mut cases = data_lines(&text).map(|(_, line)| line.split('\t').collect::<Vec<_>>());
            let is_told = |case: &Vec<&str>| case[2] == rule.code() && !case[1].contains(" (");
            let Some(case) = cases.find(is_told) else {
                untold.push(rule.code());
                continue;
            };
            let told = transcript(&format!("check --strict -\n{};{}\n", case[0], case[1]));
            insta::assert_snapshot!(format!("every_rule_is_explained@{}", rule.code()), told);
        }
        // Places that no neighbour tells.
        assert_eq!(untold, ["placement-apart"]);
    });
}

#[test]
fn a_closed_pipe_is_quiet() {
    let mut commands = vec![
        "perft Base 4",
        "export bench",
        "export bench --table plies --format ndjson",
        "export bench --table positions",
        "stats bench",
        "sort --by plies bench",
        "merge bench",
        "completions bash",
        "man",
    ];
    if cfg!(feature = "parquet") {
        commands.push("export bench --table plies --format arrow");
    }
    for command in commands {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hivekit"))
            .current_dir(project("testdata"))
            .args(command.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!((&*said, run.status.code()), ("", Some(0)), "{command}");
    }
}
