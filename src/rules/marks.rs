use super::{Bug, Piece};

macro_rules! marks {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        /// Something that a piece bears besides its place: only fan pieces give and bear marks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Mark { $($(#[doc = $doc])+ $name),+ }

        impl Mark {
            /// Every one.
            pub const ALL: &[Mark] = &[$(Mark::$name),+];
        }
    };
}

marks! {
    /// It lies face down: it was stung or poisoned, and can be turned back.
    FaceDown;
    /// It lies face down for good: a snail, or a mosquito that copied one, took another's place.
    Spent;
    /// A beehive shows the other side's colour, a cockroach its back, which is a ladybug.
    OtherFace;
    /// A cicada is no nymph any more.
    Adult;
    /// It walked on its owner's last turn, so that it cannot take a snail's step.
    Cooling;
    /// Its dose of poison is spent.
    PoisonSpent;
    /// It was taken off the table for good.
    Removed;
}

impl Mark {
    /// How many there are.
    pub const COUNT: usize = Mark::ALL.len();

    /// The word for a piece that bears the mark.
    pub const fn word(self) -> &'static str {
        match self {
            Mark::FaceDown => "face down",
            Mark::Spent => "spent",
            Mark::OtherFace => "turned to its other face",
            Mark::Adult => "adult",
            Mark::Cooling => "resting after a walk",
            Mark::PoisonSpent => "without poison",
            Mark::Removed => "removed",
        }
    }

    /// Whether a piece of this kind can ever bear the mark.
    pub fn fits(self, bug: Bug) -> bool {
        match self {
            Mark::FaceDown => bug != Bug::Beehive,
            Mark::Spent | Mark::Cooling => matches!(bug, Bug::Snail | Bug::Mosquito),
            Mark::OtherFace => matches!(bug, Bug::Beehive | Bug::Cockroach),
            Mark::Adult => bug == Bug::Cicada,
            Mark::PoisonSpent => matches!(bug, Bug::Scorpion | Bug::Mosquito),
            Mark::Removed => true,
        }
    }
}

/// Which pieces bear which marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Marks {
    /// By mark and colour: a bit for each slot of a colour.
    bearers: [[u128; 2]; Mark::COUNT],
}

impl Marks {
    #[inline]
    pub(super) fn has(&self, mark: Mark, piece: Piece) -> bool {
        self.bearers[mark as usize][piece.color() as usize] >> (piece.slot() & 127) & 1 == 1
    }

    #[inline]
    pub(super) fn toggle(&mut self, mark: Mark, piece: Piece) {
        self.bearers[mark as usize][piece.color() as usize] ^= 1 << (piece.slot() & 127);
    }
}
