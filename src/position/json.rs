//! Positions as a JSON object: `cells` with `q`, `r` and `stack` (from the bottom to the top), `to_move`, `turn`,
//! `game_type`, `hands` and `last_turn`, and what fan pieces add. Missing keys mean that there is none, or that it
//! follows from the rest.
use super::{Form, ReadError, Setup, check_hand, spread};
use crate::{
    hex::Hex,
    rules::{Bug, Color, Few, GameType, How, LastTurn, Mark, Options, Piece, Position},
};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::value::RawValue;
use std::{borrow::Cow, collections::BTreeMap};

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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    under: Vec<Hidden>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    face_down: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    spent: Vec<String>,
    /// What two-faced pieces show: a colour, or the code of a kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    faces: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    adult: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cooling: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    poison_spent: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hands: Option<Hands>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    removed: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_turn: Option<Last>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
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

/// A piece beneath a stack.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Hidden {
    q: i32,
    r: i32,
    piece: String,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    flipped: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Passed,
    Placed,
    Moved,
    Ability,
    Flipped,
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
            How::Flipped => Some(Word::Flipped),
        }
    }

    fn how(self) -> How {
        match self {
            Word::Passed => How::Pass,
            Word::Placed => How::Placed,
            Word::Moved => How::Moved,
            Word::Ability => How::Ability,
            Word::Flipped => How::Flipped,
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
        ReadError::at(at, expected)
    }

    /// The pieces of each cell: the second time that a stick insect comes, it is its other half.
    fn stacks(&self, cells: &[Site]) -> Result<Vec<(Hex, Vec<Piece>)>, ReadError> {
        let mut seen = Vec::new();
        let mut stacks = Vec::with_capacity(cells.len());
        for Site { q, r, stack } in cells {
            let mut pieces = self.pieces(stack)?;
            for piece in &mut pieces {
                if seen.contains(piece) {
                    *piece = piece.half().unwrap_or(*piece);
                }
                seen.push(*piece);
            }
            stacks.push((Hex { q: *q, r: *r }, pieces));
        }
        Ok(stacks)
    }

    /// The marks of fan pieces.
    fn marks(&self, document: &Document<'_>) -> Result<Vec<(Mark, Piece)>, ReadError> {
        let mut marks = Vec::new();
        let spent = &document.spent;
        let is_known = |name: &&String| !spent.contains(name);
        let face_down: Vec<String> = document.face_down.iter().filter(is_known).cloned().collect();
        let lists = [
            (Mark::FaceDown, &face_down),
            (Mark::Spent, spent),
            (Mark::Adult, &document.adult),
            (Mark::Cooling, &document.cooling),
            (Mark::PoisonSpent, &document.poison_spent),
            (Mark::Removed, &document.removed),
        ];
        for (mark, names) in lists {
            marks.extend(self.pieces(names)?.into_iter().map(|piece| (mark, piece.whole())));
        }
        for (name, face) in &document.faces {
            let piece = self.piece(name)?;
            let (usual, other) = faces(piece);
            match face.as_str() {
                face if face == usual => {}
                face if face == other => marks.push((Mark::OtherFace, piece)),
                face => {
                    let expected = format!("a face of `{name}`, `{usual}` or `{other}`");
                    return Err(self.wrong(face, &expected));
                }
            }
        }
        Ok(marks)
    }

    fn last(&self, last: &Last, to_move: Side) -> Result<LastTurn, ReadError> {
        if last.player == Some(to_move) {
            return Err(ReadError::Player);
        }
        let few = |pieces: Vec<Piece>| match pieces[..] {
            [one, .., other] if pieces.len() > MOST_MOVED => Err(ReadError::BothMoved(one, other)),
            _ => Ok(pieces.into_iter().map(Piece::whole).collect::<Few>()),
        };
        let displaced = few(self.pieces(&last.moved)?)?;
        let faced = few(self.pieces(&last.flipped)?)?;
        let actor = last.actor.as_deref().map(|name| self.piece(name)).transpose()?;
        let actor = actor.map(Piece::whole);
        let how = match last.how {
            Some(how) => how.how(),
            None if !displaced.is_empty() => How::Moved,
            None if !faced.is_empty() => How::Ability,
            None if actor.is_some() => How::Placed,
            None => How::Unknown,
        };
        Ok(LastTurn { actor, how, displaced, faced })
    }
}

