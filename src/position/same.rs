use super::text::{Unnumbered, canonical, exact_in_turn};
use crate::rules::{Key, Position};
use std::hash::{DefaultHasher, Hash, Hasher};

/// When two positions of games are the same. The number of the turn never counts; the side to move always does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Same {
    /// The same pieces stand on the same cells, and the same one moved last.
    Exact,
    /// So do pieces of the same kinds, anywhere on the plane; the one that moved last counts where its rest matters.
    Shifted,
    /// The same, turned and mirrored in any way.
    #[default]
    Turned,
    /// The same with exchanged colours, too.
    TurnedColours,
}

/// A position to be compared with others: quickly where they differ.
#[derive(Clone, Debug)]
pub struct Sought {
    same: Same,
    key: Key,
    name: String,
}

impl Same {
    /// A text that is equal for the same positions, and for no others.
    pub fn name(self, position: &mut Position) -> String {
        match self {
            Same::Exact => exact_in_turn(position, ""),
            Same::Shifted => Unnumbered::of(position, false).text(0),
            Same::Turned => canonical(position, false),
            Same::TurnedColours => canonical(position, true),
        }
    }
}

impl Sought {
    /// A position that is looked for.
    pub fn new(position: &mut Position, same: Same) -> Sought {
        let key = position.key();
        Sought { same, key: same.key(key, position), name: same.name(position) }
    }

    /// Whether a position with this key is the same.
    pub fn is(&self, position: &mut Position, key: Key) -> bool {
        self.same.key(key, position) == self.key && self.same.name(position) == self.name
    }
}

impl Same {
    /// The key that same positions have in common, though others may have it, too.
    pub fn key(self, key: Key, position: &mut Position) -> Key {
        match self {
            Same::TurnedColours => position.key_of_either_color(),
            // Where the piece that moved last always counts, it may be that its rest matters in both or in none.
            Same::Exact | Same::Shifted | Same::Turned => key,
        }
    }

    /// All keys by which a position may be asked for: with exchanged colours also the one of the other position.
    pub fn keys(self, key: Key, position: &mut Position) -> Vec<Key> {
        match self {
            Same::TurnedColours => vec![key, position.with_other_colors().key()],
            Same::Exact | Same::Shifted | Same::Turned => vec![key],
        }
    }

    /// A number that same positions have in common, and others only by an accident; for as long as the program runs.
    pub fn identity(self, key: Key, position: &mut Position) -> Key {
        let half = |salt: u8, name: &str| {
            let mut hasher = DefaultHasher::new();
            (salt, name).hash(&mut hasher);
            hasher.finish()
        };
        match self {
            Same::Turned | Same::TurnedColours => self.key(key, position),
            Same::Exact | Same::Shifted => {
                let name = self.name(position);
                Key { first: half(1, &name), second: half(2, &name) }
            }
        }
    }
}
