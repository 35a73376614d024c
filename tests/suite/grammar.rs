use crate::support::{Dice, ebnf::Grammar, project};
use hivekit::{
    notation,
    parse::Production,
    position::{self, diagram},
    query,
    rules::bugs::walk,
};
use std::{collections::BTreeSet, fs};

/// Every grammar with its parsers: those of the notations, and our own small ones.
fn grammars() -> impl Iterator<Item = (&'static str, &'static [Production])> {
    let own: [(&str, &[Production]); 4] = [
        ("move-string", notation::move_string::PRODUCTIONS),
        ("diagram", diagram::PRODUCTIONS),
        ("query", query::PRODUCTIONS),
        ("walk", walk::PRODUCTIONS),
    ];
    own.into_iter()
        .chain(notation::ALL.iter().map(|n| (n.name(), n.productions())))
        .chain(position::ALL.iter().map(|form| (form.name(), form.productions())))
        // Some notations are JSON, which has a grammar of its own.
        .filter(|(_, productions)| !productions.is_empty())
}

fn text(name: &str) -> String {
    fs::read_to_string(project(&format!("grammar/{name}.ebnf"))).unwrap()
}

fn grammar(name: &str) -> Grammar {
    let base = match name {
        "uhp" | "pgn" | "plies" => Some("move-string"),
        "position" | "diagram" => Some("game-type"),
        _ => None,
    };
    Grammar::read(&text(name), base.map(|base| Grammar::read(&text(base), None)))
}

#[test]
fn every_parser_has_a_production() {
    for (name, productions) in grammars() {
        let written: BTreeSet<_> = grammar(name).rules.into_keys().collect();
        for (parser, _) in productions {
            assert!(written.contains(*parser), "{name}: `{parser}` is not in the grammar");
        }
    }
}

#[test]
fn every_production_can_be_reached_from_a_parser() {
    for (name, productions) in grammars() {
        let grammar = grammar(name);
        let mut reached: BTreeSet<String> =
            productions.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut fresh: Vec<String> = reached.iter().cloned().collect();
        while let Some(name) = fresh.pop() {
            fresh.extend(
                grammar.names_in(&name).into_iter().filter(|name| reached.insert(name.clone())),
            );
        }
        for written in Grammar::read(&text(name), None).rules.keys() {
            assert!(reached.contains(written), "{name}: no parser uses `{written}`");
        }
    }
}

#[test]
fn grammar_and_parser_agree_on_sentences_and_on_broken_ones() {
    for (name, productions) in grammars() {
        let grammar = grammar(name);
        for (production, parses) in productions {
            let mut dice = Dice(0x9E37_79B9);
            for _ in 0..500 {
                let sentence = grammar.sentence(production, &mut dice);
                assert!(parses(&sentence), "{name}: {production} refuses {sentence:?}");
                let broken = mutated(&sentence, &mut dice);
                assert_eq!(
                    parses(&broken),
                    grammar.accepts(production, &broken),
                    "{name}: {production} and its grammar differ on {broken:?}"
                );
            }
        }
    }
}

/// `text` with one character dropped, doubled or replaced by another one of its own.
fn mutated(text: &str, dice: &mut Dice) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return "?".to_owned();
    }
    let (at, other) = (dice.below(chars.len()), dice.below(chars.len()));
    match dice.below(3) {
        0 => drop(chars.remove(at)),
        1 => chars.insert(at, chars[at]),
        _ => chars[at] = chars[other],
    }
    chars.into_iter().collect()
}