/// How many pieces a turn can move.
const MOST_MOVED: usize = 4;

/// The names of a piece's two faces, the usual one first.
fn faces(piece: Piece) -> (String, String) {
    let colors = [piece.color(), piece.color().other()].map(|color| color.letter().to_string());
    match piece.bug() {
        Bug::Cockroach => (piece.bug().code().to_owned(), Bug::Ladybug.code().to_owned()),
        _ => colors.into(),
    }
}

/// Where, after the first line, the next line begins that could be the first of a document.
fn next_start(text: &str) -> usize {
    let first = text.len() - text.trim_start().len();
    text[first..].find("\n{").map_or(text.len(), |at| first + at + 1)
}

/// The byte of a text in this line and column of bytes, both from 1.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let offset = (before + column.saturating_sub(1)).min(text.len());
    (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

impl Form for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn sniff(&self, text: &str) -> bool {
        let has_key = ["\"cells\"", "\"to_move\""].iter().any(|key| text.contains(key));
        text.trim_start().starts_with('{') && has_key
    }

    fn last_cut(&self, bytes: &[u8]) -> Option<usize> {
        let mut documents = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
        let mut end = None;
        while let Some(Ok(_)) = documents.next() {
            end = Some(documents.byte_offset());
        }
        end
    }

    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut documents = Vec::new();
        let mut rest = text;
        // Once one has no end, each is looked for up to the next line that could begin one, so that no text is read twice.
        let mut has_open = false;
        while !rest.trim().is_empty() {
            let piece = if has_open { &rest[..next_start(rest)] } else { rest };
            let mut stream = serde_json::Deserializer::from_str(piece).into_iter::<&RawValue>();
            match stream.next() {
                Some(Ok(document)) => {
                    documents.push(document.get());
                    rest = &rest[stream.byte_offset()..];
                }
                found => {
                    has_open |= matches!(found, Some(Err(error)) if error.is_eof());
                    // What is no JSON is left for reading to tell; the next one may be some.
                    let (broken, after) = rest.split_at(next_start(rest));
                    documents.push(broken.trim());
                    rest = after;
                }
            }
        }
        documents
    }

    fn read(&self, text: &str, options: Options) -> Result<Position, ReadError> {
        let document: Document<'_> = serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            let expected = message.split(" at line ").next().unwrap_or_default();
            let expected = format!("a position as JSON: {expected}");
            ReadError::at(offset_of(text, error.line(), error.column()), expected)
        })?;
        let names = Names(text);
        let game_type = document.game_type.as_deref().map(|name| {
            name.parse::<GameType>().map_err(|error| match error.meant {
                Some(meant) => names.wrong(name, &format!("`{meant}`")),
                None => names.wrong(name, "a game type, such as `Base` or `Base+MLP`"),
            })
        });
        let mut game_type = game_type.transpose()?;
        if document.hands.is_none() {
            // Both sides hold all that is not on the table.
            game_type = game_type.or_else(|| Some(GameType::all()));
        }
        let mut setup = Setup {
            game_type,
            to_move: Some(document.to_move.color()),
            turn: document.turn,
            stacks: names.stacks(&document.cells)?,
            marks: names.marks(&document)?,
            ..Setup::default()
        };
        for Hidden { q, r, piece } in &document.under {
            setup.under.push((Hex { q: *q, r: *r }, names.piece(piece)?));
        }
        let hands = match &document.hands {
            Some(Hands { white, black }) => Some([names.pieces(white)?, names.pieces(black)?]),
            None => None,
        };
        setup.others = hands.iter().flatten().flatten().copied().collect();
        if let Some(last) = &document.last_turn {
            setup.last = names.last(last, document.to_move)?;
        }
        let hands = hands.unwrap_or_default();
        match compose(&setup, options, &hands, document.hands.is_some()) {
            // With fan pieces, what is neither in hand nor on the table was removed.
            Err(ReadError::Hand(color)) if !setup.game_type.is_some_and(GameType::is_official) => {
                let mut fewer = setup.clone();
                remove_others(&mut fewer, &hands);
                let is_queen = |(mark, piece): &(Mark, Piece)| {
                    *mark == Mark::Removed && piece.bug() == Bug::Queen
                };
                if fewer.marks.iter().any(is_queen) {
                    return Err(ReadError::Hand(color));
                }
                compose(&fewer, options, &hands, true).or(Err(ReadError::Hand(color)))
            }
            result => result,
        }
    }

    fn write(&self, position: &mut Position) -> String {
        // Names and numbers are always JSON.
        serde_json::to_string(&document_of(position)).unwrap_or_default() + "\n"
    }
}

