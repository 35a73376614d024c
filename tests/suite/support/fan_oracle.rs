//! The rules of Hive with the eight official and the twenty-two fan-made pieces once more, written
//! down from the text of the rules of the fan pieces alone, as plainly as possible: maps, sets,
//! copies of whole positions, no tables worked out beforehand. It shares nothing with the engine
//! and is very slow.
//!
//! Sections and items named in comments are those of the rules of the fan pieces; items are those
//! of its section 10.
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

// ---------------------------------------------------------------------------------------------
// Options
// ---------------------------------------------------------------------------------------------

/// Rule options of section 8 and of items 15, 18 and 19; the default of each is the default named
/// there.
#[expect(clippy::struct_excessive_bools, reason = "the options are independent of each other")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Section 2.7, item 18: queens can be removed, which loses the game.
    pub(crate) queen_removal_wins: bool,
    /// Section 5.10: a Stick insect that moves as a whole must still touch what it touched before.
    pub(crate) stick_shift_old_neighbour: bool,
    /// Section 5.25: the Butterfly is placed on the ground as most pieces are.
    pub(crate) butterfly_on_ground: bool,
    /// Section 5.27: nothing may enter a hex with a Mite on it.
    pub(crate) mite_blocks: bool,
    /// Section 5.29: how a Dung beetle walks.
    pub(crate) dung_beetle_walk: DungBeetleWalk,
    /// Item 15: a Dung beetle pushes pieces on the ground only.
    pub(crate) dung_beetle_targets_ground: bool,
    /// Section 8: what was thrown or controlled counts as used for Fly and Mantis.
    pub(crate) fly_follows_thrown: bool,
    /// Section 5.13: the owner of a Cockroach chooses its face.
    pub(crate) cockroach_face_choice: bool,
    /// Item 19: pieces next to an enemy Scorpion can do nothing.
    pub(crate) scorpion_paralyses: bool,
    /// Item 19: poison for pieces of either side.
    pub(crate) poison_any: bool,
    /// Item 19: a Beehive takes the queen only to where she could be placed.
    pub(crate) beehive_placement_target: bool,
    /// Item 19: a Firefly attracts pieces from the ground too.
    pub(crate) firefly_any: bool,
}

/// Section 5.29: the walk of a Dung beetle, none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DungBeetleWalk {
    #[default]
    None,
    Slide,
    Beetle,
}

impl Default for Options {
    /// The first value named for each option.
    fn default() -> Options {
        Options {
            queen_removal_wins: false,
            stick_shift_old_neighbour: false,
            butterfly_on_ground: false,
            mite_blocks: false,
            dung_beetle_walk: DungBeetleWalk::None,
            dung_beetle_targets_ground: false,
            fly_follows_thrown: false,
            cockroach_face_choice: true,
            scorpion_paralyses: false,
            poison_any: false,
            beehive_placement_target: false,
            firefly_any: false,
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Names of things
// ---------------------------------------------------------------------------------------------

/// The two sides (section 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Color {
    White,
    Black,
}

impl Color {
    /// White, which begins, and black.
    pub(crate) const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// The opponent.
    pub(crate) fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The first letter of names (section 3.1) and the face of a Beehive (section 5.20).
    fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The word of the JSON (end of section 10).
    fn word(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// The side of a word of the JSON (end of section 10).
    fn from_word(word: &str) -> Option<Color> {
        Color::BOTH.into_iter().find(|color| color.word() == word)
    }
}

/// The thirty kinds of pieces in the order of section 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Queen,
    Beetle,
    Grasshopper,
    Spider,
    Ant,
    Mosquito,
    Ladybug,
    Pillbug,
    Flea,
    StickInsect,
    Earwig,
    Earthworm,
    Cockroach,
    Tick,
    StinkBug,
    Scorpion,
    KingBee,
    Mantis,
    Moth,
    Beehive,
    Fly,
    Firefly,
    Dragonfly,
    Centipede,
    Butterfly,
    Assassin,
    Mite,
    Cicada,
    DungBeetle,
    Snail,
}

impl Kind {
    /// Every kind with its code (section 3.1).
    pub(crate) const ALL: [(Kind, &str); 30] = [
        (Kind::Queen, "Q"),
        (Kind::Beetle, "B"),
        (Kind::Grasshopper, "G"),
        (Kind::Spider, "S"),
        (Kind::Ant, "A"),
        (Kind::Mosquito, "M"),
        (Kind::Ladybug, "L"),
        (Kind::Pillbug, "P"),
        (Kind::Flea, "Fl"),
        (Kind::StickInsect, "Si"),
        (Kind::Earwig, "Ea"),
        (Kind::Earthworm, "Ew"),
        (Kind::Cockroach, "Co"),
        (Kind::Tick, "Ti"),
        (Kind::StinkBug, "Sb"),
        (Kind::Scorpion, "Sc"),
        (Kind::KingBee, "Kb"),
        (Kind::Mantis, "Ma"),
        (Kind::Moth, "Mo"),
        (Kind::Beehive, "Hv"),
        (Kind::Fly, "Fy"),
        (Kind::Firefly, "Ff"),
        (Kind::Dragonfly, "Df"),
        (Kind::Centipede, "Ce"),
        (Kind::Butterfly, "Bf"),
        (Kind::Assassin, "As"),
        (Kind::Mite, "Mi"),
        (Kind::Cicada, "Ci"),
        (Kind::DungBeetle, "Db"),
        (Kind::Snail, "Sn"),
    ];

    /// The code of the kind (section 3.1).
    fn code(self) -> &'static str {
        Kind::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("", |(_, code)| code)
    }

    /// The kind with a code (section 3.1).
    fn from_code(code: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|(_, other)| *other == code).map(|(kind, _)| kind)
    }

    /// How many pieces of the kind every game has for each side, whatever its type.
    fn base_count(self) -> u8 {
        match self {
            Kind::Queen => 1,
            Kind::Beetle | Kind::Spider => 2,
            Kind::Grasshopper | Kind::Ant => 3,
            _ => 0,
        }
    }

    /// Whether it is one of the pieces 9 to 30.
    fn is_fan(self) -> bool {
        self >= Kind::Flea
    }

    /// Section 7, column of the Mosquito: what a Mosquito on the ground can copy (also item 14).
    fn is_copied_on_ground(self) -> bool {
        !matches!(
            self,
            Kind::Mosquito
                | Kind::StickInsect
                | Kind::Moth
                | Kind::Beehive
                | Kind::Butterfly
                | Kind::Mite
                | Kind::Cicada
        )
    }
}

/// A piece by its owner, kind and number; the number is 1 if there is only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece {
    pub(crate) color: Color,
    pub(crate) kind: Kind,
    pub(crate) number: u8,
}

/// A cell (section 2.1); cells are ordered by r, then by q, as the cells of a Stick insect are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hex {
    pub(crate) r: i32,
    pub(crate) q: i32,
}

/// Steps to the six neighbours (section 2.1).
const DIRECTIONS: [(i32, i32); 6] = [(1, 0), (-1, 0), (1, -1), (0, -1), (-1, 1), (0, 1)];

impl Hex {
    /// Where the first piece of a game is placed.
    const ORIGIN: Hex = Hex { r: 0, q: 0 };

    /// The cell some way off.
    fn plus(self, (q, r): (i32, i32)) -> Hex {
        Hex { r: self.r + r, q: self.q + q }
    }

    /// The six cells around (section 2.1).
    fn neighbours(self) -> [Hex; 6] {
        DIRECTIONS.map(|direction| self.plus(direction))
    }

    /// Whether two cells are neighbours.
    fn touches(self, other: Hex) -> bool {
        self.neighbours().contains(&other)
    }

    /// How many cells two are apart, for the Firefly (section 5.22).
    fn distance(self, other: Hex) -> i32 {
        let (q, r) = (self.q - other.q, self.r - other.r);
        (q.abs() + r.abs() + (q + r).abs()) / 2
    }

    /// The two cells that touch both ends of a step.
    fn flanks(self, to: Hex) -> Vec<Hex> {
        self.neighbours().into_iter().filter(|hex| hex.touches(to)).collect()
    }

    /// The cell as the test positions write it.
    fn text(self) -> String {
        format!("({},{})", self.q, self.r)
    }
}

/// A pair of cells in the order of section 5.10.
fn pair(a: Hex, b: Hex) -> (Hex, Hex) {
    (a.min(b), a.max(b))
}

/// The two cells of a Stick insect as the test positions write them.
fn pair_text((a, b): (Hex, Hex)) -> String {
    format!("cells {}+{}", a.text(), b.text())
}

// ---------------------------------------------------------------------------------------------
// The position
// ---------------------------------------------------------------------------------------------

/// Section 2.5: in what way a turn was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Placed,
    Moved,
    Ability,
    Flipped,
    Passed,
}

impl How {
    /// The words of the JSON (end of section 10).
    const ALL: [(How, &str); 5] = [
        (How::Placed, "placed"),
        (How::Moved, "moved"),
        (How::Ability, "ability"),
        (How::Flipped, "flipped"),
        (How::Passed, "passed"),
    ];

    /// The word of the JSON (end of section 10).
    fn word(self) -> &'static str {
        How::ALL.into_iter().find(|(how, _)| *how == self).map_or("", |(_, word)| word)
    }

    /// The way a word of the JSON stands for.
    fn from_word(word: &str) -> Option<How> {
        How::ALL.into_iter().find(|(_, other)| *other == word).map(|(how, _)| how)
    }
}

/// Section 2.5 and item 1: what the previous turn was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastTurn {
    pub(crate) player: Color,
    /// Nothing after a pass.
    pub(crate) actor: Option<Piece>,
    pub(crate) how: How,
    pub(crate) displaced: BTreeSet<Piece>,
    pub(crate) faced: BTreeSet<Piece>,
}

/// Section 2.8: how a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Wins(Color),
    Draw,
}

