//! The kinds of pieces: one row of a table each.
pub mod walk;

use super::Piece;
use std::sync::LazyLock;

/// Where a kind of piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// In every game.
    Base,
    /// One of the three official expansions.
    Expansion,
    /// Made by players, and in no official box.
    Fan,
}

/// Where a piece is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Placement {
    /// On an empty cell beside a friend and no enemy.
    #[default]
    BesideFriend,
    /// On an empty cell beside a friend and an enemy.
    BesideBoth,
    /// On a friend that has no enemy beside it.
    OntoFriend,
    /// On the stack of its own queen, if no enemy lies on her.
    OntoQueen,
    /// On two empty cells, as most pieces are on one.
    TwoCells,
}

/// What a mosquito can copy of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Copied {
    /// All that it does.
    #[default]
    Wholly,
    /// Its walk, from the top of a stack beside it.
    OnTop,
    /// Nothing.
    Never,
}

/// What a piece can do besides walking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ability {
    /// Moves as one of its neighbours does.
    Copy,
    /// Lifts a neighbour over itself.
    Throw,
    /// Makes an enemy take a turn.
    Control,
    /// Turns an enemy face down, once in a game.
    Poison,
    /// Turns an enemy that stands alone face down.
    Sting,
    /// Takes the piece that the enemy used last off the table.
    Hunt,
    /// Takes a neighbour off the table.
    Assassinate,
    /// Brings a queen to its side, and shows either colour.
    Nest,
    /// Draws a piece onto itself.
    Attract,
    /// Moves beneath the hive, and comes out on top of it.
    Emerge,
    /// Pushes an enemy.
    Push,
    /// Sends an enemy back to its hand.
    Replace,
    /// Lies on two cells, and moves as no other piece.
    Stretch,
}

macro_rules! bugs {
    ($($(#[doc = $doc:literal])+ $Name:ident $name:literal $code:literal x $count:literal $set:ident $walk:literal
        $(, does $ability:ident)? $(, placed $placed:ident)? $(, copied $copied:ident)?;)+) => {
        /// A kind of piece.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Bug { $($(#[doc = $doc])+ $Name),+ }

        impl Bug {
            /// Every kind, in the order of the table.
            pub const ALL: &[Bug] = &[$(Bug::$Name),+];

            /// The letters that name it in a record.
            pub const fn code(self) -> &'static str {
                match self { $(Bug::$Name => $code),+ }
            }

            /// The kind's English name, in lower case.
            pub const fn name(self) -> &'static str {
                match self { $(Bug::$Name => $name),+ }
            }

            /// How many a player has if a game type includes it and says no more.
            pub const fn count(self) -> u8 {
                match self { $(Bug::$Name => $count),+ }
            }

            /// Where it comes from.
            pub const fn set(self) -> Set {
                match self { $(Bug::$Name => Set::$set),+ }
            }

            /// How it walks, in the language of [`walk`]; empty if it does not walk as others do.
            pub const fn walk(self) -> &'static str {
                match self { $(Bug::$Name => $walk),+ }
            }

            /// What it can do besides walking.
            pub const fn ability(self) -> Option<Ability> {
                match self { $(Bug::$Name => bugs!(@some Ability $($ability)?)),+ }
            }

            /// Where it is placed.
            pub const fn placement(self) -> Placement {
                match self { $(Bug::$Name => bugs!(@or Placement BesideFriend $($placed)?)),+ }
            }

            /// What a mosquito can copy of it.
            pub const fn copied(self) -> Copied {
                match self { $(Bug::$Name => bugs!(@or Copied Wholly $($copied)?)),+ }
            }

            /// What it does, in one sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Bug::$Name => concat!($($doc),+)),+ }
            }
        }
    };
    (@some $Type:ident) => { None };
    (@some $Type:ident $value:ident) => { Some($Type::$value) };
    (@or $Type:ident $usual:ident) => { $Type::$usual };
    (@or $Type:ident $usual:ident $value:ident) => { $Type::$value };
}

