//! The kinds of pieces: one row of a table each.
pub mod walk;

/// Where a kind of piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// In every game.
    Base,
    /// One of the three official expansions.
    Expansion,
}

macro_rules! bugs {
    ($($(#[doc = $doc:literal])+ $name:ident $code:literal x $count:literal $set:ident $walk:literal $($ability:ident)?;)+) => {
        /// A kind of piece.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Bug { $($(#[doc = $doc])+ $name),+ }

        impl Bug {
            /// Every kind, in the order of the table.
            pub const ALL: &[Bug] = &[$(Bug::$name),+];

            /// The letters that name it in a record.
            pub const fn code(self) -> &'static str {
                match self { $(Bug::$name => $code),+ }
            }

            /// How many a player has if a game type includes it and says no more.
            pub const fn count(self) -> u8 {
                match self { $(Bug::$name => $count),+ }
            }

            /// Where it comes from.
            pub const fn set(self) -> Set {
                match self { $(Bug::$name => Set::$set),+ }
            }

            /// How it walks, in the language of [`walk`]; empty if it does not walk by itself.
            pub const fn walk(self) -> &'static str {
                match self { $(Bug::$name => $walk),+ }
            }

            /// What it can do besides walking.
            pub const fn ability(self) -> Option<Ability> {
                match self { $(Bug::$name => bugs!(@ability $($ability)?)),+ }
            }

            /// What it does, in one sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Bug::$name => concat!($($doc),+)),+ }
            }
        }
    };
    (@ability) => { None };
    (@ability $ability:ident) => { Some(Ability::$ability) };
}

/// What a piece can do besides walking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ability {
    /// Moves as one of its neighbours does.
    Copy,
    /// Lifts a neighbour over itself.
    Throw,
}

bugs! {
    /// Loses the game when it is surrounded; takes one step.
    Queen       "Q" x 1 Base      "S";
    /// Takes exactly three steps around the hive, none of them twice.
    Spider      "S" x 2 Base      "S{3} distinct";
    /// Takes one step, and may climb; on the hive it walks over the pieces.
    Beetle      "B" x 2 Base      "S | U | T | D";
    /// Jumps in a straight line over an unbroken row of pieces.
    Grasshopper "G" x 3 Base      "J";
    /// Walks as far as it likes around the hive.
    Ant         "A" x 3 Base      "S+";
    /// Moves as any of its neighbours; on the hive it is a beetle.
    Mosquito    "M" x 1 Expansion "" Copy;
    /// Takes two steps over the hive and a third one down.
    Ladybug     "L" x 1 Expansion "U T D";
    /// Takes one step, or lifts a neighbour over itself to another side.
    Pillbug     "P" x 1 Expansion "S" Throw;
}

impl Bug {
    /// How many kinds there are.
    pub const COUNT: usize = Bug::ALL.len();

    /// The kind that is named `code`.
    pub fn from_code(code: &str) -> Option<Bug> {
        Bug::ALL.iter().copied().find(|bug| bug.code() == code)
    }

    /// Whether the kind can end a turn on other pieces, by its own walk or by one that it copies.
    pub fn can_stand_on_others(self) -> bool {
        self.ability() == Some(Ability::Copy)
            || self.walk().parse::<walk::Walk>().is_ok_and(|walk| walk.ends_on_top())
    }

    /// The kind's English name, in lower case.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
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