/// A position with everything that section 2.9 lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// Stacks from bottom to top; a Stick insect is at the bottom of two. No stack is empty.
    stacks: BTreeMap<Hex, Vec<Piece>>,
    /// The nymphs in the under slots.
    under: BTreeMap<Hex, Piece>,
    /// Everything that lies face down, the spent Snails and Mosquitoes too.
    face_down: BTreeSet<Piece>,
    /// Item 3: face down for good.
    spent: BTreeSet<Piece>,
    /// Beehives that show the other side's colour, Cockroaches that show the ladybug.
    other_face: BTreeSet<Piece>,
    /// Cicadas that are no nymphs any more.
    adult: BTreeSet<Piece>,
    /// Item 6: Snails and Mosquitoes that walked on the previous turn of their owner.
    cooling: BTreeSet<Piece>,
    /// Section 5.16: Scorpions and Mosquitoes without poison.
    poison_spent: BTreeSet<Piece>,
    /// What both sides hold.
    hands: BTreeSet<Piece>,
    removed: BTreeSet<Piece>,
    to_move: Color,
    /// Number of the coming turn of the side to move, 1 for the first turn of each side.
    turn: u32,
    last: Option<LastTurn>,
    /// How many of each kind a side has in this type of game.
    counts: BTreeMap<Kind, u8>,
}

/// Something that can be done in a turn.
#[derive(Clone)]
struct Act {
    label: String,
    how: How,
    /// The position with all pieces in their new places; clock and record are still old.
    board: State,
    displaced: BTreeSet<Piece>,
    faced: BTreeSet<Piece>,
}

// ---------------------------------------------------------------------------------------------
// Reading the table
// ---------------------------------------------------------------------------------------------

impl State {
    /// The start of a game of some type, such as `Base+MFl2`.
    pub(crate) fn start(game_type: &str) -> Result<State, String> {
        let counts = read_game_type(game_type)?;
        let mut start = State {
            counts,
            stacks: BTreeMap::new(),
            under: BTreeMap::new(),
            face_down: BTreeSet::new(),
            spent: BTreeSet::new(),
            other_face: BTreeSet::new(),
            adult: BTreeSet::new(),
            cooling: BTreeSet::new(),
            poison_spent: BTreeSet::new(),
            hands: BTreeSet::new(),
            removed: BTreeSet::new(),
            to_move: Color::White,
            turn: 1,
            last: None,
        };
        start.hands = start.whole_box();
        Ok(start)
    }

    /// Every piece of this type of game.
    pub(crate) fn whole_box(&self) -> BTreeSet<Piece> {
        let mut all = BTreeSet::new();
        for (&kind, &count) in &self.counts {
            for color in Color::BOTH {
                all.extend((1..=count).map(|number| Piece { color, kind, number }));
            }
        }
        all
    }

    /// Whether it is one of the official types of game, with no fan pieces in it.
    fn is_official(&self) -> bool {
        !self.counts.keys().any(|kind| kind.is_fan())
    }

    /// The pieces on a cell from bottom to top, without the under slot (section 2.1).
    fn stack(&self, hex: Hex) -> &[Piece] {
        self.stacks.get(&hex).map_or(&[], Vec::as_slice)
    }

    /// The top piece of a cell (section 2.1).
    fn top(&self, hex: Hex) -> Option<Piece> {
        self.stack(hex).last().copied()
    }

    /// The height of a hex: the size of its stack (section 2.1), and 1 if only a nymph is left on
    /// it while the piece above is lifted (item 8).
    fn height(&self, hex: Hex) -> usize {
        match self.stack(hex).len() {
            0 => usize::from(self.under.contains_key(&hex)),
            size => size,
        }
    }

    /// The cells that anything is on.
    fn occupied(&self) -> BTreeSet<Hex> {
        self.stacks.keys().chain(self.under.keys()).copied().collect()
    }

    /// The empty cells next to occupied ones.
    fn rim(&self) -> BTreeSet<Hex> {
        let near = self.occupied().into_iter().flat_map(Hex::neighbours);
        near.filter(|&hex| self.height(hex) == 0).collect()
    }

    /// Whether anything is beside a cell.
    fn touches_something(&self, hex: Hex) -> bool {
        hex.neighbours().into_iter().any(|next| self.height(next) > 0)
    }

    /// The cells whose stack the piece is in: two for a Stick insect, none for a nymph in an under
    /// slot.
    fn cells(&self, piece: Piece) -> Vec<Hex> {
        let with = self.stacks.iter().filter(|(_, stack)| stack.contains(&piece));
        with.map(|(&hex, _)| hex).collect()
    }

    /// The cell whose under slot the piece is in.
    fn under_cell(&self, piece: Piece) -> Option<Hex> {
        self.under.iter().find(|(_, nymph)| **nymph == piece).map(|(&hex, _)| hex)
    }

    /// Every piece on the table.
    pub(crate) fn table(&self) -> BTreeSet<Piece> {
        self.stacks.values().flatten().chain(self.under.values()).copied().collect()
    }

    /// Whether the piece is in a stack or an under slot.
    fn is_on_table(&self, piece: Piece) -> bool {
        !self.cells(piece).is_empty() || self.under_cell(piece).is_some()
    }

    /// Section 2.1: how many pieces of its stack are beneath the piece.
    fn level(&self, piece: Piece) -> usize {
        let stacks = self.stacks.values();
        stacks.filter_map(|stack| stack.iter().position(|&other| other == piece)).max().unwrap_or(0)
    }

    /// The pieces above one in its stack, or above both cells of a Stick insect. Everything of the
    /// stack is above a nymph in the under slot.
    fn above(&self, piece: Piece) -> Vec<Piece> {
        if let Some(hex) = self.under_cell(piece) {
            return self.stack(hex).to_vec();
        }
        let mut above = Vec::new();
        for hex in self.cells(piece) {
            let higher = self.stack(hex).iter().skip_while(|&&other| other != piece).skip(1);
            above.extend(higher.copied());
        }
        above
    }

    /// Section 2.1: uncovered; item 13: on both cells.
    fn is_uncovered(&self, piece: Piece) -> bool {
        !self.cells(piece).is_empty() && self.above(piece).is_empty()
    }

    /// Section 2.1: the owner's colour, for a Beehive the colour of the face shown.
    fn color_of(&self, piece: Piece) -> Color {
        if piece.kind == Kind::Beehive && self.other_face.contains(&piece) {
            piece.color.other()
        } else {
            piece.color
        }
    }

    /// The colour of a cell: that of its top piece (section 2.1).
    fn top_color(&self, hex: Hex) -> Option<Color> {
        self.top(hex).map(|piece| self.color_of(piece))
    }

    /// Whether a cell beside this one has the colour.
    fn is_friend_near(&self, hex: Hex, color: Color) -> bool {
        hex.neighbours().into_iter().any(|next| self.top_color(next) == Some(color))
    }

    /// The kind whose face is up (section 5.13).
    fn shown_kind(&self, piece: Piece) -> Kind {
        if piece.kind == Kind::Cockroach && self.other_face.contains(&piece) {
            Kind::Ladybug
        } else {
            piece.kind
        }
    }

    /// Whether it is a Cicada that has not become an adult (section 5.28).
    fn is_nymph(&self, piece: Piece) -> bool {
        piece.kind == Kind::Cicada && !self.adult.contains(&piece)
    }

    /// Whether the piece can do anything (section 2.6).
    fn is_face_up(&self, piece: Piece) -> bool {
        !self.face_down.contains(&piece)
    }

    /// Section 2.5: moved by the previous turn.
    fn is_frozen(&self, piece: Piece) -> bool {
        self.last.as_ref().is_some_and(|last| last.displaced.contains(&piece))
    }

    /// Section 2.5: turned by the previous turn; item 2: locked if it is face down.
    fn was_faced(&self, piece: Piece) -> bool {
        self.last.as_ref().is_some_and(|last| last.faced.contains(&piece))
    }

    /// The queen of a side, of which there is one.
    fn queen_of(color: Color) -> Piece {
        Piece { color, kind: Kind::Queen, number: 1 }
    }

    /// The top pieces of the cells around a piece. Nothing is around a nymph in the under slot
    /// (section 5.28).
    fn tops_around(&self, piece: Piece) -> Vec<Piece> {
        let near = self.cells(piece).into_iter().flat_map(Hex::neighbours);
        near.filter_map(|hex| self.top(hex)).filter(|&other| other != piece).collect()
    }

    /// Whether an enemy piece of some kind works passively on a piece beside it: it must be on top
    /// and face up (item 4).
    fn is_beside_enemy(&self, piece: Piece, kind: Kind) -> bool {
        self.tops_around(piece).into_iter().any(|other| {
            other.kind == kind
                && self.is_face_up(other)
                && self.color_of(other) != self.color_of(piece)
        })
    }

    /// Section 5.30, item 7: an enemy Snail keeps the piece in its place.
    fn is_held(&self, piece: Piece) -> bool {
        self.is_beside_enemy(piece, Kind::Snail)
    }

    /// Section 2.6: an enemy Scorpion keeps the piece face down.
    fn is_suppressed(&self, piece: Piece) -> bool {
        self.is_beside_enemy(piece, Kind::Scorpion)
    }

    /// Section 2.7: a Stink bug that no other piece can move, turn or remove.
    fn is_immune(&self, piece: Piece) -> bool {
        piece.kind == Kind::StinkBug && self.is_face_up(piece) && self.is_uncovered(piece)
    }

    /// Section 2.3: whether all occupied cells hang together.
    pub(crate) fn is_connected(&self) -> bool {
        let mut unreached = self.occupied();
        let mut fresh: Vec<Hex> = unreached.pop_first().into_iter().collect();
        while let Some(hex) = fresh.pop() {
            fresh.extend(hex.neighbours().into_iter().filter(|next| unreached.remove(next)));
        }
        unreached.is_empty()
    }

