use std::{error, fmt};

/// May a side's first piece be its queen?
///
/// All printed rules allow it (R18); tournaments and most programs do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// Any piece may come first.
    #[default]
    Any,
    /// The queen may not.
    Tournament,
}

macro_rules! options {
    ($($(#[doc = $doc:literal])+ $name:ident $Name:ident { $($(#[doc = $about:literal])+ $Value:ident $value:literal),+ $(,)? })+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub enum $Name {
                #[default]
                $($(#[doc = $about])+ $Value),+
            }

            impl $Name {
                const VALUES: &'static [&'static str] = &[$($value),+];
                const ALL: &'static [$Name] = &[$($Name::$Value),+];
            }
        )+

        /// The rules by which a game is played, where there is a choice: the first value of each is the usual one.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct Options {
            /// May a side's first piece be its queen?
            pub opening: OpeningRule,
            $($(#[doc = $doc])+ pub $name: $Name,)+
        }

        impl Options {
            /// The rules for fan pieces between which a game can choose: name, values (the usual one first), and what
            /// it is about.
            pub const CHOICES: &[Choice] = &[$(Choice {
                name: stringify!($name),
                values: $Name::VALUES,
                about: concat!($($doc),+),
                meanings: &[$(concat!($($about),+)),+],
            }),+];

            /// Chooses a value of a rule by their names.
            ///
            /// # Errors
            ///
            /// Fails where there is no such rule, or it has no such value.
            pub fn choose(&mut self, name: &str, value: &str) -> Result<(), ChoiceError> {
                match name {
                    $(stringify!($name) => {
                        let at = $Name::VALUES.iter().position(|known| *known == value);
                        self.$name = $Name::ALL[at.ok_or(ChoiceError::Value($Name::VALUES))?];
                    })+
                    _ => return Err(ChoiceError::Name),
                }
                Ok(())
            }

            /// The rules that are not as usual: name and value.
            pub fn chosen(&self) -> Vec<(&'static str, &'static str)> {
                let mut chosen = Vec::new();
                $(if self.$name != $Name::default() {
                    chosen.push((stringify!($name), $Name::VALUES[self.$name as usize]));
                })+
                chosen
            }
        }
    };
}

options! {
    /// What happens to a queen that an assassin bug or a mantis would remove.
    queen_removal QueenRemoval {
        /// She is never removed.
        Forbidden "forbidden",
        /// Her owner loses.
        Wins "wins",
    }
    /// What a stick insect that moves as a whole has to touch.
    stick_shift StickShift {
        /// One of the two cells that it left.
        TouchOldPlace "touch_old_place",
        /// A piece that it touched before.
        TouchOldNeighbour "touch_old_neighbour",
    }
    /// Where a butterfly is placed.
    butterfly_place ButterflyPlace {
        /// On a piece of its own side, as a moth is.
        Onto "onto",
        /// On the ground, as most pieces are.
        Ground "ground",
    }
    /// What a mite does to a piece that comes to its cell.
    mite_priority MitePriority {
        /// The piece comes to stand beneath the mite.
        SlideUnder "slide_under",
        /// No piece comes to the cell or passes over it, but by a jump.
        Blocks "blocks",
    }
    /// How a dung beetle walks.
    dungbeetle_walk DungBeetleWalk {
        /// Not at all.
        None "none",
        /// One step along the ground.
        Slide "slide",
        /// As a beetle.
        Beetle "beetle",
    }
    /// Which pieces a dung beetle pushes.
    dungbeetle_target DungBeetleTarget {
        /// The top of a stack, however high.
        Top "top",
        /// Only pieces that stand alone.
        Ground "ground",
    }
    /// Whether a piece that an ability moved counts as used, for a fly and a mantis.
    fly_follows_thrown FlyFollowsThrown {
        /// Only the piece that used the ability does.
        No "no",
        /// Both do.
        Yes "yes",
    }
    /// Whether the owner chooses the face of a cockroach when it is placed.
    cockroach_face_choice CockroachFaceChoice {
        /// It may show its back, and be a ladybug.
        Yes "yes",
        /// It is always a cockroach.
        No "no",
    }
    /// What a scorpion does to enemies beside it.
    scorpion_suppress ScorpionSuppress {
        /// They cannot be turned back.
        NoTurnBack "no_turn_back",
        /// They cannot act at all.
        Paralyse "paralyse",
    }
    /// Whom a scorpion can poison.
    poison_target PoisonTarget {
        /// Enemies.
        Enemy "enemy",
        /// Pieces of either side.
        Any "any",
    }
    /// Where a beehive can teleport a queen to.
    beehive_target BeehiveTarget {
        /// Any empty cell beside it.
        Free "free",
        /// An empty cell beside it where the queen could be placed.
        Placement "placement",
    }
    /// Which pieces a firefly attracts.
    firefly_target FireflyTarget {
        /// Those that stand on others.
        Stacked "stacked",
        /// The top of any cell.
        Any "any",
    }
}

/// A rule between whose values a game can choose.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// The names of its values, the usual one first.
    pub values: &'static [&'static str],
    /// What it is about.
    pub about: &'static str,
    /// What each value means.
    pub meanings: &'static [&'static str],
}

/// A choice that there is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceError {
    /// No rule has the name.
    Name,
    /// The rule has only these values.
    Value(&'static [&'static str]),
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceError::Name => {
                let names: Vec<_> = Options::CHOICES.iter().map(|choice| choice.name).collect();
                write!(f, "there is no such rule; the rules are {}", names.join(", "))
            }
            ChoiceError::Value(values) => {
                write!(f, "the rule has no such value; its values are {}", values.join(", "))
            }
        }
    }
}

impl error::Error for ChoiceError {}

impl From<OpeningRule> for Options {
    fn from(opening: OpeningRule) -> Options {
        Options { opening, ..Options::default() }
    }
}
