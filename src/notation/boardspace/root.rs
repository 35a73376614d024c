//! What the properties before the moves say: variant, names, date, result.
use super::sgf::{Node, Property, unescaped};
use crate::{
    record::Tag,
    rules::{Bug, Color, GameType, Outcome},
};

/// The properties of a game, wherever they stand.
pub(super) struct Root<'s> {
    properties: Vec<Property<'s>>,
}

impl<'s> Root<'s> {
    pub(super) fn of(nodes: &[Node<'s>]) -> Root<'s> {
        Root { properties: nodes.iter().flatten().copied().collect() }
    }

    /// The first property with this name.
    pub(super) fn get(&self, name: &str) -> Option<Property<'s>> {
        self.properties.iter().find(|property| property.name == name).copied()
    }

    /// Whether anything is said about players, or by them.
    pub(super) fn has_players(&self) -> bool {
        self.get("P0").or_else(|| self.get("P1")).is_some()
    }

    /// The names of White and Black.
    pub(super) fn players(&self) -> [Option<String>; 2] {
        let is_exchanged = self.get("CM").is_some_and(|map| map.value.trim() == "1,0");
        let players = if is_exchanged { ["P1", "P0"] } else { ["P0", "P1"] };
        players.map(|player| {
            let mut own = self.properties.iter().filter(|property| property.name == player);
            own.find_map(|property| player_name(*property))
        })
    }

    /// What the record says about the game, under the names of PGN.
    pub(super) fn tags(&self) -> Vec<Tag> {
        let text = |name| self.get(name).map(|property| unescaped(property.value));
        let date = text("GN")
            .and_then(|name| date_of_name(&name))
            .or_else(|| text("DT").and_then(|date| date_of_text(&date)));
        let [white, black] = self.players();
        [
            ("Date", date),
            ("Event", text("EV")),
            ("Site", text("PC")),
            ("Round", text("RO")),
            ("White", white),
            ("Black", black),
            ("SgfDate", text("DT")),
            ("SgfGameName", text("GN")),
            ("SgfResult", text("RE")),
        ]
        .into_iter()
        .filter_map(|(name, value)| {
            value.map(|value| Tag { name: name.to_owned(), value: value.trim().to_owned() })
        })
        .collect()
    }
}

/// The colours of the two players, the first of whom is P0: CM tells where they are exchanged.
pub(super) fn colors(nodes: &[Node<'_>]) -> [Color; 2] {
    let is_exchanged = Root::of(nodes).get("CM").is_some_and(|map| map.value.trim() == "1,0");
    if is_exchanged { [Color::Black, Color::White] } else { Color::BOTH }
}

/// Why a variant is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownVariant {
    /// A game with rules of its own.
    Ultimate,
    /// No variant that we know.
    Other,
}

/// The game type of a set-up such as `hive-plm 2 0 101`: the letters after the dash name expansions.
pub(super) fn variant(setup: &str) -> Result<GameType, UnknownVariant> {
    let name = setup.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    match name.strip_prefix("hive").map(|rest| rest.strip_prefix('-').unwrap_or(rest)) {
        Some("ultimate") => Err(UnknownVariant::Ultimate),
        Some("pielm") => variant("hive-plm"),
        Some(letters) => letters.chars().try_fold(GameType::BASE, |game_type, letter| {
            Ok(game_type.with(match letter {
                'm' => Bug::Mosquito,
                'l' => Bug::Ladybug,
                'p' => Bug::Pillbug,
                _ => return Err(UnknownVariant::Other),
            }))
        }),
        None => Err(UnknownVariant::Other),
    }
}

/// The name in `id "x"`.
fn player_name(property: Property<'_>) -> Option<String> {
    let name = property.value.trim().strip_prefix("id")?.trim();
    let name = name.strip_prefix('"').unwrap_or(name);
    Some(name.strip_suffix('"').unwrap_or(name).to_owned())
}

/// The outcome that a text in any language tells, by the names of the players: the longest that it
/// holds has won, and without one a word for a draw decides.
pub(super) fn outcome_in(text: &str, names: &[Option<String>; 2]) -> Option<Outcome> {
    const DRAWS: [&str; 13] = [
        "draw",
        "nulle",
        "remis",
        "ничья",
        "patta",
        "tablas",
        "平局",
        "引き分け",
        "empate",
        "remise",
        "gelijk",
        "oavgjort",
        "無勝負",
    ];
    let text = unescaped(text);
    let length = |name: &Option<String>| {
        name.as_deref().filter(|name| is_word_in(name, &text)).map_or(0, str::len)
    };
    match [length(&names[0]), length(&names[1])] {
        [0, 0] => {
            let text = text.to_lowercase();
            DRAWS.iter().any(|word| text.contains(word)).then_some(Outcome::Draw)
        }
        [white, black] if white > black => Some(Outcome::WhiteWins),
        [white, black] if white < black => Some(Outcome::BlackWins),
        _ => None,
    }
}

/// Whether a text holds a name, and not only as a part of a longer one.
fn is_word_in(name: &str, text: &str) -> bool {
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            !before.ends_with(|c: char| c.is_ascii_alphanumeric())
                && !after.starts_with(|c: char| c.is_ascii_alphanumeric())
        })
}

