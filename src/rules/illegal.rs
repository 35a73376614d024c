use std::{error, fmt};

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident $code:literal $sentence:literal;)+) => {
        /// A rule of the game that a turn can break, in the order in which they are named: of several
        /// broken rules the first.
        ///
        /// The code is public: it names the finding, the file of its test cases and its section in the
        /// documentation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule { $($(#[doc = $doc])+ $name),+ }

        impl Rule {
            /// Every rule, in order.
            pub const ALL: &[Rule] = &[$(Rule::$name),+];

            /// A stable kebab-case name.
            pub const fn code(self) -> &'static str {
                match self { $(Rule::$name => $code),+ }
            }

            /// What the rule asks for, in one sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Rule::$name => concat!($($doc),+)),+ }
            }
        }

        /// What is wrong with the turn, in words that go on after "is illegal:".
        impl fmt::Display for Rule {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Rule::$name => $sentence),+ })
            }
        }
    };
}

rules! {
    /// Nothing is played after a queen is surrounded.
    GameOver "game-over" "the game is over";
    /// A side passes only if it can do nothing else.
    PassWithMoves "pass-with-moves" "there are other turns";
    /// Each side has only the pieces of the game type.
    NotInGame "not-in-game" "the game type does not have this piece";
    /// A side acts with its own pieces; only an ability moves the other side's.
    NotYourPiece "not-your-piece" "it is the other side's turn";
    /// Under the tournament opening the queen is not placed on a side's first turn.
    QueenOnFirstTurn "queen-on-first-turn" "the queen may not be placed on the first turn";
    /// The queen is placed on a side's fourth turn at the latest.
    QueenByTurnFour "queen-by-turn-four" "the queen must be placed by the fourth turn";
    /// A side moves no piece before its queen is placed.
    MoveBeforeQueen "move-before-queen" "no piece may move before its side's queen is placed";
    /// A place is told by pieces that are on the table.
    UnknownReference "unknown-reference" "the place is told by a piece that is not on the table";
    /// A piece acts, and is made to act, only on the table.
    NotOnTable "not-on-table" "the piece is not on the table";
    /// A piece that was removed for good does not come back.
    RemovedPiece "removed-piece" "the piece was removed from the game";
    /// A piece that lies face down can do nothing but be turned back.
    FaceDown "face-down" "the piece lies face down";
    /// A piece is not turned over on the turn after it was turned, and not turned back beside an enemy scorpion.
    TurnBack "turn-back" "the piece was turned on the previous turn, or an enemy scorpion is beside it";
    /// A covered piece can neither move nor be moved.
    CoveredPiece "covered-piece" "the piece is covered";
    /// A piece that was moved on the previous turn rests: it can neither move, nor be moved, nor use an ability.
    FrozenPiece "frozen-piece" "the piece was moved on the previous turn";
    /// An enemy beside a snail does not move by itself.
    HeldPiece "held-piece" "an enemy beside the piece holds it";
    /// A snail takes a step only every other turn of its side.
    RestingSnail "resting-snail" "the snail took a step on its side's last turn";
    /// A piece does only what its kind can do, and a mosquito what its neighbours can.
    NoSuchAbility "no-such-ability" "the piece is not able to do that";
    /// A stink bug that is not covered can be neither moved, nor turned, nor removed by other pieces.
    ProtectedPiece "protected-piece" "the other piece is protected";
    /// An ability asks something of the piece that it is used on: where it stands, whose it is, what it did last.
    NoTarget "no-target" "this cannot be done to the other piece";
    /// A move leads to another place.
    SamePlace "same-place" "the piece is there already";
    /// Most pieces are placed on an empty cell.
    PlacementOnOccupied "placement-on-occupied" "a piece may only be placed on an empty cell";
    /// Some fan pieces are placed on other pieces, on two cells, or beside both sides.
    PlacementOfKind "placement-of-kind" "a piece of this kind is placed otherwise";
    /// Except for a side's first piece, a placed piece touches no enemy.
    PlacementTouchesEnemy "placement-touches-enemy" "the placed piece would touch an enemy";
    /// A placed piece touches a friend; a side's first piece touches the hive.
    PlacementApart "placement-apart" "the placed piece would touch none of its own side";
    /// The hive holds together at all times, even while a piece is on its way.
    OneHive "one-hive" "lifting the piece would split the hive";
    /// Only pieces that climb end a move on other pieces.
    OccupiedDestination "occupied-destination" "the piece cannot climb onto another";
    /// A piece slides, climbs or is lifted only through gaps that are wide enough.
    FreedomToMove "freedom-to-move" "the piece does not fit through the gap";
    /// A sliding piece touches the hive all the way.
    LosesContact "loses-contact" "the piece would lose touch with the hive";
    /// A piece goes where its kind can go.
    OutOfReach "out-of-reach" "the piece does not move like that";
}

/// A turn that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalTurn {
    /// The first rule that it breaks, in the order of [`Rule::ALL`].
    pub rule: Rule,
}

impl From<Rule> for IllegalTurn {
    fn from(rule: Rule) -> IllegalTurn {
        IllegalTurn { rule }
    }
}

impl fmt::Display for IllegalTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the turn is illegal: {}", self.rule)
    }
}

impl error::Error for IllegalTurn {}