/// The position of a setup, whose hands are held against those that are told, if any are.
fn compose(
    setup: &Setup,
    options: Options,
    hands: &[Vec<Piece>; 2],
    are_told: bool,
) -> Result<Position, ReadError> {
    let position = setup.compose(options)?;
    for (color, hand) in Color::BOTH.into_iter().zip(hands).filter(|_| are_told) {
        if hand.iter().any(|piece| piece.color() != color) {
            return Err(ReadError::Hand(color));
        }
        let kinds: Vec<Bug> = hand.iter().map(|piece| piece.bug()).collect();
        check_hand(&position, color, &kinds)?;
    }
    Ok(position)
}

/// Lets all pieces of the game be removed that are neither in a hand nor on the table.
fn remove_others(setup: &mut Setup, hands: &[Vec<Piece>; 2]) {
    let all = *setup.game_type.get_or_insert_with(GameType::all);
    let shown: Vec<Piece> = setup.shown().chain(hands.iter().flatten().copied()).collect();
    for color in Color::BOTH {
        let pieces = Bug::ALL.iter().flat_map(|&bug| all.pieces_of(color, bug));
        let removed = pieces.filter(|piece| !shown.contains(piece));
        setup.marks.extend(removed.map(|piece| (Mark::Removed, piece)));
    }
}

/// What is written of a position.
fn document_of(position: &Position) -> Document<'static> {
    let hive = position.hive();
    let spread = spread(hive);
    let name = |piece: Piece| position.game_type().name(piece.whole()).to_string();
    let names = |pieces: &[Piece]| pieces.iter().map(|&piece| name(piece)).collect();
    let hidden = |&(Hex { q, r }, cell): &(Hex, _)| {
        hive.under(cell).map(|piece| Hidden { q, r, piece: name(piece) })
    };
    let hand = |color| position.hand(color).map(name).collect();
    let all = || position.whole_box();
    let marked = |mark| all().filter(|&piece| position.has_mark(mark, piece)).map(name).collect();
    let faces = all()
        .filter(|&piece| position.has_mark(Mark::OtherFace, piece))
        .map(|piece| (name(piece), faces(piece).1));
    let last = position.last();
    // A piece that moved may have been thrown: only who did it tells how.
    let is_known = last.actor.is_some() || last.how == How::Pass;
    let says = is_known || !last.displaced.is_empty() || !last.faced.is_empty();
    let list = |few: Few| few.iter().map(name).collect();
    let last_turn = (position.ply() > 0 && says).then(|| Last {
        player: Some(Side::of(position.to_move().other())),
        actor: last.actor.map(name),
        how: Word::of(last.how).filter(|_| is_known),
        moved: list(last.displaced),
        flipped: list(last.faced),
    });
    Document {
        game_type: Some(Cow::Owned(position.game_type().to_string())),
        to_move: Side::of(position.to_move()),
        turn: Some(position.turn_number()),
        cells: spread
            .iter()
            .map(|&(Hex { q, r }, cell)| Site { q, r, stack: names(&hive.stack(cell)) })
            .collect(),
        under: spread.iter().filter_map(hidden).collect(),
        face_down: all().filter(|&piece| position.is_face_down(piece)).map(name).collect(),
        spent: marked(Mark::Spent),
        faces: faces.collect(),
        adult: marked(Mark::Adult),
        cooling: marked(Mark::Cooling),
        poison_spent: marked(Mark::PoisonSpent),
        hands: Some(Hands { white: hand(Color::White), black: hand(Color::Black) }),
        removed: marked(Mark::Removed),
        last_turn,
    }
}