    /// Section 2.8, and item 18 for queens that can be removed.
    pub(crate) fn outcome(&self, options: &Options) -> Option<Outcome> {
        let loses = |color| {
            let queen = State::queen_of(color);
            let surrounded = self
                .cells(queen)
                .into_iter()
                .any(|hex| hex.neighbours().into_iter().all(|next| self.height(next) > 0));
            surrounded || options.queen_removal_wins && self.removed.contains(&queen)
        };
        match (loses(Color::White), loses(Color::Black)) {
            (true, true) => Some(Outcome::Draw),
            (true, false) => Some(Outcome::Wins(Color::Black)),
            (false, true) => Some(Outcome::Wins(Color::White)),
            (false, false) => None,
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Changing the table
// ---------------------------------------------------------------------------------------------

impl State {
    /// The position with some pieces lifted. Nymphs stay in their layer (item 8).
    fn without(&self, pieces: &[Piece]) -> State {
        let mut rest = self.clone();
        for stack in rest.stacks.values_mut() {
            stack.retain(|piece| !pieces.contains(piece));
        }
        rest.stacks.retain(|_, stack| !stack.is_empty());
        rest.under.retain(|_, piece| !pieces.contains(piece));
        rest
    }

    /// Sets pieces down on a hex, the first lowest: on top, but beneath the Mites there (item 11).
    /// A Mite goes to the very top (section 5.27).
    fn land(&mut self, hex: Hex, pieces: &[Piece]) {
        for &piece in pieces {
            let stack = self.stacks.entry(hex).or_default();
            let mites = stack.iter().rev().take_while(|other| other.kind == Kind::Mite).count();
            let beneath = if piece.kind == Kind::Mite { 0 } else { mites };
            stack.insert(stack.len() - beneath, piece);
        }
    }

    /// Puts a piece into a stack so that `level` pieces are beneath it (item 9). A Mite goes to the
    /// top nevertheless.
    fn insert(&mut self, hex: Hex, level: usize, piece: Piece) {
        if piece.kind == Kind::Mite {
            self.land(hex, &[piece]);
        } else {
            self.stacks.entry(hex).or_default().insert(level, piece);
        }
    }

    /// Brings everything into the form that one physical picture has.
    fn settle(&mut self) {
        self.settle_nymphs();
        self.settle_marks();
    }

    /// Item 8: a nymph with nothing above it surfaces, a nymph on the ground with something above
    /// it goes into the under slot if no other nymph is there.
    fn settle_nymphs(&mut self) {
        for (hex, nymph) in std::mem::take(&mut self.under) {
            if self.stack(hex).is_empty() {
                self.stacks.insert(hex, vec![nymph]);
            } else {
                self.under.insert(hex, nymph);
            }
        }
        let lowest = self.stacks.iter().filter(|(_, stack)| stack.len() > 1);
        let sinking: Vec<(Hex, Piece)> = lowest
            .map(|(&hex, stack)| (hex, stack[0]))
            .filter(|(hex, piece)| self.is_nymph(*piece) && !self.under.contains_key(hex))
            .collect();
        for (hex, nymph) in sinking {
            self.stacks.entry(hex).or_default().remove(0);
            self.under.insert(hex, nymph);
        }
    }

    /// What is not on the table has no state but its poison (section 5.30). A spent piece lies face
    /// down. That a Mosquito walked matters only where there are Snails to copy (item 6).
    fn settle_marks(&mut self) {
        let has_snails = self.counts.contains_key(&Kind::Snail);
        self.cooling.retain(|piece| has_snails || piece.kind == Kind::Snail);
        self.face_down.extend(&self.spent);
        let mut sets = vec![
            &mut self.face_down,
            &mut self.spent,
            &mut self.other_face,
            &mut self.adult,
            &mut self.cooling,
        ];
        if let Some(last) = &mut self.last {
            sets.extend([&mut last.displaced, &mut last.faced]);
        }
        let (stacks, under) = (&self.stacks, &self.under);
        for set in sets {
            set.retain(|piece| {
                stacks.values().any(|stack| stack.contains(piece))
                    || under.values().any(|nymph| nymph == piece)
            });
        }
    }

    /// Where a piece stands after a turn, in the words of the test positions.
    fn spot_text(&self, piece: Piece) -> String {
        let cell = self.cells(piece).first().copied().or_else(|| self.under_cell(piece));
        let text = cell.map_or_else(String::new, Hex::text);
        match self.level(piece) {
            0 => text,
            level => format!("{text}^{level}"),
        }
    }
}

impl Act {
    /// An act that moves and turns nothing so far.
    fn new(how: How, mut board: State, label: String) -> Act {
        board.settle();
        Act { label, how, board, displaced: BTreeSet::new(), faced: BTreeSet::new() }
    }

    /// An act whose label ends in the place where a piece is afterwards.
    fn to_spot(how: How, board: State, words: &str, piece: Piece) -> Act {
        let mut act = Act::new(how, board, String::new());
        act.label = format!("{words}{}", act.board.spot_text(piece));
        act
    }

    /// Pieces that changed place (section 2.5).
    fn displacing(mut self, pieces: &[Piece]) -> Act {
        self.displaced.extend(pieces);
        self
    }

    /// A piece that was turned (section 2.5).
    fn facing(mut self, piece: Piece) -> Act {
        self.faced.insert(piece);
        self
    }
}

// ---------------------------------------------------------------------------------------------
// Steps and walks (sections 2.2 and 4)
// ---------------------------------------------------------------------------------------------

/// The atoms of section 4.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Slide,
    Up,
    Top,
    Down,
    Jump,
    JumpOne,
    Burrow,
}

/// Where a walker is on its way.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Spot {
    hex: Hex,
    level: usize,
}

/// A walk about to begin: the walker and its load are lifted from the board.
struct Walk<'a> {
    board: &'a State,
    options: &'a Options,
    color: Color,
    start: Spot,
}

impl State {
    /// Section 2.2, gate: whether the two stacks beside a step leave room for it.
    fn is_gate_open(&self, from: Spot, to: Hex) -> bool {
        let higher_end = from.level.max(self.height(to));
        from.hex.flanks(to).into_iter().any(|flank| self.height(flank) <= higher_end)
    }

    /// Section 2.2, contact: whether a piece that slides keeps touch. The hex it leaves counts if
    /// something remains on it.
    fn is_in_contact(&self, from: Hex, to: Hex) -> bool {
        self.height(from) > 0 || from.flanks(to).into_iter().any(|flank| self.height(flank) > 0)
    }

    /// Option of section 5.27: whether nothing may enter the hex.
    fn is_blocked(&self, hex: Hex, options: &Options) -> bool {
        options.mite_blocks && self.stack(hex).iter().any(|piece| piece.kind == Kind::Mite)
    }
}

impl Walk<'_> {
    /// Where one step leads.
    fn step(&self, from: Spot, step: Step) -> Vec<Spot> {
        if matches!(step, Step::Jump | Step::JumpOne) {
            return self.jumps(from, step == Step::JumpOne);
        }
        let near = from.hex.neighbours().into_iter();
        near.filter(|&to| self.allows(from, to, step)).map(|to| self.spot(to)).collect()
    }

    /// The spot on top of whatever is on a hex.
    fn spot(&self, hex: Hex) -> Spot {
        Spot { hex, level: self.board.height(hex) }
    }

    /// Whether a step other than a jump leads to a hex.
    fn allows(&self, from: Spot, to: Hex, step: Step) -> bool {
        let (board, is_ground) = (self.board, from.level == 0);
        let is_free = board.height(to) == 0;
        let is_open = board.is_gate_open(from, to);
        let is_entered = !is_free && !board.is_blocked(to, self.options);
        match step {
            Step::Slide => is_ground && is_free && is_open && board.is_in_contact(from.hex, to),
            Step::Up => is_ground && is_entered && is_open,
            Step::Top => !is_ground && is_entered && is_open,
            Step::Down => !is_ground && is_free && is_open,
            Step::Burrow => is_entered,
            Step::Jump | Step::JumpOne => false,
        }
    }

    /// To the first empty hex behind a row, which has one hex only for a Flea.
    fn jumps(&self, from: Spot, over_one: bool) -> Vec<Spot> {
        let mut ends = Vec::new();
        for direction in DIRECTIONS {
            let mut hex = from.hex.plus(direction);
            let mut length = 0;
            while self.board.height(hex) > 0 {
                hex = hex.plus(direction);
                length += 1;
            }
            if length == 1 || length > 1 && !over_one {
                ends.push(self.spot(hex));
            }
        }
        ends
    }

    /// The ends of a sequence of steps.
    fn sequence(&self, steps: &[Step]) -> BTreeSet<Hex> {
        let mut spots = vec![self.start];
        for &step in steps {
            let mut next: Vec<Spot> = Vec::new();
            for to in spots.into_iter().flat_map(|spot| self.step(spot, step)) {
                if !next.contains(&to) {
                    next.push(to);
                }
            }
            spots = next;
        }
        spots.into_iter().map(|spot| spot.hex).collect()
    }

    /// The ends of a sequence of steps that enters no hex twice, nor the start.
    fn distinct(&self, steps: &[Step]) -> BTreeSet<Hex> {
        self.distinct_from(&[self.start], steps)
    }

    /// The same with the first part of the way gone.
    fn distinct_from(&self, path: &[Spot], steps: &[Step]) -> BTreeSet<Hex> {
        let (Some(&here), Some((&step, others))) = (path.last(), steps.split_first()) else {
            return path.last().map(|spot| spot.hex).into_iter().collect();
        };
        let is_new = |to: &Spot| path.iter().all(|spot| spot.hex != to.hex);
        let next = self.step(here, step).into_iter().filter(is_new);
        next.flat_map(|to| self.distinct_from(&[path, &[to]].concat(), others)).collect()
    }

    /// Every hex that one or more steps of a kind lead to.
    fn repeated(&self, step: Step) -> BTreeSet<Hex> {
        let mut seen = BTreeSet::new();
        let mut fresh = vec![self.start];
        while let Some(spot) = fresh.pop() {
            fresh.extend(self.step(spot, step).into_iter().filter(|to| seen.insert(to.hex)));
        }
        seen
    }

    /// Section 5.13: over friends only, then down.
    fn cockroach(&self) -> BTreeSet<Hex> {
        let is_friend = |to: &Spot| self.board.top_color(to.hex) == Some(self.color);
        let mut seen = BTreeSet::new();
        let mut fresh: Vec<Spot> = self.step(self.start, Step::Up);
        let mut ends = BTreeSet::new();
        while let Some(spot) = fresh.pop() {
            if is_friend(&spot) && seen.insert(spot.hex) {
                fresh.extend(self.step(spot, Step::Top));
                ends.extend(self.step(spot, Step::Down).into_iter().map(|to| to.hex));
            }
        }
        ends
    }

    /// Section 5.23: up, then in one direction over one or more stacks and down.
    fn dragonfly(&self) -> BTreeSet<Hex> {
        let mut ends = BTreeSet::new();
        for first in self.step(self.start, Step::Up) {
            for direction in DIRECTIONS {
                let mut spot = first;
                while self.allows(spot, spot.hex.plus(direction), Step::Top) {
                    spot = self.spot(spot.hex.plus(direction));
                }
                let end = spot.hex.plus(direction);
                if spot != first && self.allows(spot, end, Step::Down) {
                    ends.insert(end);
                }
            }
        }
        ends
    }

    /// Section 5.21: to a piece the opponent used, then down.
    fn fly(&self) -> BTreeSet<Hex> {
        let used = self.board.used_by_opponent(self.color, self.options);
        let mut ends = BTreeSet::new();
        for piece in used {
            let cells = self.board.cells(piece).into_iter().chain(self.board.under_cell(piece));
            for anchor in cells.filter(|&hex| !self.board.is_blocked(hex, self.options)) {
                let down = self.step(self.spot(anchor), Step::Down);
                ends.extend(down.into_iter().map(|to| to.hex));
            }
        }
        ends
    }

    /// Section 4: where a walk of some kind ends. Swaps are dealt with elsewhere.
    fn ends(&self, kind: Kind) -> BTreeSet<Hex> {
        use Step::{Down, Jump, JumpOne, Slide, Top, Up};
        let any = |ways: &[&[Step]]| -> BTreeSet<Hex> {
            ways.iter().flat_map(|steps| self.sequence(steps)).collect()
        };
        let beetle: [&[Step]; 4] = [&[Slide], &[Up], &[Top], &[Down]];
        let mut ends = match kind {
            Kind::Queen | Kind::Pillbug | Kind::KingBee | Kind::Assassin => any(&[&[Slide]]),
            Kind::Beetle | Kind::Snail => any(&beetle),
            Kind::Grasshopper => any(&[&[Jump]]),
            Kind::Spider => self.distinct(&[Slide, Slide, Slide]),
            Kind::Ant => self.repeated(Slide),
            Kind::Ladybug => any(&[&[Up, Top, Down]]),
            Kind::Flea => any(&[&[Slide], &[JumpOne]]),
            Kind::Earwig => any(&[&[Slide, Jump], &[Jump, Slide]]),
            Kind::Cockroach => self.cockroach(),
            Kind::Tick => any(&[&[Up], &[Down]]),
            Kind::StinkBug => any(&[&[Up, Down]]),
            Kind::Scorpion => self.distinct(&[Slide, Slide]),
            Kind::Moth => any(&[&[Down, Up]]),
            Kind::Fly => self.fly(),
            Kind::Firefly => any(&[&[Up, Top], &[Top], &[Down]]),
            Kind::Dragonfly => self.dragonfly(),
            Kind::Butterfly => any(&[&[Top, Top]]),
            Kind::Mite => any(&[&[Top], &[Up]]),
            Kind::DungBeetle => match self.options.dung_beetle_walk {
                DungBeetleWalk::None => BTreeSet::new(),
                DungBeetleWalk::Slide => any(&[&[Slide]]),
                DungBeetleWalk::Beetle => any(&beetle),
            },
            Kind::Mosquito
            | Kind::StickInsect
            | Kind::Earthworm
            | Kind::Mantis
            | Kind::Beehive
            | Kind::Centipede
            | Kind::Cicada => BTreeSet::new(),
        };
        ends.remove(&self.start.hex);
        ends
    }

    /// Sections 5.12 and 5.24: hexes with one piece in the stack that the walk of a swapper ends
    /// on.
    fn swap_ends(&self, kind: Kind) -> BTreeSet<Hex> {
        let ends = match kind {
            Kind::Earthworm => self.distinct(&[Step::Burrow; 3]),
            Kind::Centipede => self.distinct(&[Step::Up, Step::Top, Step::Top]),
            _ => BTreeSet::new(),
        };
        ends.into_iter().filter(|&hex| self.board.stack(hex).len() == 1).collect()
    }
}

