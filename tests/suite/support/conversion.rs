//! What a game says, so that two can be compared part by part.
use hivekit::{
    game::Game,
    hex::Hex,
    notation::{self, Notation, Part, Style},
    record::{Aside, Cause, Control, Remark},
    replay::{Replayer, RuleOptions},
    rules::{Outcome, Piece, Turn},
    source::Source,
};

/// All that two games have to agree on, the parts of `lost` left out.
#[derive(Debug, PartialEq)]
pub(crate) struct Said {
    game_type: String,
    turns: Vec<Option<(Piece, Hex)>>,
    /// What only fan pieces do: all notations that hold it hold numbers and orientation, too.
    special: Vec<Turn>,
    outcome: Option<Outcome>,
    cause: Option<Cause>,
    remarks: Vec<Remark>,
    variations: Vec<Said>,
}

pub(crate) fn said(game: &Game, lost: &[Part]) -> Said {
    let keeps = |part| !lost.contains(&part);
    let numbering = game.numbering();
    let name = |piece| if keeps(Part::Numbers) { piece } else { numbering.name(piece) };
    let image = if keeps(Part::Orientation) && game.is_oriented() { 0 } else { game.turned_east() };
    let part_of = |what: &Aside| match what {
        Aside::Comment(_) => Part::Comments,
        Aside::Clock(..) => Part::Clocks,
        Aside::Control(..) => Part::Controls,
    };
    let mut variations = Vec::new();
    if keeps(Part::Variations) {
        // Some notations leave out what says nothing.
        let says = |&at: &usize| {
            !game.variations()[at].turns.is_empty() || !game.variations()[at].remarks.is_empty()
        };
        let lines = (0..game.variations().len()).filter(says).map(|at| game.line(at));
        variations = lines.map(|line| said(&line, lost)).collect();
        // Each notation has an order of its own for them.
        variations.sort_by_key(|line| format!("{line:?}"));
    }
    Said {
        game_type: if keeps(Part::Expansions) { game.game_type() } else { game.used_type() }
            .to_string(),
        turns: game
            .turns()
            .iter()
            .map(|turn| turn.goes().map(|(piece, cell)| (name(piece), cell.hex().image(image))))
            .collect(),
        special: game
            .turns()
            .iter()
            .copied()
            .filter(|turn| matches!(turn, Turn::Special(_)))
            .collect(),
        outcome: game.outcome().filter(|_| game.ends_on_board() || keeps(Part::Outcome)),
        cause: game.cause().filter(|&cause| cause == Cause::Board || keeps(Part::Cause)),
        remarks: game
            .remarks()
            .iter()
            .filter(|remark| keeps(part_of(&remark.what)))
            .cloned()
            .collect(),
        variations,
    }
}

/// A game written in a notation and read again, with what the writer said that it lost.
pub(crate) fn through(game: &Game, to: &dyn Notation, style: Style) -> (String, Game, Vec<Part>) {
    let mut out = Vec::new();
    let lost = to.write(game, style, &mut out).unwrap();
    let text = [to.prologue().as_bytes(), &out].concat();
    let text = String::from_utf8(text).unwrap();
    let source = Source::new("written", text.clone());
    let mut records: Vec<_> = to.read(&source).collect();
    assert_eq!(records.len(), 1, "{text}");
    let record = records.remove(0).unwrap_or_else(|finding| panic!("{finding:?}\n{text}"));
    let replayed = Replayer::new(RuleOptions::default()).replay(&record);
    assert_eq!(replayed.fault, None, "{text}");
    (text, replayed.game, lost)
}

/// Tags that a notation makes up from other parts of the game.
const MADE_UP: [&str; 4] = ["Date", "SgfDate", "SgfResult", "SgfSetup"];

/// Checks that `after` says all that `before` says but what was told to be lost, and nothing else.
pub(crate) fn compare(before: &Game, after: &Game, lost: &[Part], what: &str) {
    // Where one has no directions, they are compared without.
    let turned = [lost, &[Part::Orientation][..usize::from(!before.is_oriented())]].concat();
    let (expected, mut found) = (said(before, &turned), said(after, &turned));
    // Some notations tell why a game ended by what a player did.
    let is_cause = |remark: &Remark| match remark.what {
        Aside::Control(_, Control::Resign) => before.cause() == Some(Cause::Resignation),
        Aside::Control(_, Control::AcceptDraw) => before.cause() == Some(Cause::Agreement),
        _ => false,
    };
    found.remarks.retain(|remark| before.remarks().contains(remark) || !is_cause(remark));
    assert_eq!(expected, found, "{what}");
    for tag in before.tags() {
        let is_kept = after.tags().contains(tag);
        assert!(
            is_kept || lost.contains(&Part::Tags),
            "{what}: {tag:?} is lost: {:?}",
            after.tags()
        );
    }
    for tag in after.tags() {
        let is_free = before.tag(&tag.name).is_none() || lost.contains(&Part::Tags);
        // Where two players have one name, it may be changed to tell them apart.
        let is_player =
            matches!(tag.name.as_str(), "White" | "Black") && lost.contains(&Part::Tags);
        let is_made_up = MADE_UP.contains(&tag.name.as_str()) && is_free || is_player;
        let is_known = before.tags().contains(tag) || is_made_up;
        assert!(is_known, "{what}: {tag:?} is new");
    }
}

/// Every notation.
pub(crate) fn notations() -> impl Iterator<Item = &'static dyn Notation> {
    notation::ALL.iter().copied()
}
