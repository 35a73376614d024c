//! Hostile input: whatever is done to a record, nothing panics, and every finding has its place in the text.
use crate::support::{Dice, files, project};
use hivekit::{
    notation::{self, Style},
    position::diagram,
    replay::{Replayer, RuleOptions},
    rules::Options,
    source::Source,
};
use std::fs;

/// Some bytes dropped, doubled, swapped or replaced.
fn spoiled(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(4) {
        if bytes.is_empty() {
            break;
        }
        let (at, other) = (dice.below(bytes.len()), dice.below(bytes.len()));
        match dice.below(6) {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, bytes[other]),
            2 => bytes.swap(at, other),
            3 => bytes[at] = u8::try_from(dice.below(256)).unwrap(),
            4 => bytes.truncate(at),
            _ => bytes.splice(at..at, *b"wQ-[](;{}\\").for_each(drop),
        }
    }
    bytes
}

fn survive(bytes: Vec<u8>, replayer: &mut Replayer) {
    let source = Source::decode("spoiled", bytes);
    for notation in notation::ALL {
        for record in notation.read(&source).take(50) {
            let findings = match record {
                Err(finding) => vec![finding],
                Ok(record) => {
                    let replayed = replayer.replay(&record);
                    let mut out = Vec::new();
                    notation.write(&replayed.game, Style::default(), &mut out).unwrap();
                    [record.findings, replayed.findings, replayed.fault.into_iter().collect()]
                        .concat()
                }
            };
            for finding in findings {
                assert!(finding.span.end <= source.text().len(), "{finding:?}");
                assert!(source.text().get(finding.span.clone()).is_some(), "{finding:?}");
                source.place(finding.span.start);
            }
        }
    }
    let _ = diagram::read(source.text(), Options::default());
}

#[test]
fn nothing_panics_on_spoiled_records() {
    let mut dice = Dice(0xB0A7_10AD);
    let mut replayer = Replayer::new(RuleOptions::default());
    let texts: Vec<Vec<u8>> = files(&project("testdata"))
        .iter()
        .map(|path| fs::read(path).unwrap())
        .filter(|text| text.len() < 8192)
        .collect();
    for _ in 0..6000 {
        let text = &texts[dice.below(texts.len())];
        survive(spoiled(text, &mut dice), &mut replayer);
    }
}

#[test]
fn nothing_panics_on_odd_texts() {
    let mut replayer = Replayer::new(RuleOptions::default());
    let deep = "(;".repeat(100_000);
    for text in [
        "", "\u{feff}", ";", ";;;", "Base;", "Base;;", "(", "()", "(;", "[", "[]", "{", "1.",
        "\n\n", "é", "wQ", "\0", "> ", &deep,
    ] {
        survive(text.as_bytes().to_vec(), &mut replayer);
    }
}