// ---------------------------------------------------------------------------------------------
// What a piece may do
// ---------------------------------------------------------------------------------------------

impl State {
    /// Section 2.4: face up and not frozen; option of item 19: not beside an enemy Scorpion.
    fn may_act(&self, piece: Piece, options: &Options) -> bool {
        self.is_face_up(piece)
            && !self.is_frozen(piece)
            && !(options.scorpion_paralyses && self.is_suppressed(piece))
    }

    /// What must travel with a piece of a stack that walks; nothing if it may not walk at all
    /// (section 2.4, items 10 to 12).
    fn load_of(&self, piece: Piece) -> Option<Vec<Piece>> {
        let above = self.above(piece);
        let Some(&next) = above.first() else { return Some(Vec::new()) };
        let is_lone = above.len() == 1 && self.is_face_up(next);
        if above.iter().any(|other| other.kind == Kind::Mite)
            || matches!(piece.kind, Kind::Cicada | Kind::StickInsect)
        {
            return None;
        }
        match next.kind {
            Kind::Moth => (is_lone && !self.is_frozen(next)).then(|| vec![next]),
            Kind::Butterfly if is_lone => Some(Vec::new()),
            _ => (piece.kind == Kind::Snail).then(Vec::new),
        }
    }

    /// The kinds a piece moves and uses abilities as: its own, for a Mosquito those it copies
    /// (section 7, item 14).
    fn acts_as(&self, piece: Piece) -> BTreeSet<Kind> {
        if piece.kind != Kind::Mosquito {
            return BTreeSet::from([self.shown_kind(piece)]);
        }
        let near = self.tops_around(piece).into_iter().filter(|&other| self.is_face_up(other));
        if self.level(piece) == 0 {
            let kinds = near.map(|other| self.shown_kind(other));
            return kinds.filter(|kind| kind.is_copied_on_ground()).collect();
        }
        let on_top = near.filter(|&other| {
            other.kind == Kind::Moth || other.kind == Kind::Butterfly && self.level(other) > 0
        });
        on_top.map(|other| other.kind).chain([Kind::Beetle]).collect()
    }

    /// Items 1 and 5.21: the pieces that the opponent of a side used in the previous turn, whatever
    /// their colour. The option adds what was moved by an ability.
    fn used_by_opponent(&self, color: Color, options: &Options) -> BTreeSet<Piece> {
        let Some(last) = self.last.as_ref().filter(|last| last.player != color) else {
            return BTreeSet::new();
        };
        let mut used: BTreeSet<Piece> = last.actor.into_iter().collect();
        if options.fly_follows_thrown && last.how == How::Ability {
            used.extend(&last.displaced);
        }
        used
    }

    /// Everything that a piece can do in a turn of its side or under mind control, except turning
    /// tiles.
    fn acts(&self, piece: Piece, options: &Options, is_controlled: bool) -> Vec<Act> {
        let mut acts = Vec::new();
        if self.may_act(piece, options) {
            if !self.is_held(piece) {
                acts.extend(self.walks(piece, options));
            }
            if self.is_uncovered(piece) {
                for kind in self.acts_as(piece) {
                    acts.extend(self.abilities(piece, kind, options, is_controlled));
                }
            }
        }
        // Section 2.3, landing.
        acts.retain(|act| act.board.is_connected());
        acts
    }

    /// Every way a piece can change its own place (section 5, "Move"), swaps among them.
    fn walks(&self, piece: Piece, options: &Options) -> Vec<Act> {
        if self.is_nymph(piece) {
            return self.burrows(piece, options);
        }
        let Some(load) = self.load_of(piece) else { return Vec::new() };
        match piece.kind {
            Kind::StickInsect => return [self.pivots(piece), self.shifts(piece, options)].concat(),
            Kind::Cicada => return self.flights(piece, options),
            _ => {}
        }
        let Some(&hex) = self.cells(piece).first() else { return Vec::new() };
        let group = [vec![piece], load].concat();
        let rest = self.without(&group);
        // Section 2.3, pick-up.
        if !rest.is_connected() {
            return Vec::new();
        }
        let start = Spot { hex, level: self.level(piece) };
        let walk = Walk { board: &rest, options, color: self.color_of(piece), start };
        let mut acts = Vec::new();
        for kind in self.acts_as(piece) {
            if kind == Kind::Snail && self.cooling.contains(&piece) {
                continue;
            }
            for to in walk.ends(kind) {
                let mut board = rest.clone();
                board.land(to, &group);
                acts.push(Act::to_spot(How::Moved, board, "", piece).displacing(&group));
            }
            let targets = walk.swap_ends(kind).into_iter();
            acts.extend(targets.filter_map(|to| self.swap(&group, start, to)));
        }
        acts
    }

    /// Sections 5.12 and 5.24, item 9: the swapper and its load come to where a single piece is,
    /// which takes the slot that the swapper left.
    fn swap(&self, group: &[Piece], start: Spot, to: Hex) -> Option<Act> {
        let target = self.top(to)?;
        let is_fixed = target.kind == Kind::StickInsect || self.is_immune(target);
        if is_fixed || self.is_frozen(target) {
            return None;
        }
        let moving = [group, &[target]].concat();
        let mut board = self.without(&moving);
        board.insert(start.hex, start.level, target);
        board.land(to, group);
        let label = format!("swap {}", self.name(target));
        Some(Act::new(How::Moved, board, label).displacing(&moving))
    }

    /// Section 5.28: a nymph goes to the under slot of a neighbouring stack. Item 10: not from
    /// beneath a Moth. Item 11: a nymph in a stack with a Mite does nothing.
    fn burrows(&self, nymph: Piece, options: &Options) -> Vec<Act> {
        let above = self.above(nymph);
        let is_in_stack = self.under_cell(nymph).is_none();
        let has_mite = above.iter().any(|other| other.kind == Kind::Mite);
        let has_moth = above.first().is_some_and(|other| other.kind == Kind::Moth);
        let rest = self.without(&[nymph]);
        if is_in_stack && has_mite || has_moth || !rest.is_connected() {
            return Vec::new();
        }
        let from = self.cells(nymph).into_iter().chain(self.under_cell(nymph));
        let free = from.flat_map(Hex::neighbours).filter(|&to| {
            rest.height(to) > 0 && !rest.under.contains_key(&to) && !rest.is_blocked(to, options)
        });
        let acts = free.map(|to| {
            let mut board = rest.clone();
            board.under.insert(to, nymph);
            Act::new(How::Moved, board, format!("under {}", to.text())).displacing(&[nymph])
        });
        acts.collect()
    }

