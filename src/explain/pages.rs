//! What each code of a finding means, with examples. The pages are in `pages.md`; the examples of a law are the cases that the
//! tests hold it to.
use crate::{
    finding::{CODES, Severity},
    rules::Rule,
};

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The code.
    pub code: &'static str,
    /// How bad it is by default.
    pub severity: Severity,
    /// Whether `--strict` makes it an error.
    pub is_leniency: bool,
    /// What it means, in one sentence.
    pub about: &'static str,
    /// The law that is broken, if it is one, in the words of a finding.
    pub rule: Option<Rule>,
}

/// What a kind of finding means, why, and what it looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The kind.
    pub kind: Kind,
    /// More about it, in lines as they are written.
    pub text: &'static str,
    /// A record in which it is found.
    pub wrong: Option<Example>,
    /// One like it in which it is not.
    pub right: Option<Example>,
}

/// A record as an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The notation in which it is read, or `auto`.
    pub notation: String,
    /// What finds it: arguments of `hivekit`.
    pub command: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

const PAGES: &str = include_str!("pages.md");

macro_rules! cases {
    ($($code:literal,)+) => {
        &[$(($code, include_str!(concat!("../../testdata/rules/", $code, ".tsv")))),+]
    };
}

/// The cases of each law: game, move, and `ok` or the code that is found.
const CASES: &[(&str, &str)] = cases! {
    "game-over",
    "pass-with-moves",
    "not-in-game",
    "not-your-piece",
    "queen-on-first-turn",
    "queen-by-turn-four",
    "move-before-queen",
    "unknown-reference",
    "not-on-table",
    "removed-piece",
    "face-down",
    "turn-back",
    "covered-piece",
    "frozen-piece",
    "held-piece",
    "resting-snail",
    "no-such-ability",
    "protected-piece",
    "no-target",
    "same-place",
    "placement-on-occupied",
    "placement-of-kind",
    "placement-touches-enemy",
    "placement-apart",
    "one-hive",
    "occupied-destination",
    "freedom-to-move",
    "loses-contact",
    "out-of-reach",
};

/// All kinds of findings: those that are no laws first, each in the order of its table.
pub fn kinds() -> impl Iterator<Item = Kind> {
    let records = CODES.iter().map(|code| Kind {
        code: code.name,
        severity: code.severity,
        is_leniency: code.is_leniency,
        about: code.about.trim(),
        rule: None,
    });
    let laws = Rule::ALL.iter().map(|&rule| Kind {
        code: rule.code(),
        severity: Severity::Error,
        is_leniency: false,
        about: rule.about().trim(),
        rule: Some(rule),
    });
    records.chain(laws)
}

/// All pages, in the order of the kinds.
pub fn all() -> impl Iterator<Item = Page> {
    kinds().map(page_of)
}

/// The page of a code.
pub fn of(code: &str) -> Option<Page> {
    kinds().find(|kind| kind.code == code).map(page_of)
}

/// The page of a kind: what `pages.md` says of it.
fn page_of(kind: Kind) -> Page {
    let code = kind.code;
    let sections = PAGES.split("\n## ").map(|section| section.trim_start_matches("## "));
    let found = sections.filter_map(|section| section.split_once('\n'));
    let section = found.into_iter().find(|(name, _)| name.trim() == code);
    let section = section.map_or("", |(_, section)| section);
    let is_example = |line: &str| line.starts_with("wrong ") || line.starts_with("right ");
    let mut text = section.len();
    let mut at = 0;
    let mut examples: [Option<Example>; 2] = [None, None];
    let mut open: Option<usize> = None;
    for line in section.split_inclusive('\n') {
        if is_example(line) {
            text = text.min(at);
            let which = usize::from(line.starts_with("right "));
            examples[which] = Some(Example::of_head(line[6..].trim()));
            open = Some(which);
        } else if let Some(example) = open.and_then(|which| examples[which].as_mut()) {
            example.add(line);
        }
        at += line.len();
    }
    let [wrong, right] = examples.map(|example| example.map(Example::ended));
    let case = |verdict| kind.rule.and_then(|_| page_case(code, verdict));
    Page {
        kind,
        text: section[..text].trim(),
        wrong: wrong.or_else(|| case(code)),
        right: right.or_else(|| case("ok")),
    }
}

/// The first case of a law with a verdict whose move a text can tell.
fn page_case(code: &str, verdict: &str) -> Option<Example> {
    let (_, cases) = CASES.iter().find(|(name, _)| *name == code)?;
    let cases = cases.lines().filter(|line| !line.starts_with('#'));
    let mut cases = cases.filter_map(|line| {
        let mut columns = line.split('\t');
        Some((columns.next()?, columns.next()?, columns.next()?))
    });
    let (game, turn, _) =
        cases.find(|(_, turn, found)| *found == verdict && !turn.contains(" ("))?;
    Some(Example {
        notation: "uhp".to_owned(),
        command: if code == Rule::QueenOnFirstTurn.code() { "check --strict" } else { "check" }
            .to_owned(),
        bytes: format!("{game};{turn}\n").into_bytes(),
    })
}

impl Example {
    /// Begins an example with its first line: a notation, perhaps `bytes`, and perhaps a colon and a command.
    fn of_head(head: &str) -> Example {
        let (notation, command) = head.split_once(": ").unwrap_or((head, "check"));
        let notation = notation.trim_end_matches(" bytes").to_owned();
        Example { notation, command: command.to_owned(), bytes: Vec::new() }
    }

    /// Adds a line, in which `\xE9` is a byte.
    fn add(&mut self, line: &str) {
        let line = line.strip_prefix("    ").unwrap_or(line);
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("\\x") {
            self.bytes.extend(before.as_bytes());
            let digits = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
            if let Some(byte) = digits {
                self.bytes.push(byte);
                rest = &after[2..];
            } else {
                self.bytes.extend(b"\\x");
                rest = after;
            }
        }
        self.bytes.extend(rest.as_bytes());
    }

    /// Without the blank lines at the end.
    fn ended(mut self) -> Example {
        while self.bytes.ends_with(b"\n\n") {
            self.bytes.pop();
        }
        if self.bytes == b"\n" {
            self.bytes.clear();
        }
        self
    }

    /// Whether `check` finds it.
    pub fn is_of_check(&self) -> bool {
        self.command.starts_with("check")
    }

    /// The text, with a sign for what is no UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The arguments of `hivekit` with which it is found, on standard input.
    pub fn arguments(&self) -> Vec<String> {
        let mut words: Vec<String> = self.command.split(' ').map(str::to_owned).collect();
        if self.notation != "auto" {
            words.extend(["--from".to_owned(), self.notation.clone()]);
        }
        words.push("-".to_owned());
        words
    }
}
