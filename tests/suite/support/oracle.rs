//! The rules of the official game once more, written down as plainly as possible and from the text of the rules alone:
//! a map of stacks, no tables, no tricks. It shares nothing with the engine but the names of pieces and cells, and is about
//! a thousand times slower.
use hivekit::{
    hex::{Direction, Hex},
    rules::{Bug, Color, GameType, OpeningRule, Piece},
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) stacks: BTreeMap<Hex, Vec<Piece>>,
    pub(crate) game_type: GameType,
    pub(crate) opening: OpeningRule,
    pub(crate) ply: u32,
    /// The piece that the last turn moved.
    pub(crate) moved: Option<Piece>,
}

fn neighbours(hex: Hex) -> [Hex; 6] {
    Direction::ALL.map(|side| hex.step(side))
}

/// The two cells that touch both ends of a step.
fn flanks(from: Hex, to: Hex) -> Vec<Hex> {
    neighbours(from).into_iter().filter(|hex| neighbours(to).contains(hex)).collect()
}

impl Table {
    pub(crate) fn new(game_type: GameType, opening: OpeningRule) -> Table {
        Table { stacks: BTreeMap::new(), game_type, opening, ply: 0, moved: None }
    }

    fn height(&self, hex: Hex) -> usize {
        self.stacks.get(&hex).map_or(0, Vec::len)
    }

    fn top(&self, hex: Hex) -> Option<Piece> {
        self.stacks.get(&hex).and_then(|stack| stack.last().copied())
    }

    fn place_of(&self, piece: Piece) -> Option<Hex> {
        self.stacks.iter().find(|(_, stack)| stack.contains(&piece)).map(|(hex, _)| *hex)
    }

    fn side(&self) -> Color {
        if self.ply.is_multiple_of(2) { Color::White } else { Color::Black }
    }

    fn is_connected(&self) -> bool {
        let Some(&first) = self.stacks.keys().next() else { return true };
        let mut seen = BTreeSet::from([first]);
        let mut fresh = vec![first];
        while let Some(hex) = fresh.pop() {
            fresh.extend(
                neighbours(hex)
                    .into_iter()
                    .filter(|next| self.stacks.contains_key(next) && seen.insert(*next)),
            );
        }
        seen.len() == self.stacks.len()
    }

    fn lifted(&self, hex: Hex) -> Table {
        let mut rest = self.clone();
        let stack = rest.stacks.get_mut(&hex).unwrap();
        stack.pop();
        if stack.is_empty() {
            rest.stacks.remove(&hex);
        }
        rest
    }

    pub(crate) fn is_over(&self) -> bool {
        Color::BOTH.into_iter().any(|color| {
            self.place_of(Piece::new(color, Bug::Queen, 1))
                .is_some_and(|hex| neighbours(hex).into_iter().all(|next| self.height(next) > 0))
        })
    }

    /// All turns, as the piece that comes to stand elsewhere and where. An empty set is a pass, unless the game is over.
    pub(crate) fn turns(&self) -> BTreeSet<(Piece, Hex)> {
        let mut turns = BTreeSet::new();
        if self.is_over() {
            return turns;
        }
        let side = self.side();
        let queen = Piece::new(side, Bug::Queen, 1);
        let has_queen = self.place_of(queen).is_some();
        for &bug in Bug::ALL {
            let mut numbers = 1..=self.game_type.count(bug);
            let next = numbers.find(|&n| self.place_of(Piece::new(side, bug, n)).is_none());
            let Some(number) = next else { continue };
            let too_late = !has_queen && self.ply / 2 >= 3 && bug != Bug::Queen;
            let too_early =
                bug == Bug::Queen && self.ply < 2 && self.opening == OpeningRule::Tournament;
            if !too_late && !too_early {
                let piece = Piece::new(side, bug, number);
                turns.extend(self.placements(side).into_iter().map(|hex| (piece, hex)));
            }
        }
        if has_queen {
            for (&hex, stack) in &self.stacks {
                let piece = *stack.last().unwrap();
                if self.moved == Some(piece) || !self.lifted(hex).is_connected() {
                    continue;
                }
                if piece.color() == side {
                    turns.extend(self.walks(piece, hex).into_iter().map(|to| (piece, to)));
                }
                if stack.len() == 1 {
                    turns.extend(self.throws(hex).into_iter().map(|to| (piece, to)));
                }
            }
        }
        turns
    }

    fn placements(&self, side: Color) -> BTreeSet<Hex> {
        if self.stacks.is_empty() {
            return BTreeSet::from([Hex::ORIGIN]);
        }
        let is_first = !self.stacks.values().flatten().any(|piece| piece.color() == side);
        self.stacks
            .keys()
            .flat_map(|&hex| neighbours(hex))
            .filter(|&hex| self.height(hex) == 0)
            .filter(|&hex| {
                let near = |color| {
                    neighbours(hex)
                        .into_iter()
                        .any(|next| self.top(next).is_some_and(|p| p.color() == color))
                };
                is_first || near(side) && !near(side.other())
            })
            .collect()
    }