    /// Section 5.28: the flights of an adult Cicada on top of something.
    fn flights(&self, cicada: Piece, options: &Options) -> Vec<Act> {
        let rest = self.without(&[cicada]);
        let Some(&hex) = self.cells(cicada).first() else { return Vec::new() };
        let Some(ground_color) = rest.top_color(hex) else { return Vec::new() };
        let color = self.color_of(cicada);
        let group = rest.group_of_color(hex, ground_color);
        let ends: BTreeSet<Hex> = if ground_color == color {
            let is_end =
                |&to: &Hex| rest.height(to) == 0 && !rest.is_friend_near(to, color.other());
            group.into_iter().flat_map(Hex::neighbours).filter(is_end).collect()
        } else {
            let is_end = |&to: &Hex| to != hex && !rest.is_blocked(to, options);
            group.into_iter().filter(is_end).collect()
        };
        let acts = ends.into_iter().map(|to| {
            let mut board = rest.clone();
            board.land(to, &[cicada]);
            Act::to_spot(How::Moved, board, "", cicada).displacing(&[cicada])
        });
        acts.collect()
    }

    /// Section 5.28: the hexes of one top colour that hang together with a hex.
    fn group_of_color(&self, hex: Hex, color: Color) -> BTreeSet<Hex> {
        let mut group = BTreeSet::from([hex]);
        let mut fresh = vec![hex];
        while let Some(hex) = fresh.pop() {
            let next = hex.neighbours().into_iter();
            let same = next.filter(|&next| self.top_color(next) == Some(color));
            fresh.extend(same.filter(|&next| group.insert(next)));
        }
        group
    }

    /// Section 5.10: one cell of a Stick insect stays, the other goes to another side of it.
    fn pivots(&self, stick: Piece) -> Vec<Act> {
        let cells = self.cells(stick);
        let mut acts = Vec::new();
        for &fixed in &cells {
            for &other in cells.iter().filter(|&&hex| hex != fixed) {
                let mut rest = self.clone();
                rest.stacks.remove(&other);
                if !rest.is_connected() || !rest.touches_something(fixed) {
                    continue;
                }
                let free = fixed.neighbours().into_iter().filter(|&to| rest.height(to) == 0);
                for to in free.filter(|&to| to != other) {
                    let mut board = rest.clone();
                    board.land(to, &[stick]);
                    let label = format!("pivot {}, other cell to {}", fixed.text(), to.text());
                    acts.push(Act::new(How::Moved, board, label).displacing(&[stick]));
                }
            }
        }
        acts
    }

    /// Section 5.10, item 13: a Stick insect moves as a whole, to two cells that are none of the
    /// old ones.
    fn shifts(&self, stick: Piece, options: &Options) -> Vec<Act> {
        let old = self.cells(stick);
        let rest = self.without(&[stick]);
        if !rest.is_connected() {
            return Vec::new();
        }
        let mut near: BTreeSet<Hex> = old.iter().flat_map(|hex| hex.neighbours()).collect();
        if options.stick_shift_old_neighbour {
            near.retain(|hex| rest.height(*hex) > 0 && !old.contains(hex));
            near = near.into_iter().flat_map(Hex::neighbours).collect();
        }
        let is_free = |hex: &Hex| rest.height(*hex) == 0 && !old.contains(hex);
        let mut pairs = BTreeSet::new();
        for a in near.into_iter().filter(is_free) {
            pairs.extend(a.neighbours().into_iter().filter(is_free).map(|b| pair(a, b)));
        }
        pairs.retain(|&(a, b)| rest.touches_something(a) || rest.touches_something(b));
        let acts = pairs.into_iter().map(|(a, b)| {
            let mut board = rest.clone();
            board.land(a, &[stick]);
            board.land(b, &[stick]);
            Act::new(How::Moved, board, pair_text((a, b))).displacing(&[stick])
        });
        acts.collect()
    }
}

// ---------------------------------------------------------------------------------------------
// Abilities
// ---------------------------------------------------------------------------------------------

impl State {
    /// The abilities of one kind for a piece that is uncovered.
    fn abilities(&self, by: Piece, kind: Kind, options: &Options, controlled: bool) -> Vec<Act> {
        let Some(&hex) = self.cells(by).first() else { return Vec::new() };
        let is_ground = self.level(by) == 0;
        let is_held = self.is_held(by);
        match kind {
            Kind::Pillbug => self.throws(hex),
            // Section 5.14: control does not nest.
            Kind::Tick if !controlled => self.controls(by, hex, options),
            Kind::Scorpion => self.poisons(by, hex, options),
            Kind::KingBee if is_ground => self.stings(by, hex),
            Kind::Mantis if !is_held => self.ambushes(by, options),
            Kind::Firefly => self.attractions(hex, options),
            Kind::Assassin if is_ground && !is_held => self.assassinations(by, hex, options),
            Kind::DungBeetle if is_ground => {
                let mut acts = self.pushes(by, hex, options);
                if !is_held {
                    acts.extend(self.rolls(by, hex));
                }
                acts
            }
            Kind::Snail if !is_held => self.replacements(by, hex),
            _ => Vec::new(),
        }
    }

    /// The top pieces around a hex with the cells they are on. A Stick insect with one cell covered
    /// is not among them (item 13).
    fn targets(&self, hex: Hex) -> Vec<(Hex, Piece)> {
        let near = hex.neighbours().into_iter();
        let tops = near.filter_map(|next| self.top(next).map(|piece| (next, piece)));
        tops.filter(|&(_, piece)| self.is_uncovered(piece)).collect()
    }

    /// Those of the other colour among them.
    fn enemies(&self, by: Piece, hex: Hex) -> Vec<(Hex, Piece)> {
        let mut enemies = self.targets(hex);
        enemies.retain(|&(_, piece)| self.color_of(piece) != self.color_of(by));
        enemies
    }

    /// The Pillbug's ability: over its top to another empty cell beside it, through open gates.
    /// Section 7, column of thrown pieces.
    fn throws(&self, hex: Hex) -> Vec<Act> {
        let mut acts = Vec::new();
        for (from, target) in self.targets(hex) {
            let is_fixed = matches!(target.kind, Kind::StickInsect | Kind::Moth | Kind::Mite);
            let rest = self.without(&[target]);
            if is_fixed
                || self.stack(from).len() > 1
                || self.is_immune(target)
                || self.is_frozen(target)
                || !rest.is_connected()
                || !rest.is_gate_open(Spot { hex: from, level: 0 }, hex)
            {
                continue;
            }
            let over = Spot { hex, level: rest.height(hex) };
            for to in hex.neighbours() {
                if to != from && rest.height(to) == 0 && rest.is_gate_open(over, to) {
                    let mut board = rest.clone();
                    board.land(to, &[target]);
                    let label = format!("throw {} to {}", self.name(target), to.text());
                    acts.push(Act::new(How::Ability, board, label).displacing(&[target]));
                }
            }
        }
        acts
    }

    /// Section 5.14: one move or ability of an enemy piece on the same level, as if its owner had
    /// the turn.
    fn controls(&self, by: Piece, hex: Hex, options: &Options) -> Vec<Act> {
        let mut targets: BTreeSet<Piece> =
            self.enemies(by, hex).into_iter().map(|(_, piece)| piece).collect();
        targets.retain(|&target| {
            self.level(target) == self.level(by)
                && target.kind != Kind::Beehive
                && !self.is_immune(target)
        });
        let mut acts = Vec::new();
        for target in targets {
            for mut act in self.acts(target, options, true) {
                act.how = How::Ability;
                act.label = format!("control {}: {}", self.name(target), act.label);
                acts.push(act);
            }
        }
        acts
    }

    /// A piece turned face down by an ability (section 2.6).
    fn turned_down(&self, target: Piece, word: &str) -> Act {
        let mut board = self.clone();
        board.face_down.insert(target);
        let label = format!("{word} {}", self.name(target));
        Act::new(How::Ability, board, label).facing(target)
    }

    /// Section 5.16: once in a game; any enemy on top, of either side as an option.
    fn poisons(&self, by: Piece, hex: Hex, options: &Options) -> Vec<Act> {
        if self.poison_spent.contains(&by) {
            return Vec::new();
        }
        let near = if options.poison_any { self.targets(hex) } else { self.enemies(by, hex) };
        let acts = near.into_iter().filter(|&(_, target)| {
            self.is_face_up(target) && !self.is_immune(target) && target.kind != Kind::Beehive
        });
        let acts = acts.map(|(_, target)| {
            let mut act = self.turned_down(target, "poison");
            act.board.poison_spent.insert(by);
            act
        });
        acts.collect()
    }

    /// Section 5.17: an enemy alone on its cell that was neither moved nor turned by the previous
    /// turn.
    fn stings(&self, by: Piece, hex: Hex) -> Vec<Act> {
        let acts = self.enemies(by, hex).into_iter().filter(|&(cell, target)| {
            self.stack(cell).len() == 1
                && self.is_face_up(target)
                && !self.is_frozen(target)
                && !self.was_faced(target)
                && !self.is_immune(target)
                && target.kind != Kind::Beehive
        });
        acts.map(|(_, target)| self.turned_down(target, "sting")).collect()
    }

    /// Two pieces leave the game, if the hive bears the loss of the one that attacks and of both
    /// (sections 5.18, 5.26).
    fn capture(&self, by: Piece, target: Piece) -> Option<Act> {
        if !self.without(&[by]).is_connected() {
            return None;
        }
        let mut board = self.without(&[by, target]);
        board.removed.extend([by, target]);
        let label = format!("capture {}", self.name(target));
        Some(Act::new(How::Ability, board, label))
    }

    /// Section 2.7, item 18: what can be taken off the table.
    fn is_removable(&self, target: Piece, options: &Options) -> bool {
        let is_queen = target.kind == Kind::Queen;
        !self.is_immune(target) && (options.queen_removal_wins || !is_queen)
    }

