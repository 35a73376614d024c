//! What the properties before the moves say: variant, names, date, result.
use super::sgf::{Node, Property, unescaped};
use crate::{
    date::{date_of_name, date_of_text},
    record::Tag,
    rules::{Bug, Color, GameType, Outcome},
};
use std::collections::BTreeSet;

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

    /// The properties that say nothing to us.
    fn others(&self) -> impl Iterator<Item = &Property<'s>> {
        self.properties.iter().filter(|property| !is_known(property.name))
    }

    /// Whether there are properties that say nothing to us.
    pub(super) fn has_unknown(&self) -> bool {
        self.others().next().is_some()
    }

    /// Whether there are properties that say nothing to us and are no tags: those that come twice, and empty ones.
    pub(super) fn has_others(&self) -> bool {
        let mut names = BTreeSet::new();
        self.others().any(|other| {
            !names.insert(other.name) || tag_of(other).is_none_or(|tag| tag.value.is_empty())
        })
    }

    /// Whether anything is said about players, or by them.
    pub(super) fn has_players(&self) -> bool {
        self.get("P0").or_else(|| self.get("P1")).is_some()
    }

    /// The names of White and Black.
    pub(super) fn players(&self) -> [Option<String>; 2] {
        let players = if self.colors() == Color::BOTH { ["P0", "P1"] } else { ["P1", "P0"] };
        players.map(|player| {
            let mut own = self.properties.iter().filter(|property| property.name == player);
            own.find_map(|property| player_name(*property))
        })
    }

    /// What is said of a player of a colour, as in `ranking 1500`.
    fn of_player(&self, color: Color, word: &str) -> Option<String> {
        let player = if color == self.colors()[0] { "P0" } else { "P1" };
        let mut own = self.properties.iter().filter(|property| property.name == player);
        own.find_map(|property| {
            let value = property.value.trim().strip_prefix(word)?;
            value.starts_with(char::is_whitespace).then(|| value.trim().to_owned())
        })
    }

    /// What the record says about the game, under the names of PGN.
    pub(super) fn tags(&self) -> Vec<Tag> {
        let text = |name: &str| self.get(name).map(|property| unescaped(property.value));
        let date = text("GN")
            .and_then(|name| date_of_name(&name))
            .or_else(|| text("DT").and_then(|date| date_of_text(&date)));
        let [white, black] = self.players();
        let of_game = |known: &'static [(&str, &str)]| {
            known.iter().map(|&(tag, name)| (tag.to_owned(), text(name)))
        };
        let (before_players, after_players) = OF_GAME.split_at(3);
        let mut tags = vec![("Date".to_owned(), date)];
        tags.extend(of_game(before_players));
        tags.extend([("White".to_owned(), white), ("Black".to_owned(), black)]);
        tags.extend(of_game(after_players));
        for color in Color::BOTH {
            tags.extend(
                OF_PLAYER
                    .iter()
                    .map(|(tag, word)| (format!("{color}{tag}"), self.of_player(color, word))),
            );
        }
        let known = tags
            .into_iter()
            .filter_map(|(name, value)| Some(Tag { name, value: value?.trim().to_owned() }))
            .filter(|tag| !says_nothing_new(tag));
        let mut names = BTreeSet::new();
        let others = self.others().filter(|other| names.insert(other.name)).filter_map(tag_of);
        known.chain(others).filter(|tag| !tag.value.is_empty()).collect()
    }

    /// The colours of the two players, the first of whom is P0: CM tells where they are exchanged.
    fn colors(&self) -> [Color; 2] {
        let is_exchanged = self.get("CM").is_some_and(|map| map.value.trim() == "1,0");
        if is_exchanged { [Color::Black, Color::White] } else { Color::BOTH }
    }
}

/// The tags that are properties of the game, as they stand.
pub(super) static OF_GAME: [(&str, &str); 9] = [
    ("Event", "EV"),
    ("Site", "PC"),
    ("Round", "RO"),
    ("SgfDate", "DT"),
    ("SgfGameName", "GN"),
    ("SgfResult", "RE"),
    ("SgfSetup", "SU"),
    ("TimeControl", "TC"),
    ("Speed", "GS"),
];

/// Those that are said of a player, and the words that say so.
pub(super) static OF_PLAYER: [(&str, &str); 3] =
    [("Ranking", "ranking"), ("Country", "country"), ("Time", "time")];

/// The tag for a property that says nothing to us: none if its name is not one of SGF.
fn tag_of(property: &Property<'_>) -> Option<Tag> {
    let name = format!("Sgf{}", property.name);
    let value = unescaped(property.value).trim().to_owned();
    other_property(&name).is_some().then_some(Tag { name, value })
}

/// The name of the property that such a tag holds.
pub(super) fn other_property(tag: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    let name = tag.strip_prefix("Sgf")?;
    (!name.is_empty() && name.chars().all(is_part) && !is_known(name)).then_some(name)
}

/// Whether a property is read as something else than a tag of its name.
fn is_known(property: &str) -> bool {
    const KNOWN: [&str; 13] =
        ["GM", "VV", "CM", "FF", "P0", "P1", "P-1", "TM", "C", "N", "GC", "AN", "AP"];
    KNOWN.contains(&property) || OF_GAME.iter().any(|(_, name)| *name == property)
}

/// Whether a tag says that there is no time control, or no more than the game type.
fn says_nothing_new(tag: &Tag) -> bool {
    match tag.name.as_str() {
        "TimeControl" => tag.value.eq_ignore_ascii_case("none"),
        "SgfSetup" => variant(&tag.value)
            .is_ok_and(|read| [variant_name(read), newest(read)].contains(&tag.value)),
        _ => false,
    }
}

/// Exchanges what is said of White and of Black.
pub(super) fn exchange_players(tags: &mut [Tag]) {
    for tag in tags {
        if let Some(rest) = tag.name.strip_prefix("White") {
            tag.name = format!("Black{rest}");
        } else if let Some(rest) = tag.name.strip_prefix("Black") {
            tag.name = format!("White{rest}");
        }
    }
}

/// The colours of the two players at the beginning.
pub(super) fn colors(nodes: &[Node<'_>]) -> [Color; 2] {
    Root::of(nodes).colors()
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

/// The variant with this game type.
pub(super) fn variant_name(game_type: GameType) -> String {
    // In this order, whatever the order of the table.
    let letters: String = [(Bug::Pillbug, 'p'), (Bug::Ladybug, 'l'), (Bug::Mosquito, 'm')]
        .into_iter()
        .filter(|(bug, _)| game_type.count(*bug) > 0)
        .map(|(_, letter)| letter)
        .collect();
    if letters.is_empty() { "hive".to_owned() } else { format!("hive-{letters}") }
}

/// The set-up of the newest files, whose board does not wrap around.
pub(super) fn newest(game_type: GameType) -> String {
    format!("{} 2 0 101", variant_name(game_type))
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
    // Where names do not tell the players apart, the colours may.
    let known = |name: &Option<String>| name.as_deref().is_some_and(|name| !name.is_empty());
    let are_told = names[0] != names[1] && (known(&names[0]) || known(&names[1]));
    let words =
        if are_told { names.clone() } else { Color::BOTH.map(|color| Some(color.to_string())) };
    let names = &words;
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
            ("Game won by Black", "guest", "guest", Some(Outcome::BlackWins)),
            ("Game won by White", "", "", Some(Outcome::WhiteWins)),
            ("The game is drawn", "draw", "Bob", Some(Outcome::Draw)),
            ("?", "Ann", "Bob", None),
        ] {
            assert_eq!(outcome_in(text, &names(white, black)), outcome, "{text}");
        }
    }
}