    /// Where a piece can walk, once it is known that it may be lifted.
    fn walks(&self, piece: Piece, from: Hex) -> BTreeSet<Hex> {
        let rest = self.lifted(from);
        let on_top = rest.height(from) > 0;
        let kinds: BTreeSet<Bug> = match piece.bug() {
            Bug::Mosquito if on_top => BTreeSet::from([Bug::Beetle]),
            Bug::Mosquito => neighbours(from)
                .into_iter()
                .filter_map(|hex| rest.top(hex))
                .map(Piece::bug)
                .collect(),
            bug => BTreeSet::from([bug]),
        };
        kinds.into_iter().flat_map(|bug| rest.ends(bug, from)).filter(|&to| to != from).collect()
    }

    /// The ends of the walk of one kind; the walker is lifted.
    fn ends(&self, bug: Bug, from: Hex) -> BTreeSet<Hex> {
        match bug {
            Bug::Queen | Bug::Pillbug => self.slides(from),
            Bug::Beetle if self.height(from) == 0 => &self.slides(from) | &self.climbs(from, true),
            Bug::Beetle => &self.climbs(from, true) | &self.climbs(from, false),
            Bug::Grasshopper => self.jumps(from),
            Bug::Spider => self.three_slides(&[from]),
            Bug::Ant => {
                let mut seen = BTreeSet::from([from]);
                let mut fresh = vec![from];
                while let Some(hex) = fresh.pop() {
                    fresh.extend(self.slides(hex).into_iter().filter(|&next| seen.insert(next)));
                }
                seen
            }
            Bug::Ladybug => {
                let first = self.climbs(from, true);
                let second: BTreeSet<Hex> =
                    first.iter().flat_map(|&hex| self.climbs(hex, true)).collect();
                second.iter().flat_map(|&hex| self.climbs(hex, false)).collect()
            }
            // A mosquito has no walk of its own, and fan pieces are not in these games.
            _ => BTreeSet::new(),
        }
    }

    /// One slide: not between two pieces, and not away from the hive.
    fn slides(&self, from: Hex) -> BTreeSet<Hex> {
        neighbours(from)
            .into_iter()
            .filter(|&to| self.height(to) == 0)
            .filter(|&to| {
                flanks(from, to).into_iter().filter(|&flank| self.height(flank) > 0).count() == 1
            })
            .collect()
    }

    fn three_slides(&self, path: &[Hex]) -> BTreeSet<Hex> {
        if path.len() == 4 {
            return BTreeSet::from([path[3]]);
        }
        self.slides(path[path.len() - 1])
            .into_iter()
            .filter(|next| !path.contains(next))
            .flat_map(|next| self.three_slides(&[path, &[next]].concat()))
            .collect()
    }

    /// One step that begins or ends above the ground, onto a stack or down to an empty cell.
    fn climbs(&self, from: Hex, onto: bool) -> BTreeSet<Hex> {
        neighbours(from)
            .into_iter()
            .filter(|&to| (self.height(to) > 0) == onto)
            .filter(|&to| {
                let higher_end = self.height(from).max(self.height(to));
                !flanks(from, to).into_iter().all(|flank| self.height(flank) > higher_end)
            })
            .collect()
    }

    fn jumps(&self, from: Hex) -> BTreeSet<Hex> {
        let mut ends = BTreeSet::new();
        for side in Direction::ALL {
            let mut hex = from.step(side);
            while self.height(hex) > 0 {
                hex = hex.step(side);
            }
            if hex != from.step(side) {
                ends.insert(hex);
            }
        }
        ends
    }

    /// Where the single piece at `hex` can be thrown.
    fn throws(&self, hex: Hex) -> BTreeSet<Hex> {
        let rest = self.lifted(hex);
        neighbours(hex)
            .into_iter()
            .filter(|&by| self.throws_from(by))
            .filter(|&by| rest.climbs(hex, true).contains(&by))
            .flat_map(|by| rest.climbs(by, false))
            .filter(|&to| to != hex)
            .collect()
    }

    /// Whether the side to move has a piece at `hex` that can throw.
    fn throws_from(&self, hex: Hex) -> bool {
        let Some(piece) = self.top(hex) else { return false };
        let copies = self.height(hex) == 1
            && neighbours(hex)
                .into_iter()
                .any(|next| self.top(next).is_some_and(|p| p.bug() == Bug::Pillbug));
        piece.color() == self.side()
            && self.moved != Some(piece)
            && (piece.bug() == Bug::Pillbug || piece.bug() == Bug::Mosquito && copies)
    }

    /// Plays a turn that is known to be legal; `None` is a pass.
    pub(crate) fn play(&mut self, turn: Option<(Piece, Hex)>) {
        self.moved = None;
        if let Some((piece, to)) = turn {
            if let Some(from) = self.place_of(piece) {
                *self = self.lifted(from);
                self.moved = Some(piece);
            }
            self.stacks.entry(to).or_default().push(piece);
        }
        self.ply += 1;
    }
}
