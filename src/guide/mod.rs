//! The rule of each kind of piece in words, with positions that show it.
//!
//! The words are in `pieces.md`: a section for each kind, headed by its code; lines that begin with `>` are examples: a
//! position, a piece, and what it shows.
use crate::{
    notation::move_string::MoveString,
    position::{
        self, ReadError,
        diagram::{self, Marks},
    },
    rules::{Bug, Choice, Deed, Options, Piece, Position, Special, Turn, bugs::Copied},
};
use std::fmt::{self, Write as _};

/// The words for all kinds.
const PIECES: &str = include_str!("pieces.md");

/// What there is to say of a kind.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The kind.
    pub bug: Bug,
    /// Its rule.
    pub paragraphs: Vec<&'static str>,
    /// Positions that show it.
    pub examples: Vec<Example>,
}

/// A position that shows what a piece can do.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// In the position notation.
    pub position: &'static str,
    /// The name of the piece.
    pub piece: &'static str,
    /// What it does there.
    pub caption: &'static str,
}

/// What there is to say of a kind; `None` where nothing is written of it.
pub fn of(bug: Bug) -> Option<Entry> {
    let mut sections = PIECES.split("## ").filter(|section| !section.trim().is_empty());
    let text = sections.find_map(|section| {
        let (code, text) = section.split_once('\n')?;
        (code.trim() == bug.code()).then_some(text)
    })?;
    let is_example = |line: &&str| line.starts_with('>');
    let paragraphs = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    let examples = text.lines().filter(is_example).filter_map(|line| {
        let mut parts = line.trim_start_matches('>').split('|').map(str::trim);
        Some(Example { position: parts.next()?, piece: parts.next()?, caption: parts.next()? })
    });
    Some(Entry {
        bug,
        paragraphs: paragraphs.filter(|text| !text.starts_with('>')).collect(),
        examples: examples.collect(),
    })
}

impl Example {
    /// The position.
    ///
    /// # Errors
    ///
    /// Fails where the text is none.
    pub fn read(&self) -> Result<Position, ReadError> {
        let form = position::detect(self.position).unwrap_or(position::ALL[0]);
        form.read(self.position, Options::default())
    }

    /// The position drawn, with an `o` wherever the piece can go, and in words of the notation what else it can do.
    ///
    /// # Errors
    ///
    /// Fails where the text is no position.
    pub fn drawn(&self) -> Result<String, ReadError> {
        let mut position = self.read()?;
        let piece: Option<Piece> = self.piece.parse().ok();
        let mut turns = position.turns();
        turns.retain(|turn| turn.actor() == piece);
        let is_drawn = |turn: &Turn| {
            matches!(turn, Turn::Walk { .. } | Turn::Place { .. })
                || matches!(
                    turn,
                    Turn::Special(Special { controller: None, deed: Deed::Walk(_), .. })
                )
        };
        let ends: Vec<_> =
            turns.iter().filter(|turn| is_drawn(turn)).filter_map(|turn| turn.goes()).collect();
        let ends = ends.into_iter().map(|(_, cell)| cell).collect();
        let marks = Marks { ends, ..Marks::default() };
        let mut text = diagram::draw_marked(&position, marks).to_string().trim_end().to_owned();
        let others: Vec<String> = turns
            .iter()
            .filter(|turn| !is_drawn(turn))
            .map(|&turn| MoveString::new(&position, turn).to_string())
            .collect();
        for (at, line) in others.chunks(6).enumerate() {
            let before = if at == 0 { "\n\n" } else { "\n" };
            let _ = write!(text, "{before}{}", line.join("   "));
        }
        Ok(text)
    }
}

/// What the table of kinds says, in a line.
pub fn facts(bug: Bug) -> String {
    let count = match bug.count() {
        1 => "one for each side".to_owned(),
        count => format!("{count} for each side"),
    };
    let mut facts = vec![format!("code `{}`", bug.code()), count];
    if !bug.walk().is_empty() {
        facts.push(format!("walk `{}`", bug.walk()));
    }
    facts.push(
        match bug.copied() {
            Copied::Wholly => "copied by a mosquito",
            Copied::OnTop => "copied by a mosquito on top of others only",
            Copied::Never => "never copied by a mosquito",
        }
        .to_owned(),
    );
    facts.join(", ")
}

/// The rules about a kind between whose values a game can choose.
pub fn choices(bug: Bug) -> impl Iterator<Item = &'static Choice> {
    let concerned = move |name: &str| match name {
        "queen_removal" => matches!(bug, Bug::AssassinBug | Bug::Mantis),
        "stick_shift" => bug == Bug::StickInsect,
        "butterfly_place" => bug == Bug::Butterfly,
        "mite_priority" => bug == Bug::Mite,
        "dungbeetle_walk" | "dungbeetle_target" => bug == Bug::DungBeetle,
        "fly_follows_thrown" => matches!(bug, Bug::Fly | Bug::Mantis),
        "cockroach_face_choice" => bug == Bug::Cockroach,
        "scorpion_suppress" | "poison_target" => bug == Bug::Scorpion,
        "beehive_target" => bug == Bug::Beehive,
        "firefly_target" => bug == Bug::Firefly,
        _ => false,
    };
    Options::CHOICES.iter().filter(move |choice| concerned(choice.name))
}

/// The entry as plain text.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.bug.name(), facts(self.bug).replace('`', ""))?;
        for paragraph in &self.paragraphs {
            writeln!(f, "\n{}", folded(&paragraph.replace('`', "")))?;
        }
        for example in &self.examples {
            let drawn = example.drawn().map_err(|_| fmt::Error)?;
            let Example { position, piece, caption } = example;
            writeln!(f, "\n{caption} ({piece} in {position}):\n\n{}", drawn.trim_end())?;
        }
        for choice in choices(self.bug) {
            writeln!(
                f,
                "\n--rule {}={}: {}",
                choice.name,
                choice.values.join("|"),
                choice.about.trim()
            )?;
        }
        Ok(())
    }
}

/// A paragraph in lines of at most 100 characters.
fn folded(paragraph: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in paragraph.split_whitespace() {
        if width > 0 && width + 1 + word.len() > 100 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_rule_and_an_example_in_which_it_can_do_something() {
        for &bug in Bug::ALL {
            let entry = of(bug).unwrap_or_else(|| panic!("nothing is written of {bug:?}"));
            assert!(!entry.paragraphs.is_empty() && !entry.examples.is_empty(), "{bug:?}");
            for example in &entry.examples {
                let mut position = example.read().unwrap_or_else(|e| panic!("{bug:?}: {e}"));
                let piece: Piece = example.piece.parse().unwrap();
                assert_eq!(piece.bug(), bug);
                let acts = position.turns().iter().any(|turn| turn.actor() == Some(piece));
                assert!(acts, "{bug:?} does nothing in {}", example.position);
            }
        }
    }

    #[test]
    fn every_rule_to_choose_is_told_of_some_kind() {
        let told =
            |name| Bug::ALL.iter().any(|&bug| choices(bug).any(|choice| choice.name == name));
        for choice in Options::CHOICES {
            assert!(told(choice.name), "{}", choice.name);
        }
    }
}