    /// Section 5.18: the Mantis takes the piece that the opponent moved or used. What was thrown
    /// must be of the other colour; of the actor no colour is asked (item 1).
    fn ambushes(&self, by: Piece, options: &Options) -> Vec<Act> {
        let Some(last) = &self.last else { return Vec::new() };
        if !matches!(last.how, How::Moved | How::Ability) {
            return Vec::new();
        }
        let mut used = self.used_by_opponent(by.color, options);
        used.retain(|&target| {
            let is_actor = last.actor == Some(target);
            target != by
                && (is_actor || self.color_of(target) != by.color)
                && self.is_uncovered(target)
                && self.is_removable(target, options)
        });
        used.into_iter().filter_map(|target| self.capture(by, target)).collect()
    }

    /// Section 5.26: the Assassin bug steps onto an enemy alone on its cell.
    fn assassinations(&self, by: Piece, hex: Hex, options: &Options) -> Vec<Act> {
        let rest = self.without(&[by]);
        let from = Spot { hex, level: 0 };
        let targets = self.enemies(by, hex).into_iter().filter(|&(cell, target)| {
            self.stack(cell).len() == 1
                && !self.is_frozen(target)
                && !self.was_faced(target)
                && self.is_removable(target, options)
                && rest.is_gate_open(from, cell)
        });
        targets.filter_map(|(_, target)| self.capture(by, target)).collect()
    }

    /// Section 5.22: a piece on top of something, not more than two cells away, comes onto the
    /// Firefly.
    fn attractions(&self, hex: Hex, options: &Options) -> Vec<Act> {
        let mut acts = Vec::new();
        for &from in self.stacks.keys().filter(|&&from| from != hex && from.distance(hex) <= 2) {
            let Some(target) = self.top(from) else { continue };
            let is_stacked = self.level(target) > 0;
            let rest = self.without(&[target]);
            if target.kind != Kind::StickInsect
                && (is_stacked || options.firefly_any)
                && !self.is_frozen(target)
                && !self.is_immune(target)
                && rest.is_connected()
            {
                let mut board = rest;
                board.land(hex, &[target]);
                let label = format!("attract {}", self.name(target));
                acts.push(Act::new(How::Ability, board, label).displacing(&[target]));
            }
        }
        acts
    }

    /// Section 5.29: what a Dung beetle can shove, with the cell it is on and the cell beyond.
    fn shoved(&self, by: Piece, hex: Hex) -> Vec<(Hex, Hex, Piece)> {
        let mut shoved = Vec::new();
        for (near, target) in self.enemies(by, hex) {
            let is_fixed = matches!(target.kind, Kind::StickInsect | Kind::Mite);
            if !is_fixed && !self.is_immune(target) && !self.is_frozen(target) {
                let far = near.plus((near.q - hex.q, near.r - hex.r));
                shoved.push((near, far, target));
            }
        }
        shoved
    }

    /// Whether a single piece can slide on to the empty cell beyond; touch is not asked for
    /// (section 5.29).
    fn slides_on(&self, near: Hex, far: Hex, target: Piece) -> bool {
        let rest = self.without(&[target]);
        self.stack(near).len() == 1
            && rest.height(far) == 0
            && rest.is_gate_open(Spot { hex: near, level: 0 }, far)
    }

    /// Item 15: from a stack a piece is pushed by a step on its own level, onto whatever is beyond.
    fn steps_on(&self, near: Hex, far: Hex, target: Piece, options: &Options) -> bool {
        let rest = self.without(&[target]);
        let level = self.level(target);
        level > 0
            && !options.dung_beetle_targets_ground
            && !rest.is_blocked(far, options)
            && rest.is_gate_open(Spot { hex: near, level }, far)
    }

    /// Section 5.29, item 15: the target moves, the Dung beetle stays.
    fn pushes(&self, by: Piece, hex: Hex, options: &Options) -> Vec<Act> {
        let mut acts = Vec::new();
        for (near, far, target) in self.shoved(by, hex) {
            let mut board = self.without(&[target]);
            let is_possible =
                self.slides_on(near, far, target) || self.steps_on(near, far, target, options);
            if is_possible && board.is_connected() {
                board.land(far, &[target]);
                let words = format!("push {} to ", self.name(target));
                let act = Act::to_spot(How::Ability, board, &words, target);
                acts.push(act.displacing(&[target]));
            }
        }
        acts
    }

    /// Section 5.29: the Dung beetle comes to where the target was.
    fn rolls(&self, by: Piece, hex: Hex) -> Vec<Act> {
        let mut acts = Vec::new();
        for (near, far, target) in self.shoved(by, hex) {
            if self.slides_on(near, far, target) && self.without(&[by]).is_connected() {
                let mut board = self.without(&[by, target]);
                board.land(near, &[by]);
                board.land(far, &[target]);
                let words = format!("roll {} to ", self.name(target));
                let act = Act::to_spot(How::Moved, board, &words, target);
                acts.push(act.displacing(&[by, target]));
            }
        }
        acts
    }

    /// Section 5.30: the Snail takes the place of an enemy, which returns to its owner's hand.
    /// Items 5 and 16.
    fn replacements(&self, by: Piece, hex: Hex) -> Vec<Act> {
        if !self.without(&[by]).is_connected() {
            return Vec::new();
        }
        let targets = self.enemies(by, hex).into_iter().filter(|&(_, target)| {
            !matches!(target.kind, Kind::Queen | Kind::StickInsect | Kind::Beehive)
                && !self.is_immune(target)
        });
        let acts = targets.map(|(cell, target)| {
            let mut board = self.without(&[by, target]);
            board.land(cell, &[by]);
            board.spent.insert(by);
            board.hands.insert(target);
            let label = format!("replace {}", self.name(target));
            Act::new(How::Ability, board, label).displacing(&[by]).facing(by)
        });
        acts.collect()
    }
}

// ---------------------------------------------------------------------------------------------
// Turning tiles, the Beehive
// ---------------------------------------------------------------------------------------------

impl State {
    /// Everything the side to move can do with a piece on the table.
    fn own_acts(&self, piece: Piece, options: &Options) -> Vec<Act> {
        let mut acts = self.turn_backs(piece);
        if piece.kind == Kind::Beehive {
            acts.extend(self.beehive_flips(piece, options));
        }
        if self.color_of(piece) == self.to_move {
            acts.extend(self.acts(piece, options, false));
            acts.extend(self.nymph_flips(piece, options));
            acts.extend(self.teleports(piece, options));
        }
        acts
    }

    /// Section 2.6: the owner turns a piece face up again.
    fn turn_backs(&self, piece: Piece) -> Vec<Act> {
        if piece.color != self.to_move
            || self.is_face_up(piece)
            || self.spent.contains(&piece)
            || !self.is_uncovered(piece)
            || self.is_frozen(piece)
            || self.was_faced(piece)
            || self.is_suppressed(piece)
        {
            return Vec::new();
        }
        let mut board = self.clone();
        board.face_down.remove(&piece);
        let label = format!("unflip {}", self.name(piece));
        vec![Act::new(How::Flipped, board, label).facing(piece)]
    }

    /// Section 5.20: either side turns a Beehive over, whatever colour it shows.
    fn beehive_flips(&self, hive: Piece, options: &Options) -> Vec<Act> {
        if !self.may_act(hive, options) || !self.is_uncovered(hive) || self.was_faced(hive) {
            return Vec::new();
        }
        let mut board = self.clone();
        if !board.other_face.remove(&hive) {
            board.other_face.insert(hive);
        }
        let label = format!("flip {}", self.name(hive));
        vec![Act::new(How::Flipped, board, label).facing(hive)]
    }

    /// Section 5.28, item 11: a nymph with something above it becomes an adult on top of the stack.
    fn nymph_flips(&self, nymph: Piece, options: &Options) -> Vec<Act> {
        let above = self.above(nymph);
        let is_in_stack = self.under_cell(nymph).is_none();
        let has_mite = above.iter().any(|other| other.kind == Kind::Mite);
        let Some(hex) = self.under_cell(nymph).or_else(|| self.cells(nymph).first().copied())
        else {
            return Vec::new();
        };
        if !self.is_nymph(nymph)
            || above.is_empty()
            || is_in_stack && has_mite
            || !self.may_act(nymph, options)
        {
            return Vec::new();
        }
        let mut board = self.without(&[nymph]);
        board.adult.insert(nymph);
        board.land(hex, &[nymph]);
        let label = format!("flip {}", self.name(nymph));
        vec![Act::new(How::Flipped, board, label).facing(nymph)]
    }

    /// Section 5.20, item 7: the queen of the side whose colour the Beehive shows goes to an empty
    /// cell beside it.
    fn teleports(&self, hive: Piece, options: &Options) -> Vec<Act> {
        let queen = State::queen_of(self.to_move);
        let rest = self.without(&[queen]);
        if hive.kind != Kind::Beehive
            || !self.may_act(hive, options)
            || !self.is_uncovered(hive)
            || !self.is_uncovered(queen)
            || self.is_frozen(queen)
            || !rest.is_connected()
        {
            return Vec::new();
        }
        let old = self.cells(queen);
        let near = self.cells(hive).into_iter().flat_map(Hex::neighbours);
        let free = near.filter(|to| rest.height(*to) == 0 && !old.contains(to));
        let acts = free.filter(|&to| {
            !options.beehive_placement_target
                || rest.is_friend_near(to, self.to_move)
                    && !rest.is_friend_near(to, self.to_move.other())
        });
        let acts = acts.map(|to| {
            let mut board = rest.clone();
            board.land(to, &[queen]);
            let label = format!("teleport {} to {}", self.name(queen), to.text());
            Act::new(How::Ability, board, label).displacing(&[queen])
        });
        acts.collect()
    }
}

// ---------------------------------------------------------------------------------------------
// Placing
// ---------------------------------------------------------------------------------------------

impl State {
    /// Whether the side to move has anything on the table, by owner.
    fn has_pieces(&self) -> bool {
        self.table().into_iter().any(|piece| piece.color == self.to_move)
    }

    /// Whether the queen of the side to move is on the table (section 2.4).
    fn has_queen(&self) -> bool {
        self.is_on_table(State::queen_of(self.to_move))
    }

