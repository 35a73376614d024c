//! What stands in a line, as `serde` reads and writes it.
use crate::{
    game,
    record::{Aside, Cause, Control, Origin, Remark, Tag},
    rules::{Color, Outcome},
};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
    ser::SerializeMap,
};
use serde_json::value::RawValue;
use std::{borrow::Cow, collections::BTreeSet, fmt};

/// A game as it stands in a line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line<'a> {
    pub(super) hivekit: u32,
    #[serde(rename = "type", borrow)]
    pub(super) game_type: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub(super) tags: Tags,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<End>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<Word<Cause>>,
    #[serde(borrow)]
    pub(super) plies: Vec<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<Said>,
    #[serde(default, borrow, skip_serializing_if = "Vec::is_empty")]
    pub(super) variations: Vec<Branch<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<Origin>,
}

/// Another line of play as it stands in a line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Branch<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<usize>,
    pub(super) after: usize,
    #[serde(borrow)]
    pub(super) plies: Vec<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<Said>,
}

/// A game that is kept as it stood in another notation, because it cannot be read or is not legal.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept<'a> {
    pub(super) hivekit: u32,
    #[serde(borrow)]
    pub(super) notation: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) text: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) fault: Fault<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<Origin>,
}

/// What was wrong with it when it was kept.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fault<'a> {
    pub(super) code: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ply: Option<usize>,
    pub(super) message: Cow<'a, str>,
}

/// A remark as it stands in a line: of the last three one is there.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Said {
    pub(super) after: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) player: Option<Player>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) clock_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) control: Option<Word<Control>>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Player {
    White,
    Black,
}

impl Player {
    pub(super) fn of(color: Color) -> Player {
        if color == Color::White { Player::White } else { Player::Black }
    }

    pub(super) fn color(self) -> Color {
        match self {
            Player::White => Color::White,
            Player::Black => Color::Black,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) enum End {
    WhiteWins,
    BlackWins,
    Draw,
}

impl End {
    pub(super) fn of(outcome: Outcome) -> End {
        match outcome {
            Outcome::WhiteWins => End::WhiteWins,
            Outcome::BlackWins => End::BlackWins,
            Outcome::Draw => End::Draw,
        }
    }

    pub(super) fn outcome(self) -> Outcome {
        match self {
            End::WhiteWins => Outcome::WhiteWins,
            End::BlackWins => Outcome::BlackWins,
            End::Draw => Outcome::Draw,
        }
    }
}

/// One of a table of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<T>(pub(super) T);

macro_rules! word {
    ($type:ident) => {
        impl Serialize for Word<$type> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.word())
            }
        }

        impl<'de> Deserialize<'de> for Word<$type> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = Cow::<str>::deserialize(deserializer)?;
                $type::from_word(&word).map(Word).ok_or_else(|| {
                    let known: Vec<_> = $type::ALL.iter().map(|known| known.word()).collect();
                    serde::de::Error::custom(format!("`{word}` is none of {}", known.join(", ")))
                })
            }
        }
    };
}

word!(Cause);
word!(Control);

/// Names and values in their order.
#[derive(Debug, Default)]
pub(super) struct Tags(pub(super) Vec<Tag>);

impl Tags {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for Tag { name, value } in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tags, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of names and texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tags, A::Error> {
                let mut tags = Tags::default();
                let mut names = BTreeSet::new();
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    if !names.insert(name.clone()) {
                        return Err(serde::de::Error::custom(format!(
                            "the tag `{name}` comes twice"
                        )));
                    }
                    tags.0.push(Tag { name, value });
                }
                Ok(tags)
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

impl<'a> Branch<'a> {
    pub(super) fn of(other: &game::Variation, plies: &'a [Box<RawValue>]) -> Branch<'a> {
        Branch {
            of: other.of,
            after: other.after,
            plies: raw(plies),
            remarks: other.remarks.iter().map(Said::of).collect(),
        }
    }
}

impl Said {
    pub(super) fn of(remark: &Remark) -> Said {
        let said = Said { after: remark.after, ..Said::default() };
        match &remark.what {
            Aside::Comment(text) => Said { comment: Some(text.clone()), ..said },
            Aside::Clock(player, milliseconds) => {
                Said { player: Some(Player::of(*player)), clock_ms: Some(*milliseconds), ..said }
            }
            Aside::Control(player, control) => {
                Said { player: Some(Player::of(*player)), control: Some(Word(*control)), ..said }
            }
        }
    }

    pub(super) fn remark(self) -> Option<Remark> {
        let player = self.player.map(Player::color);
        let what = match (self.comment, self.clock_ms, self.control) {
            (Some(text), None, None) => Aside::Comment(text),
            (None, Some(milliseconds), None) => Aside::Clock(player?, milliseconds),
            (None, None, Some(Word(control))) => Aside::Control(player?, control),
            _ => return None,
        };
        Some(Remark { after: self.after, what })
    }
}

/// Plies as a line holds them.
pub(super) fn raw(plies: &[Box<RawValue>]) -> Vec<&RawValue> {
    plies.iter().map(|ply| &**ply).collect()
}
