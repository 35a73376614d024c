pub(crate) mod conversion;
pub(crate) mod ebnf;
pub(crate) mod fan_oracle;
pub(crate) mod oracle;

use hivekit::{
    finding::Finding,
    notation,
    record::Record,
    replay::{Replayed, Replayer, RuleOptions},
    rules::{OpeningRule, Position},
    source::Source,
};
use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// A small generator of pseudo-random numbers (xorshift), so that every run is the same run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number from -20 to 20.
    pub(crate) fn ranged(&mut self) -> i32 {
        i32::try_from(self.below(41)).unwrap_or(0) - 20
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap_or(0)
    }
}

/// Whether tests over random games are to play very many of them.
pub(crate) fn is_deep() -> bool {
    env::var_os("HIVEKIT_DEEP").is_some_and(|deep| !deep.is_empty())
}

/// A file or folder of the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// All files below a folder, sorted. Fails where there is none: a test over nothing proves nothing.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    walk(folder, &mut found);
    found.sort();
    assert!(!found.is_empty(), "{} holds no file", folder.display());
    found
}

/// A file or folder of the public records, if they are on this machine.
pub(crate) fn corpus(path: &str) -> Option<PathBuf> {
    let found = env::var_os("HIVEKIT_CORPUS")
        .filter(|root| !root.is_empty())
        .map(|root| PathBuf::from(root).join(path));
    if found.is_none() {
        // Past the capture of the test runner: a skipped test must not look like a passed one.
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let _ = writeln!(io::stderr(), "skipped: {test}: HIVEKIT_CORPUS names no public records");
    }
    found
}

pub(crate) fn source(path: &Path) -> Source {
    Source::decode(path.to_string_lossy(), fs::read(path).unwrap())
}

/// The games of a source, in the notation that it looks like.
pub(crate) fn records(source: &Source) -> Vec<Result<Record, Finding>> {
    let notation = notation::detect(source.text());
    notation.unwrap_or_else(|| panic!("{}: no notation", source.name())).read(source).collect()
}

/// The only game of a text.
pub(crate) fn record(text: &str) -> Record {
    let source = Source::new("test", text);
    let mut records = records(&source);
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0).unwrap_or_else(|finding| panic!("{text}: {finding:?}"))
}

/// The only game of a text, replayed.
pub(crate) fn replay(text: &str, options: RuleOptions) -> Replayed {
    Replayer::new(options).replay(&record(text))
}

/// The position that a legal game string leads to, under the tournament's opening rule.
pub(crate) fn position(game_string: &str) -> Position {
    let replayed = replay(game_string, RuleOptions::default());
    assert_eq!(replayed.fault, None, "{game_string}");
    let mut position = replayed.game.position(replayed.game.turns().len());
    position.set_opening(OpeningRule::Tournament);
    position
}

/// The data lines of a table, with their numbers: all but blank lines and comments.
pub(crate) fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

/// What a command says in `testdata`, with this on standard input.
pub(crate) fn fed(args: &[String], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hivekit"))
        .args(args)
        .current_dir(project("testdata"))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}
