//! One slip is put into each of many games: how often `check` finds it, and how often its guess is what stood there before.
use crate::support::{Dice, corpus, files, is_deep, project, records, source};
use hivekit::{
    explain::{Explanation, Slip},
    finding::Severity,
    notation::{self, Style, move_string::MoveString},
    replay::{Replayer, RuleOptions},
    source::Source,
};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write as _},
    path::PathBuf,
};

/// What can happen to the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Destination,
    Number,
    Dropped,
    Doubled,
    Colour,
    Sign,
    Byte,
}

const FAULTS: [Fault; 7] = [
    Fault::Destination,
    Fault::Number,
    Fault::Dropped,
    Fault::Doubled,
    Fault::Colour,
    Fault::Sign,
    Fault::Byte,
];

/// A game string as its first three fields and its moves.
struct Text {
    head: String,
    moves: Vec<String>,
}

impl Text {
    fn of(text: &str) -> Text {
        let mut fields = text.trim().split(';').map(str::to_owned);
        let head = fields.by_ref().take(3).collect::<Vec<_>>().join(";");
        Text { head, moves: fields.collect() }
    }

    fn joined(&self, moves: &[String]) -> String {
        [std::slice::from_ref(&self.head), moves].concat().join(";")
    }

    /// The text with a fault, and the ply that it has to do with; nothing if the game has no place for such a fault.
    fn spoiled(&self, fault: Fault, dice: &mut Dice) -> Option<(String, usize)> {
        let mut moves = self.moves.clone();
        let at = dice.below(moves.len());
        let words: Vec<String> = moves[at].split(' ').map(str::to_owned).collect();
        let (piece, spot) = (words.first()?.clone(), words.get(1).cloned());
        match fault {
            Fault::Dropped => drop(moves.remove(at)),
            Fault::Doubled => moves.insert(at, moves[at].clone()),
            Fault::Destination => {
                let other = moves[dice.below(moves.len())].split(' ').nth(1)?.to_owned();
                moves[at] = format!("{piece} {other}");
            }
            Fault::Number => {
                let digit = piece.chars().last().filter(char::is_ascii_digit)?;
                let other = if digit == '1' { '2' } else { '1' };
                moves[at] = moves[at].replacen(digit, &other.to_string(), 1);
            }
            Fault::Colour => {
                let other = if piece.starts_with('w') { "b" } else { "w" };
                moves[at].replace_range(..1, other);
            }
            Fault::Sign => {
                let spot = spot?;
                let is_sign = |c: char| matches!(c, '-' | '/' | '\\');
                let name = spot.trim_matches(is_sign);
                let sign = spot.replace(name, "");
                let mirrored = if spot.starts_with(is_sign) {
                    format!("{name}{sign}")
                } else {
                    format!("{sign}{name}")
                };
                moves[at] = format!("{piece} {mirrored}");
            }
            Fault::Byte => {
                let text = self.joined(&moves);
                let start = self.head.len() + 1;
                let place = start + dice.below(text.len() - start);
                let mut bytes = text.clone().into_bytes();
                bytes[place] = b"wbQSBGA123-/\\; x"[dice.below(16)];
                let ply = text[start..place].matches(';').count();
                return Some((String::from_utf8(bytes).ok()?, ply));
            }
        }
        let text = self.joined(&moves);
        (text != self.joined(&self.moves)).then_some((text, at))
    }
}

#[derive(Default)]
struct Count {
    seeded: usize,
    found: usize,
    /// Found at the ply itself.
    at_place: usize,
    guessed: usize,
    right: usize,
}

fn archives() -> Vec<PathBuf> {
    let mut paths = files(&project("testdata/bench"));
    paths.extend(corpus("random").iter().flat_map(|folder| files(folder)));
    paths.extend(corpus("boardspace-sgf/2024").iter().flat_map(|folder| files(folder)));
    paths.retain(|path| path.extension().is_some_and(|e| e == "uhp" || e == "sgf"));
    paths
}

#[test]
fn slips_are_found_and_often_guessed() {
    let mut dice = Dice(0x5117_0000_0001);
    let mut counts: BTreeMap<Fault, Count> = BTreeMap::new();
    let uhp = notation::named("uhp").unwrap();
    for path in archives() {
        let source = source(&path);
        let step = if is_deep() || path.extension().is_some_and(|e| e == "sgf") { 1 } else { 20 };
        for record in records(&source).into_iter().step_by(step) {
            let mut replayer = Replayer::new(RuleOptions::default());
            let replayed = replayer.replay(&record.unwrap());
            let mut bytes = Vec::new();
            uhp.write(&replayed.game, Style::default(), &mut bytes).unwrap();
            let text = Text::of(&String::from_utf8(bytes).unwrap());
            if text.moves.len() < 8 {
                continue;
            }
            for fault in FAULTS {
                let Some((spoiled, at)) = text.spoiled(fault, &mut dice) else { continue };
                let count = counts.entry(fault).or_default();
                count.seeded += 1;
                judge(&text, &spoiled, at, fault, count);
            }
        }
    }
    let mut told = String::new();
    for (fault, Count { seeded, found, at_place, guessed, right }) in &counts {
        let _ = writeln!(
            told,
            "{fault:?}: {seeded} seeded, {found} found, {at_place} at the place, {guessed} guessed, {right} right"
        );
        // What is not found is another legal game.
        assert!(found * 10 > seeded * 4, "{told}");
        assert!(fault == &Fault::Byte || right * 2 > *at_place, "{told}");
    }
    let _ = write!(io::stderr(), "{told}");
}

/// A turn in the words in which games are written.
fn canonical(replayer: &mut Replayer, turn: Option<&str>) -> Option<String> {
    let source = Source::new("guess", turn?);
    let record = notation::named("uhp")?.read(&source).next()?.ok()?;
    let turn = replayer.meant(&record, &record.plies[0]).ok()?;
    Some(MoveString::new(replayer.position(), turn).to_string())
}

/// Whether a fault is found in a text, and what is guessed.
fn judge(text: &Text, spoiled: &str, at: usize, fault: Fault, count: &mut Count) {
    let source = Source::new("spoiled", spoiled);
    let uhp = notation::named("uhp").unwrap();
    let mut replayer = Replayer::new(RuleOptions::default());
    for record in uhp.read(&source) {
        let Ok(record) = record else {
            count.found += 1;
            return;
        };
        let replayed = replayer.replay(&record);
        let findings = record.findings.iter().chain(&replayed.findings).chain(&replayed.fault);
        if !findings.clone().any(|finding| finding.severity > Severity::Note) {
            continue;
        }
        count.found += 1;
        let Some(attempt) = replayed.attempt else { return };
        let is_here = attempt.at == at || fault == Fault::Doubled && attempt.at == at + 1;
        count.at_place += usize::from(is_here);
        let explanation = Explanation::of(&mut replayer, &record, &attempt);
        let Some(guess) = explanation.guess else { return };
        count.guessed += 1;
        count.right += usize::from(match fault {
            Fault::Doubled => guess.slip == Slip::Extra,
            Fault::Dropped => guess.slip == Slip::Missing,
            // The same place can be told by several neighbours.
            _ => canonical(&mut replayer, guess.turn.as_deref()) == text.moves.get(at).cloned(),
        });
        return;
    }
}