    /// Of equal pieces in hand the one with the lowest number; by the fourth turn only the queen if
    /// she is still there.
    fn placeable(&self) -> Vec<Piece> {
        let queen = State::queen_of(self.to_move);
        let must_place_queen = self.turn >= 4 && !self.has_queen();
        let mut placeable: Vec<Piece> = Vec::new();
        for &piece in self.hands.iter().filter(|piece| piece.color == self.to_move) {
            let is_next = placeable.last().is_none_or(|other| other.kind != piece.kind);
            if is_next && (!must_place_queen || piece == queen) {
                placeable.push(piece);
            }
        }
        placeable
    }

    /// The cells most pieces can be placed on.
    fn normal_cells(&self) -> BTreeSet<Hex> {
        if self.stacks.is_empty() {
            return BTreeSet::from([Hex::ORIGIN]);
        }
        let mut cells = self.rim();
        if self.has_pieces() {
            cells.retain(|&hex| {
                self.is_friend_near(hex, self.to_move)
                    && !self.is_friend_near(hex, self.to_move.other())
            });
        }
        cells
    }

    /// Section 5.9: beside both colours.
    fn flea_cells(&self) -> BTreeSet<Hex> {
        let mut cells = self.rim();
        cells.retain(|&hex| Color::BOTH.into_iter().all(|color| self.is_friend_near(hex, color)));
        cells
    }

    /// Sections 5.19 and 5.25: on top of a friend that no enemy is beside.
    fn friend_cells(&self, options: &Options) -> BTreeSet<Hex> {
        let cells = self.stacks.keys().copied().filter(|&hex| {
            self.top_color(hex) == Some(self.to_move)
                && !self.is_friend_near(hex, self.to_move.other())
                && !self.is_blocked(hex, options)
        });
        cells.collect()
    }

    /// Section 5.27: on the stack of the own queen if no enemy lies above her.
    fn mite_cells(&self, options: &Options) -> BTreeSet<Hex> {
        let queen = State::queen_of(self.to_move);
        let is_free = self.above(queen).into_iter().all(|p| self.color_of(p) == self.to_move);
        let cells = self.cells(queen).into_iter();
        cells.filter(|&hex| is_free && !self.is_blocked(hex, options)).collect()
    }

    /// Section 5.10, items 22 and 23: where a Stick insect can be placed.
    fn stick_cells(&self) -> BTreeSet<(Hex, Hex)> {
        if self.stacks.is_empty() {
            let second = [(1, 0), (0, 1), (-1, 1)];
            return second.map(|to| pair(Hex::ORIGIN, Hex::ORIGIN.plus(to))).into();
        }
        let mut pairs = BTreeSet::new();
        for a in self.rim() {
            let free = a.neighbours().into_iter().filter(|&b| self.height(b) == 0);
            pairs.extend(free.map(|b| pair(a, b)));
        }
        if self.has_pieces() {
            let is_near =
                |(a, b), color| self.is_friend_near(a, color) || self.is_friend_near(b, color);
            pairs.retain(|&cells| {
                is_near(cells, self.to_move) && !is_near(cells, self.to_move.other())
            });
        }
        pairs
    }

    /// All placements: the piece, the cells, the label.
    fn placements(&self, options: &Options) -> Vec<(Piece, Act)> {
        let mut acts = Vec::new();
        for piece in self.placeable() {
            // Item 17.
            let is_never_first =
                matches!(piece.kind, Kind::Flea | Kind::Moth | Kind::Butterfly | Kind::Mite);
            if is_never_first && !self.has_pieces() {
                continue;
            }
            let on = match piece.kind {
                Kind::Moth => Some(self.friend_cells(options)),
                Kind::Butterfly if !options.butterfly_on_ground => Some(self.friend_cells(options)),
                Kind::Mite => Some(self.mite_cells(options)),
                _ => None,
            };
            let ground = match piece.kind {
                Kind::StickInsect => {
                    let pairs = self.stick_cells().into_iter();
                    acts.extend(pairs.map(|(a, b)| {
                        (piece, self.placed(piece, &[a, b], &format!(" {}", pair_text((a, b)))))
                    }));
                    continue;
                }
                Kind::Flea => self.flea_cells(),
                _ => self.normal_cells(),
            };
            let words = if on.is_some() { " on " } else { " " };
            for hex in on.unwrap_or(ground) {
                let text = format!("{words}{}", hex.text());
                acts.push((piece, self.placed(piece, &[hex], &text)));
                if piece.kind == Kind::Cockroach && options.cockroach_face_choice {
                    let mut act = self.placed(piece, &[hex], &format!(":L{text}"));
                    act.board.other_face.insert(piece);
                    acts.push((piece, act));
                }
            }
        }
        acts
    }

    /// A piece from hand set down on one or two cells.
    fn placed(&self, piece: Piece, cells: &[Hex], text: &str) -> Act {
        let mut board = self.clone();
        board.hands.remove(&piece);
        for &hex in cells {
            board.land(hex, &[piece]);
        }
        Act::new(How::Placed, board, format!("place {}{text}", self.name(piece)))
    }
}

// ---------------------------------------------------------------------------------------------
// Turns
// ---------------------------------------------------------------------------------------------

impl State {
    /// All different turns: a label and the position after it. There is only "pass" if nothing else
    /// can be done, and nothing at all when the game is over.
    pub(crate) fn turns(&self, options: &Options) -> Vec<(String, State)> {
        if self.outcome(options).is_some() {
            return Vec::new();
        }
        let mut turns: Vec<(String, State)> = Vec::new();
        for (piece, act) in self.placements(options) {
            turns.push((act.label.clone(), self.after(piece, act)));
        }
        // Section 2.4: without a queen on the table a side can only place.
        if self.has_queen() {
            for piece in self.table() {
                turns.extend(self.turns_of(piece, options));
            }
        }
        if self.is_official() {
            turns = official_turns(turns);
        }
        if turns.is_empty() {
            turns.push(("pass".to_owned(), self.after_pass()));
        }
        turns
    }

    /// Item 20: the turns of one piece, those with the same result once.
    fn turns_of(&self, piece: Piece, options: &Options) -> Vec<(String, State)> {
        let mut turns: Vec<(String, State)> = Vec::new();
        for act in self.own_acts(piece, options) {
            let label = format!("{} {}", self.name(piece), act.label);
            let next = self.after(piece, act);
            if !turns.iter().any(|(_, other)| *other == next) {
                turns.push((label, next));
            }
        }
        turns
    }

    /// The position after an act with its record (section 2.5) and clocks (item 6).
    fn after(&self, actor: Piece, act: Act) -> State {
        let mut next = act.board;
        next.cooling.retain(|piece| piece.color != self.to_move);
        if act.how == How::Moved && matches!(actor.kind, Kind::Snail | Kind::Mosquito) {
            next.cooling.insert(actor);
        }
        next.last = Some(LastTurn {
            player: self.to_move,
            actor: Some(actor),
            how: act.how,
            displaced: act.displaced,
            faced: act.faced,
        });
        next.hand_over();
        next
    }

    /// The position after a pass; it ends rests as any turn does (item 6).
    fn after_pass(&self) -> State {
        let mut next = self.clone();
        next.cooling.retain(|piece| piece.color != self.to_move);
        next.last = Some(LastTurn {
            player: self.to_move,
            actor: None,
            how: How::Passed,
            displaced: BTreeSet::new(),
            faced: BTreeSet::new(),
        });
        next.hand_over();
        next
    }

    /// The other side has the turn.
    fn hand_over(&mut self) {
        if self.to_move == Color::Black {
            self.turn = self.turn.saturating_add(1);
        }
        self.to_move = self.to_move.other();
        self.settle();
    }
}

/// Item 21: in official types of game turns are told apart by what is where alone; a walk goes
/// before a throw to the same cell, the throw of a Pillbug before that of a Mosquito.
fn official_turns(mut turns: Vec<(String, State)>) -> Vec<(String, State)> {
    turns.sort_by_key(|(_, next)| {
        let last = next.last.as_ref();
        let is_thrown = last.is_some_and(|last| last.how == How::Ability);
        let kind = last.and_then(|last| last.actor).map(|actor| actor.kind);
        (is_thrown, is_thrown && kind == Some(Kind::Mosquito))
    });
    let mut kept: Vec<(String, State)> = Vec::new();
    for (label, next) in turns {
        if !kept.iter().any(|(_, other)| other.stacks == next.stacks) {
            kept.push((label, next));
        }
    }
    kept
}

// ---------------------------------------------------------------------------------------------
// Texts and JSON (sections 3.1, 3.3 and the end of section 10)
// ---------------------------------------------------------------------------------------------

/// Section 3.3: the kinds of a type of game with their counts.
fn read_game_type(text: &str) -> Result<BTreeMap<Kind, u8>, String> {
    let mut counts = BTreeMap::new();
    for (kind, _) in Kind::ALL.into_iter().filter(|(kind, _)| kind.base_count() > 0) {
        counts.insert(kind, kind.base_count());
    }
    let wrong = || format!("no game type: {text}");
    let extra = text.strip_prefix("Base").ok_or_else(wrong)?;
    let mut letters = match extra.strip_prefix('+') {
        Some("All") => "MLPFlSiEaEwCoTiSbScKbMaMoHvFyFfDfCeBfAsMiCiDbSn",
        Some("") => return Err(wrong()),
        Some(letters) => letters,
        None if extra.is_empty() => "",
        None => return Err(wrong()),
    };
    while let Some(first) = letters.chars().next() {
        let rest = &letters[first.len_utf8()..];
        let small = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_lowercase()).len();
        let (code, rest) = letters.split_at(first.len_utf8() + small.min(1));
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (count, rest) = rest.split_at(digits);
        let count = if count.is_empty() { 1 } else { count.parse().map_err(|_| wrong())? };
        let kind = Kind::from_code(code).filter(|kind| kind.base_count() == 0).ok_or_else(wrong)?;
        if !(1..=9).contains(&count) || counts.insert(kind, count).is_some() {
            return Err(wrong());
        }
        letters = rest;
    }
    Ok(counts)
}

/// The member of an object, if it is there and not null.
fn member<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    value.get(key).filter(|member| !member.is_null())
}

/// A member that must be a text.
fn text_of<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    member(value, key).and_then(Value::as_str).ok_or_else(|| format!("no text: {key}"))
}

