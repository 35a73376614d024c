//! House rules that the compiler does not keep.
use crate::support::{files, project};
use hivekit::{
    notation,
    rules::{Bug, Rule},
};
use std::{collections::BTreeSet, fs, path::PathBuf};

/// The layers of `src/`, lowest first. A module may name only modules that stand before it, or its own.
const LAYERS: &[&str] = &[
    "parse", "source", "finding", "date", "hex", "rules", "sketch", "record", "game", "replay",
    "notation", "position", "opening", "guide", "explain", "query", "course", "stats", "report",
    "export", "cmd",
];

fn sources() -> Vec<PathBuf> {
    files(&project("src"))
}

#[test]
fn no_module_names_a_layer_above_its_own() {
    let mut wrong = Vec::new();
    for path in sources() {
        let inside = path.strip_prefix(project("src")).unwrap().with_extension("");
        let module = inside.iter().next().unwrap().to_str().unwrap().to_owned();
        let Some(own) = LAYERS.iter().position(|layer| *layer == module) else {
            assert!(matches!(module.as_str(), "lib" | "main"), "{module} is in no layer");
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        let used = named_modules(&text);
        for above in &LAYERS[own + 1..] {
            if used.contains(*above) {
                wrong.push(format!("{} names `{above}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The modules after `crate::`, also in braces.
fn named_modules(text: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(block) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut start = true;
            for (at, c) in block.char_indices() {
                match c {
                    '}' if depth == 0 => break,
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    c if start && c.is_ascii_alphabetic() => {
                        found.insert(word(&block[at..]));
                        start = false;
                    }
                    _ => {}
                }
            }
        } else {
            found.insert(word(rest));
        }
    }
    found
}

#[test]
fn nothing_is_left_to_do_later() {
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        for word in ["TODO", "FIXME", "XXX", "HACK"] {
            assert!(!text.contains(word), "{} holds {word}", path.display());
        }
    }
}

#[test]
fn files_stay_of_one_thought() {
    let is_code = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    for path in sources().into_iter().filter(is_code) {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let lines = code.lines().count();
        assert!(lines <= 500, "{} has {lines} lines without its tests", path.display());
    }
}

#[test]
fn every_notation_has_grammar_data_and_documentation() {
    let docs = fs::read_to_string(project("docs/notations.md")).unwrap();
    for notation in notation::ALL {
        let name = notation.name();
        // What is JSON needs none.
        let grammar = format!("grammar/{name}.ebnf");
        assert!(notation.productions().is_empty() || project(&grammar).is_file(), "{grammar}");
        for folder in ["valid", "invalid"] {
            files(&project(&format!("testdata/notation/{name}/{folder}")));
        }
        assert!(docs.contains(&format!("`{name}`")), "{name} is not in docs/notations.md");
    }
}

#[test]
fn codes_are_unique_and_in_kebab_case() {
    let codes: Vec<&str> = Rule::ALL
        .iter()
        .map(|rule| rule.code())
        .chain(hivekit::finding::CODES.iter().map(|code| code.name))
        .collect();
    let unique: BTreeSet<_> = codes.iter().collect();
    assert_eq!(unique.len(), codes.len());
    for code in codes {
        assert!(
            code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{code}"
        );
    }
    assert_eq!(Bug::COUNT, 30);
}

#[test]
fn no_public_record_is_in_the_test_data() {
    for path in files(&project("testdata")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(!name.contains("HV-"), "{}", path.display());
    }
}