bugs! {
    /// Loses the game when it is surrounded; takes one step.
    Queen "queen" "Q" x 1 Base "S";
    /// Takes exactly three steps around the hive, none of them twice.
    Spider "spider" "S" x 2 Base "S{3} distinct";
    /// Takes one step, and may climb; on the hive it walks over the pieces.
    Beetle "beetle" "B" x 2 Base "S | U | T | D";
    /// Jumps in a straight line over an unbroken row of pieces.
    Grasshopper "grasshopper" "G" x 3 Base "J";
    /// Walks as far as it likes around the hive.
    Ant "ant" "A" x 3 Base "S+";
    /// Moves as any of its neighbours; on the hive it is a beetle.
    Mosquito "mosquito" "M" x 1 Expansion "", does Copy, copied Never;
    /// Takes two steps over the hive and a third one down.
    Ladybug "ladybug" "L" x 1 Expansion "U T D";
    /// Takes one step, or lifts a neighbour over itself to another side.
    Pillbug "pillbug" "P" x 1 Expansion "S", does Throw;
    /// Takes one step, or jumps over one piece; it is placed beside both colours.
    Flea "flea" "Fl" x 1 Fan "S | J1", placed BesideBoth;
    /// Lies on two cells: it turns about one of them, or moves by one length.
    StickInsect "stick insect" "Si" x 1 Fan "", does Stretch, placed TwoCells, copied Never;
    /// Takes a step and a jump, in either order.
    Earwig "earwig" "Ea" x 1 Fan "S J | J S";
    /// Goes three cells beneath the hive, and exchanges places with the piece there.
    Earthworm "earthworm" "Ew" x 1 Fan "N{3} distinct end1 -> swap";
    /// Walks over friends as far as it likes, and down; its back is a ladybug.
    Cockroach "cockroach" "Co" x 1 Fan "U[own] T[own]* D";
    /// Climbs up and down, or makes an enemy beside it take a turn.
    Tick "tick" "Ti" x 1 Fan "U | D", does Control;
    /// Takes a step up and a step down; no other piece can move, turn or remove it.
    StinkBug "stink bug" "Sb" x 1 Fan "U D";
    /// Takes two steps; it poisons one enemy in a game, and keeps enemies beside it face down.
    Scorpion "scorpion" "Sc" x 1 Fan "S{2} distinct", does Poison;
    /// Takes one step, or stings an enemy beside it, which turns face down.
    KingBee "king bee" "Kb" x 1 Fan "S", does Sting;
    /// Does not walk; it flies onto the piece that the enemy used last, and both are removed.
    Mantis "mantis" "Ma" x 1 Fan "", does Hunt;
    /// Goes from a stack to the ground and onto a stack again; the piece beneath it carries it.
    Moth "moth" "Mo" x 1 Fan "D U", placed OntoFriend, copied OnTop;
    /// Does not walk; it brings the queen of the colour that it shows to its side.
    Beehive "beehive" "Hv" x 1 Fan "", does Nest, copied Never;
    /// Flies to the piece that the enemy placed or used last, and down beside it.
    Fly "fly" "Fy" x 1 Fan "Fly D";
    /// Takes two steps onto the hive, or one on it; it attracts a piece on the hive onto itself.
    Firefly "firefly" "Ff" x 1 Fan "U T | T | D", does Attract;
    /// Climbs up, and goes over the pieces in a straight line to the ground.
    Dragonfly "dragonfly" "Df" x 1 Fan "U Ray";
    /// Takes three steps over the hive, and exchanges places with the piece there.
    Centipede "centipede" "Ce" x 1 Fan "U T T distinct end1 -> swap";
    /// Takes two steps on the hive, and never leaves it; the piece beneath it can leave.
    Butterfly "butterfly" "Bf" x 1 Fan "T{2}", placed OntoFriend, copied OnTop;
    /// Takes one step, or flies onto an enemy beside it, and both are removed.
    AssassinBug "assassin bug" "As" x 1 Fan "S", does Assassinate;
    /// Takes one step on the hive, and always lies on top of its stack.
    Mite "mite" "Mi" x 1 Fan "T | U", placed OntoQueen, copied Never;
    /// Moves beneath the hive as a nymph; once it has come out, it flies from the top of the hive.
    Cicada "cicada" "Ci" x 1 Fan "", does Emerge, copied Never;
    /// Does not walk; it pushes an enemy beside it, and may follow it.
    DungBeetle "dung beetle" "Db" x 1 Fan "", does Push;
    /// Takes a step every other turn, holds the enemies beside it, and can take the place of one.
    Snail "snail" "Sn" x 1 Fan "S | U | T | D", does Replace;
}

impl Bug {
    /// How many kinds there are.
    pub const COUNT: usize = Bug::ALL.len();

    /// The kind that is named `code`.
    pub fn from_code(code: &str) -> Option<Bug> {
        Bug::ALL.iter().copied().find(|bug| bug.code() == code)
    }

    /// Its walk, read once; `None` if it does not walk as others do.
    pub fn read_walk(self) -> Option<&'static walk::Walk> {
        static WALKS: LazyLock<Vec<Option<walk::Walk>>> =
            LazyLock::new(|| Bug::ALL.iter().map(|bug| bug.walk().parse().ok()).collect());
        WALKS[self as usize].as_ref()
    }

    /// Whether the kind is in one of the official boxes.
    pub const fn is_official(self) -> bool {
        !matches!(self.set(), Set::Fan)
    }

    /// The highest number of pieces of the kind that a player can have: a stick insect needs two places on the board.
    pub const fn most(self) -> u8 {
        if matches!(self, Bug::StickInsect) { Piece::MAX_NUMBER / 2 } else { Piece::MAX_NUMBER }
    }

    /// Whether the kind can end a turn on other pieces: by its own walk, by one that it copies, or otherwise.
    pub fn can_stand_on_others(self) -> bool {
        let comes_there = matches!(self.ability(), Some(Ability::Copy | Ability::Emerge));
        let is_placed_there =
            matches!(self.placement(), Placement::OntoFriend | Placement::OntoQueen);
        comes_there || is_placed_there || self.read_walk().is_some_and(walk::Walk::ends_on_top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_walks_can_be_read() {
        let codes: BTreeSet<_> = Bug::ALL.iter().map(|bug| bug.code()).collect();
        assert_eq!(codes.len(), Bug::COUNT);
        for bug in Bug::ALL.iter().filter(|bug| !bug.walk().is_empty()) {
            assert!(bug.walk().parse::<walk::Walk>().is_ok(), "{bug:?}");
        }
    }
}