/// The items of a list, none if it is missing.
fn list_of<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], String> {
    match member(value, key) {
        None => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(format!("no list: {key}")),
    }
}

/// The cell of an object with `q` and `r`.
fn hex_of(value: &Value) -> Result<Hex, String> {
    let number = |key| {
        let number = value.get(key).and_then(Value::as_i64).filter(|n| n.abs() < 1_000_000);
        number.and_then(|n| i32::try_from(n).ok()).ok_or_else(|| format!("no number: {key}"))
    };
    Ok(Hex { q: number("q")?, r: number("r")? })
}

impl State {
    /// Section 3.1: a digit only if there is more than one.
    fn name(&self, piece: Piece) -> String {
        let letters = format!("{}{}", piece.color.letter(), piece.kind.code());
        match self.counts.get(&piece.kind) {
            Some(&count) if count > 1 => format!("{letters}{}", piece.number),
            _ => letters,
        }
    }

    /// A sorted list of names.
    fn names(&self, pieces: &BTreeSet<Piece>) -> Value {
        let names: BTreeSet<String> = pieces.iter().map(|&piece| self.name(piece)).collect();
        json!(names)
    }

    /// The piece of this type of game with a name.
    fn read_piece(&self, text: &str) -> Result<Piece, String> {
        let all = self.whole_box().into_iter();
        let mut named = all.filter(|&piece| self.name(piece) == text);
        named.next().ok_or_else(|| format!("no piece of this game: {text}"))
    }

    /// A list of names, none if it is missing.
    fn read_pieces(&self, value: &Value, key: &str) -> Result<BTreeSet<Piece>, String> {
        let texts = list_of(value, key)?.iter();
        texts.map(|text| self.read_piece(text.as_str().unwrap_or_default())).collect()
    }

    /// Section 3.3: the type of game, kinds in their order.
    fn game_type(&self) -> String {
        let mut text = "Base".to_owned();
        let extra = self.counts.iter().filter(|(kind, _)| kind.base_count() == 0);
        for (number, (kind, count)) in extra.enumerate() {
            text.push_str(if number == 0 { "+" } else { "" });
            text.push_str(kind.code());
            if *count != 1 {
                text.push_str(&count.to_string());
            }
        }
        text
    }

    /// The JSON of positions at the end of section 10.
    pub(crate) fn from_json(value: &Value) -> Result<State, String> {
        let game_type = match member(value, "game_type") {
            None => "Base+All",
            Some(_) => text_of(value, "game_type")?,
        };
        let mut state = State::start(game_type)?;
        state.to_move = Color::from_word(text_of(value, "to_move")?).ok_or("no side: to_move")?;
        state.read_cells(value)?;
        state.face_down = state.read_pieces(value, "face_down")?;
        state.spent = state.read_pieces(value, "spent")?;
        state.adult = state.read_pieces(value, "adult")?;
        state.cooling = state.read_pieces(value, "cooling")?;
        state.poison_spent = state.read_pieces(value, "poison_spent")?;
        state.removed = state.read_pieces(value, "removed")?;
        state.read_faces(value)?;
        state.read_hands(value)?;
        state.last = state.read_last_turn(value)?;
        state.turn = state.read_turn(value)?;
        state.settle();
        if state.is_connected() { Ok(state) } else { Err("the hive is in parts".to_owned()) }
    }

    /// The stacks and under slots.
    fn read_cells(&mut self, value: &Value) -> Result<(), String> {
        for cell in list_of(value, "cells")? {
            let hex = hex_of(cell)?;
            let texts = list_of(cell, "stack")?.iter();
            let stack: Result<Vec<Piece>, String> =
                texts.map(|text| self.read_piece(text.as_str().unwrap_or_default())).collect();
            let stack = stack?;
            if !stack.is_empty() && self.stacks.insert(hex, stack).is_some() {
                return Err(format!("cell told twice: {}", hex.text()));
            }
        }
        for slot in list_of(value, "under")? {
            let hex = hex_of(slot)?;
            let nymph = self.read_piece(text_of(slot, "piece")?)?;
            if nymph.kind != Kind::Cicada || self.under.insert(hex, nymph).is_some() {
                return Err(format!("wrong under slot: {}", hex.text()));
            }
        }
        self.table().into_iter().try_for_each(|piece| self.check_place(piece))
    }

    /// Whether a piece is in one place only; a Stick insect is on two cells on the ground beside
    /// each other.
    fn check_place(&self, piece: Piece) -> Result<(), String> {
        let times = self.stacks.values().flatten().chain(self.under.values());
        let times = times.filter(|&&other| other == piece).count();
        let is_right = if piece.kind == Kind::StickInsect {
            let cells = self.cells(piece);
            let is_ground = cells.iter().all(|&hex| self.stack(hex).first() == Some(&piece));
            times == 2 && cells.len() == 2 && cells[0].touches(cells[1]) && is_ground
        } else {
            times == 1
        };
        if is_right { Ok(()) } else { Err(format!("wrong place: {}", self.name(piece))) }
    }

    /// The faces of Cockroaches (section 5.13) and Beehives (section 5.20).
    fn read_faces(&mut self, value: &Value) -> Result<(), String> {
        let none = Map::new();
        let faces = match member(value, "faces") {
            None => &none,
            Some(faces) => faces.as_object().ok_or("no object: faces")?,
        };
        for (name, face) in faces {
            let piece = self.read_piece(name)?;
            let face = face.as_str().unwrap_or_default();
            let other = piece.color.other().letter().to_string();
            let own = piece.color.letter().to_string();
            match piece.kind {
                Kind::Cockroach if face == "L" => _ = self.other_face.insert(piece),
                Kind::Beehive if face == other => _ = self.other_face.insert(piece),
                Kind::Cockroach if face == "Co" => {}
                Kind::Beehive if face == own => {}
                _ => return Err(format!("wrong face: {name}")),
            }
        }
        Ok(())
    }

    /// The hands, or what is neither on the table nor removed.
    fn read_hands(&mut self, value: &Value) -> Result<(), String> {
        let gone = &self.table() | &self.removed;
        self.hands = match member(value, "hands") {
            None => &self.whole_box() - &gone,
            Some(hands) => {
                &self.read_pieces(hands, "white")? | &self.read_pieces(hands, "black")?
            }
        };
        let twice = self.hands.intersection(&gone).next();
        let twice = twice.or_else(|| self.removed.iter().find(|p| self.is_on_table(**p)));
        match twice {
            Some(&piece) => Err(format!("in two places: {}", self.name(piece))),
            None => Ok(()),
        }
    }

    /// Section 2.5: the record of the previous turn; the player is the opponent unless it says so.
    fn read_last_turn(&self, value: &Value) -> Result<Option<LastTurn>, String> {
        let Some(last) = member(value, "last_turn") else { return Ok(None) };
        let player = match member(last, "player") {
            None => self.to_move.other(),
            Some(_) => Color::from_word(text_of(last, "player")?).ok_or("no side: player")?,
        };
        let actor = match member(last, "actor") {
            None => None,
            Some(_) => Some(self.read_piece(text_of(last, "actor")?)?),
        };
        let how = How::from_word(text_of(last, "how")?).ok_or("no word of a turn: how")?;
        let displaced = self.read_pieces(last, "moved")?;
        let faced = self.read_pieces(last, "flipped")?;
        Ok(Some(LastTurn { player, actor, how, displaced, faced }))
    }

    /// The number of the turn, or the smallest that lets both sides have placed what is on the
    /// table or removed.
    fn read_turn(&self, value: &Value) -> Result<u32, String> {
        if let Some(turn) = member(value, "turn") {
            let turn = turn.as_u64().and_then(|turn| u32::try_from(turn).ok());
            return turn.filter(|&turn| turn > 0).ok_or_else(|| "no number: turn".to_owned());
        }
        let placed = &self.table() | &self.removed;
        let number = |color| {
            let pieces = placed.iter().filter(|piece| piece.color == color).count();
            u32::try_from(pieces).map_err(|_| "too many pieces".to_owned())
        };
        let (white, black) = (number(Color::White)?, number(Color::Black)?);
        Ok(match self.to_move {
            Color::White => white.max(black) + 1,
            Color::Black => white.max(black + 1),
        })
    }

    /// The JSON of the position with all keys, every list sorted.
    pub(crate) fn to_json(&self) -> Value {
        let cells = self.stacks.iter().map(|(hex, stack)| {
            let names: Vec<String> = stack.iter().map(|&piece| self.name(piece)).collect();
            json!({ "q": hex.q, "r": hex.r, "stack": names })
        });
        let under = self
            .under
            .iter()
            .map(|(hex, &nymph)| json!({ "q": hex.q, "r": hex.r, "piece": self.name(nymph) }));
        let hand = |color| {
            let hand = self.hands.iter().copied().filter(|piece| piece.color == color);
            self.names(&hand.collect())
        };
        json!({
            "to_move": self.to_move.word(),
            "cells": cells.collect::<Vec<Value>>(),
            "under": under.collect::<Vec<Value>>(),
            "face_down": self.names(&self.face_down),
            "spent": self.names(&self.spent),
            "faces": self.faces_json(),
            "adult": self.names(&self.adult),
            "cooling": self.names(&self.cooling),
            "poison_spent": self.names(&self.poison_spent),
            "hands": { "white": hand(Color::White), "black": hand(Color::Black) },
            "removed": self.names(&self.removed),
            "game_type": self.game_type(),
            "turn": self.turn,
            "last_turn": self.last_turn_json(),
        })
    }

    /// The faces of the tiles that do not show the face they begin with.
    fn faces_json(&self) -> Value {
        let faces = self.other_face.iter().map(|&piece| {
            let face = match piece.kind {
                Kind::Cockroach => "L".to_owned(),
                _ => self.color_of(piece).letter().to_string(),
            };
            (self.name(piece), Value::String(face))
        });
        Value::Object(faces.collect())
    }

    /// The record of the previous turn, null if there is none.
    fn last_turn_json(&self) -> Value {
        let Some(last) = &self.last else { return Value::Null };
        json!({
            "player": last.player.word(),
            "actor": last.actor.map(|piece| self.name(piece)),
            "how": last.how.word(),
            "moved": self.names(&last.displaced),
            "flipped": self.names(&last.faced),
        })
    }
}
