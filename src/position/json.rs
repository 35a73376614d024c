//! Positions as a JSON object: `cells` with `q`, `r` and `stack` (from the bottom to the top), `to_move`, `turn`,
//! `game_type`, `hands` and `last_turn`. Missing keys mean that there is none, or that it follows from the rest.
use super::{Form, ReadError, Setup, check_hand, spread};
use crate::{
    hex::Hex,
    rules::{Bug, Color, GameType, How, LastTurn, OpeningRule, Piece, Position},
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Positions as JSON.
pub(super) struct Json;

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none", borrow)]
    game_type: Option<Cow<'a, str>>,
    to_move: Side,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
    cells: Vec<Site>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hands: Option<Hands>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_turn: Option<Last>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    White,
    Black,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Site {
    q: i32,
    r: i32,
    stack: Vec<String>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Hands {
    #[serde(default)]
    white: Vec<String>,
    #[serde(default)]
    black: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Last {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    how: Option<Word>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moved: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Passed,
    Placed,
    Moved,
    Ability,
}

impl Side {
    fn of(color: Color) -> Side {
        if color == Color::White { Side::White } else { Side::Black }
    }

    fn color(self) -> Color {
        match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl Word {
    fn of(how: How) -> Option<Word> {
        match how {
            How::Unknown => None,
            How::Pass => Some(Word::Passed),
            How::Placed => Some(Word::Placed),
            How::Moved => Some(Word::Moved),
            How::Ability => Some(Word::Ability),
        }
    }

    fn how(self) -> How {
        match self {
            Word::Passed => How::Pass,
            Word::Placed => How::Placed,
            Word::Moved => How::Moved,
            Word::Ability => How::Ability,
        }
    }
}

/// Reads the names in a JSON text, which are looked for there where one is none.
struct Names<'t>(&'t str);

impl Names<'_> {
    fn piece(&self, name: &str) -> Result<Piece, ReadError> {
        name.parse().map_err(|_| self.wrong(name, "the name of a piece, such as `wA1`"))
    }

    fn pieces(&self, names: &[String]) -> Result<Vec<Piece>, ReadError> {
        names.iter().map(|name| self.piece(name)).collect()
    }

    fn wrong(&self, name: &str, expected: &str) -> ReadError {
        let at = self.0.find(&format!("\"{name}\"")).map_or(0, |quote| quote + 1);
        ReadError::at(self.0, at, expected)
    }

    fn last(&self, last: &Last) -> Result<LastTurn, ReadError> {
        let moved = self.pieces(&last.moved)?;
        if let [one, other, ..] = moved[..] {
            return Err(ReadError::BothMoved(one, other));
        }
        let actor = last.actor.as_deref().map(|name| self.piece(name)).transpose()?;
        let displaced = moved.first().copied();
        let how = match last.how {
            Some(how) => how.how(),
            None if displaced.is_some() => How::Moved,
            None if actor.is_some() => How::Placed,
            None => How::Unknown,
        };
        Ok(LastTurn { actor, how, displaced })
    }
}

impl Form for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn sniff(&self, text: &str) -> bool {
        text.trim_start().starts_with('{') && text.contains("\"cells\"")
    }

    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut documents = Vec::new();
        let mut rest = text;
        while !rest.trim().is_empty() {
            let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
            if let Some(Ok(document)) = stream.next() {
                documents.push(document.get());
                rest = &rest[stream.byte_offset()..];
            } else {
                // What is no JSON is left for reading to tell; the next line may be some.
                let start = rest.trim_start();
                let (line, after) = start.split_once('\n').unwrap_or((start, ""));
                documents.push(line);
                rest = after;
            }
        }
        documents
    }

    fn read(&self, text: &str, opening: OpeningRule) -> Result<Position, ReadError> {
        let document: Document<'_> = serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            let expected = message.split(" at line ").next().unwrap_or_default();
            let expected = format!("a position as JSON: {expected}");
            ReadError::Syntax { line: error.line(), column: error.column(), expected }
        })?;
        let names = Names(text);
        let game_type = document.game_type.as_deref().map(|name| {
            let wrong = |_| names.wrong(name, "a game type, such as `Base` or `Base+MLP`");
            name.parse::<GameType>().map_err(wrong)
        });
        let mut setup = Setup {
            game_type: game_type.transpose()?,
            to_move: Some(document.to_move.color()),
            turn: document.turn,
            ..Setup::default()
        };
        for Site { q, r, stack } in &document.cells {
            setup.stacks.push((Hex { q: *q, r: *r }, names.pieces(stack)?));
        }
        let hands = match &document.hands {
            Some(Hands { white, black }) => Some([names.pieces(white)?, names.pieces(black)?]),
            None => None,
        };
        setup.others = hands.iter().flatten().flatten().copied().collect();
        setup.last =
            document.last_turn.as_ref().map_or(Ok(LastTurn::default()), |l| names.last(l))?;
        let position = setup.compose(opening)?;
        for (color, hand) in Color::BOTH.into_iter().zip(hands.iter().flatten()) {
            if hand.iter().any(|piece| piece.color() != color) {
                return Err(ReadError::Hand(color));
            }
            let kinds: Vec<Bug> = hand.iter().map(|piece| piece.bug()).collect();
            check_hand(&position, color, &kinds)?;
        }
        Ok(position)
    }

    fn write(&self, position: &mut Position) -> String {
        let hive = position.hive();
        let cells = spread(hive).into_iter().map(|(Hex { q, r }, cell)| Site {
            q,
            r,
            stack: hive.stack(cell).iter().map(Piece::to_string).collect(),
        });
        let hand = |color| position.hand(color).map(|piece| piece.to_string()).collect();
        let last = position.last();
        // A piece that moved may have been thrown: only who did it tells how.
        let is_known = last.actor.is_some() || last.how == How::Pass;
        let last_turn =
            (position.ply() > 0 && (is_known || last.displaced.is_some())).then(|| Last {
                player: Some(Side::of(position.to_move().other())),
                actor: last.actor.map(|piece| piece.to_string()),
                how: Word::of(last.how).filter(|_| is_known),
                moved: last.displaced.iter().map(Piece::to_string).collect(),
            });
        let document = Document {
            game_type: Some(Cow::Owned(position.game_type().to_string())),
            to_move: Side::of(position.to_move()),
            turn: Some(position.turn_number()),
            cells: cells.collect(),
            hands: Some(Hands { white: hand(Color::White), black: hand(Color::Black) }),
            last_turn,
        };
        // Names and numbers are always JSON.
        serde_json::to_string(&document).unwrap_or_default() + "\n"
    }
}
