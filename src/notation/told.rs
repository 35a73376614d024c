//! What a turn does, told by cells: for programs that know no notation.
use crate::{
    hex::Hex,
    rules::{Agent, Bug, Cell, Deed, Level, Piece, Position, Special, Turn},
};
use serde::Serialize;

/// Where a piece comes to rest.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Landing {
    /// To the east.
    q: i32,
    /// To the south-east.
    r: i32,
    /// How many pieces of the stack are beneath it.
    level: u8,
}

/// A turn, told by cells.
#[derive(Clone, Debug)]
pub struct Told {
    /// The piece that comes to stand elsewhere, or that something is done to.
    pub piece: Option<Piece>,
    /// Where it comes to rest; missing where nothing goes anywhere, or only beneath a stack or off the table.
    pub to: Option<Landing>,
    /// The whole turn in words, such as `(1,0)^1` or `throw bA1 to (0,1)`.
    pub action: String,
}

impl Told {
    /// Tells a legal turn of a position.
    pub fn of(position: &mut Position, turn: Turn) -> Told {
        let Some(Special { controller, actor, deed }) = turn.as_special() else {
            return Told { piece: None, to: None, action: "pass".to_owned() };
        };
        let piece = deed.target().unwrap_or(actor.piece);
        let words = Before { position, actor }.words(deed);
        let to = landing(position, turn, piece);
        let place = to.map_or(String::new(), Landing::text);
        let action = words.replace(PLACE, &place);
        let action = match controller {
            Some(_) => format!("control {}: {action}", position.game_type().name(actor.piece)),
            None => action,
        };
        Told { piece: Some(piece), to, action }
    }
}

impl Landing {
    fn text(self) -> String {
        let Landing { q, r, level } = self;
        if level == 0 { format!("({q},{r})") } else { format!("({q},{r})^{level}") }
    }
}

/// Stands for where the piece comes to rest.
const PLACE: &str = "@";

/// Where a piece is after a turn, if it went there.
fn landing(position: &mut Position, turn: Turn, piece: Piece) -> Option<Landing> {
    let before = position.hive().place_of(piece);
    position.make(turn);
    let after = position.hive().place_of(piece);
    position.undo();
    let place = after.filter(|_| after != before)?;
    let Level::On(level) = place.level else { return None };
    let Hex { q, r } = place.cell.hex();
    Some(Landing { q, r, level })
}

/// A turn seen from before it.
struct Before<'p> {
    position: &'p Position,
    actor: Agent,
}

impl Before<'_> {
    /// What a deed does, with [`PLACE`] for where its piece comes to rest.
    fn words(&self, deed: Deed) -> String {
        let name = |piece: Piece| self.position.game_type().name(piece).to_string();
        match deed {
            Deed::Place(to) if self.position.hive().is_occupied(to) => format!("on {}", cell(to)),
            Deed::Place(_) => match self.actor.guise {
                Some(face) => format!("{PLACE} as {}", face.name()),
                None => PLACE.to_owned(),
            },
            Deed::Walk(_) => PLACE.to_owned(),
            Deed::PlaceLong(pair) => cells(pair),
            Deed::WalkLong(pair) => self.long_walk(pair),
            Deed::Burrow(to) => format!("under {}", cell(to)),
            Deed::Swap(piece) => format!("swap {}", name(piece)),
            Deed::Throw(piece, _) => format!("throw {} to {PLACE}", name(piece)),
            Deed::TurnDown(piece) if self.actor.kind() == Bug::Scorpion => {
                format!("poison {}", name(piece))
            }
            Deed::TurnDown(piece) => format!("sting {}", name(piece)),
            Deed::TurnBack => format!("unflip {}", name(self.actor.piece)),
            Deed::Flip => format!("flip {}", name(self.actor.piece)),
            Deed::Capture(piece) => format!("capture {}", name(piece)),
            Deed::Push(piece) => format!("push {} to {PLACE}", name(piece)),
            Deed::Roll(piece) => format!("roll {} to {PLACE}", name(piece)),
            Deed::Attract(piece) => format!("attract {}", name(piece)),
            Deed::Replace(piece) => format!("replace {}", name(piece)),
            Deed::Teleport(piece, _) => format!("teleport {} to {PLACE}", name(piece)),
        }
    }

    /// A stick insect turns about a cell that it keeps, or leaves both.
    fn long_walk(&self, pair: [Cell; 2]) -> String {
        let hive = self.position.hive();
        let parts = self.actor.piece.parts();
        let old: Vec<Cell> = parts.filter_map(|part| hive.cell_of(part)).collect();
        let (kept, fresh): (Vec<Cell>, Vec<Cell>) =
            pair.into_iter().partition(|cell| old.contains(cell));
        match (kept[..].first(), fresh[..].first()) {
            (Some(&kept), Some(&fresh)) => {
                format!("pivot {}, other cell to {}", cell(kept), cell(fresh))
            }
            _ => cells(pair),
        }
    }
}

fn cell(cell: Cell) -> String {
    let Hex { q, r } = cell.hex();
    format!("({q},{r})")
}

fn cells([one, other]: [Cell; 2]) -> String {
    format!("cells {}+{}", cell(one), cell(other))
}