/// The date, as PGN writes it, at the end of a name such as `HV-a-b-2018-10-10-0140`.
fn date_of_name(name: &str) -> Option<String> {
    let mut groups = name.rsplit('-');
    let groups = [groups.next()?, groups.next()?, groups.next()?, groups.next()?];
    let is_number = |(text, digits): (&str, usize)| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let [time, day, month, year] = groups;
    [(time, 4), (day, 2), (month, 2), (year, 4)]
        .into_iter()
        .all(is_number)
        .then(|| format!("{year}.{month}.{day}"))
}

/// The date in a text such as `Wed May 22 12:57:07 EDT 2013` or `28 October 2018`, if it is English.
fn date_of_text(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let month = words.iter().find_map(|word| {
        let start = word.get(..3)?.to_ascii_lowercase();
        MONTHS.iter().position(|month| *month == start)
    })?;
    let number = |digits: std::ops::RangeInclusive<usize>| {
        words
            .iter()
            .find(|word| digits.contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit()))
    };
    let (year, day) = (number(4..=4)?, number(1..=2)?);
    Some(format!("{year}.{:02}.{day:0>2}", month + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_the_first_word_in_any_case() {
        for (setup, expected) in [
            ("hive", Ok("Base")),
            ("Hive-PLM", Ok("Base+MLP")),
            ("hive-lm 2 0 101", Ok("Base+ML")),
            ("hive-p", Ok("Base+P")),
            ("hive-ultimate 2 0 101", Err(UnknownVariant::Ultimate)),
            ("go", Err(UnknownVariant::Other)),
        ] {
            let found = variant(setup).map(|game_type| game_type.to_string());
            assert_eq!(found, expected.map(str::to_owned), "{setup}");
        }
    }

    #[test]
    fn the_longer_name_has_won() {
        let names = |white: &str, black: &str| [Some(white.to_owned()), Some(black.to_owned())];
        for (text, white, black, outcome) in [
            ("Game won by Ann", "Ann", "Bob", Some(Outcome::WhiteWins)),
            ("Bob vann spelet", "Ann", "Bob", Some(Outcome::BlackWins)),
            ("Game won by guest2", "guest", "guest2", Some(Outcome::BlackWins)),
            ("Game won by Bob", "", "Bob", Some(Outcome::BlackWins)),
            ("The game is a draw", "Ann", "Bob", Some(Outcome::Draw)),
            ("游戏平局", "Ann", "Bob", Some(Outcome::Draw)),
            ("Game won by guest", "guest", "guest", None),
            ("The game is drawn", "draw", "Bob", Some(Outcome::Draw)),
            ("?", "Ann", "Bob", None),
        ] {
            assert_eq!(outcome_in(text, &names(white, black)), outcome, "{text}");
        }
    }

    #[test]
    fn dates_are_found_in_names_and_in_english() {
        assert_eq!(date_of_name("HV-a-b-2018-10-10-0140").as_deref(), Some("2018.10.10"));
        assert_eq!(date_of_name("a-b"), None);
        for (text, date) in [
            ("Wed May 22 12:57:07 EDT 2013", Some("2013.05.22")),
            ("28 October 2018", Some("2018.10.28")),
            ("October 2, 2019", Some("2019.10.02")),
            ("1. Oktember", None),
        ] {
            assert_eq!(date_of_text(text).as_deref(), date, "{text}");
        }
    }
}
