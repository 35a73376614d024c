//! Walking, by the text in the table of kinds, and what walking ends in.
use super::{Act, Actor, Bug, Cell, Deed, Piece, Position, Posture, own_acts, ring};
use crate::rules::{
    How,
    bugs::{
        Ability,
        walk::{Ground, Laws, Routes, Walk},
    },
    options::{DungBeetleWalk, FlyFollowsThrown, MitePriority},
};

impl Position {
    /// What a piece does by walking, as each of the kinds.
    pub(super) fn walking_acts(
        &mut self,
        actor: Actor,
        posture: Posture,
        kinds: &[Bug],
    ) -> Vec<Act> {
        if !self.may_walk(actor.piece, posture) {
            return Vec::new();
        }
        let lifted = posture.lifted_with(actor.piece);
        let used_last = self.cells_used_last(actor);
        let ends = |position: &mut Position| -> Vec<(Bug, bool, Vec<Cell>)> {
            let walks = kinds.iter().filter_map(|&kind| Some((kind, position.walk_of(kind)?)));
            let can_go = |kind: Bug| kind != Bug::Snail || !position.is_cooling(actor.piece);
            let ends = |walk: &Walk| position.ends_of(actor, walk, &used_last, Laws::ALL);
            walks
                .filter(|(kind, _)| can_go(*kind))
                .map(|(kind, walk)| (kind, walk.swaps(), ends(walk)))
                .collect()
        };
        let ends = self.while_lifted(&lifted, ends).unwrap_or_default();
        let mut acts = Vec::new();
        for (kind, swaps, cells) in ends {
            let deed = |&cell: &Cell| {
                if swaps { self.swap_at(cell) } else { Some(Deed::Walk(cell)) }
            };
            acts.extend(own_acts(actor.piece, kind, cells.iter().filter_map(deed).collect()));
        }
        acts
    }

    /// Whether a piece in this posture may change its place by itself.
    pub(super) fn may_walk(&self, piece: Piece, posture: Posture) -> bool {
        let is_free = match posture {
            Posture::Open | Posture::Carrier(_) | Posture::Leaver => true,
            // Alone of all a snail leaves from under other pieces.
            Posture::Covered => piece.bug() == Bug::Snail,
            Posture::Stuck => false,
        };
        is_free && !self.is_held(piece)
    }

    /// The walk of a kind, as the rules of this game have it.
    pub(super) fn walk_of(&self, kind: Bug) -> Option<&'static Walk> {
        match (kind.ability(), self.options().dungbeetle_walk) {
            (Some(Ability::Push), DungBeetleWalk::Slide) => Bug::Queen.read_walk(),
            (Some(Ability::Push), DungBeetleWalk::Beetle) => Bug::Beetle.read_walk(),
            _ => kind.read_walk(),
        }
    }

    /// Where a walk ends, while the walker and what it carries are lifted.
    pub(super) fn ends_of(
        &self,
        actor: Actor,
        walk: &Walk,
        used_last: &[Cell],
        laws: Laws,
    ) -> Vec<Cell> {
        self.on_ground(actor, used_last, laws, |ground| walk.ends(ground).into_iter().collect())
    }

    /// The shortest ways of a piece by its walks, each with the height at which it begins.
    pub(in crate::rules) fn fan_routes(&mut self, piece: Piece, laws: Laws) -> Vec<Routes> {
        let Some(actor) = self.actor(piece) else { return Vec::new() };
        let lifted = self.posture(piece).lifted_with(piece);
        let used_last = self.cells_used_last(actor);
        let kinds = self.kinds_of(actor);
        let routes = self.while_lifted(&lifted, |position| {
            let walks = kinds.iter().filter_map(|&kind| position.walk_of(kind));
            let all = walks.map(|walk| {
                position.on_ground(actor, &used_last, laws, |ground| {
                    let ground = Ground { keeps_routes: true, ..*ground };
                    walk.routes(&ground)
                })
            });
            all.collect()
        });
        routes.unwrap_or_default()
    }

    /// Does something with all that a walk depends on, while the walker and what it carries are lifted.
    fn on_ground<R>(
        &self,
        actor: Actor,
        used_last: &[Cell],
        laws: Laws,
        ask: impl FnOnce(&Ground<'_>) -> R,
    ) -> R {
        // A nymph that has come up beneath the lifted piece lends the cell no colour.
        let is_hidden =
            |piece: Piece| self.is_nymph(piece) && self.hive.cell_of(piece) == Some(actor.cell);
        let is_friend = |piece: Piece| self.side_shown(piece) == actor.color && !is_hidden(piece);
        let ground = Ground {
            hive: &self.hive,
            from: actor.cell,
            level: actor.level,
            is_friend: &is_friend,
            is_closed: &|cell| self.is_closed(cell),
            used_last,
            laws,
            keeps_routes: false,
        };
        ask(&ground)
    }

    /// Whether nothing may come to a cell, by the rules of the game, because a mite lies there.
    pub(super) fn is_closed(&self, cell: Cell) -> bool {
        self.options().mite_priority == MitePriority::Blocks
            && self.hive.top(cell).is_some_and(|top| top.bug() == Bug::Mite)
    }

    /// The exchange with the piece that stands alone on a cell.
    fn swap_at(&self, cell: Cell) -> Option<Deed> {
        let other = self.hive.top(cell)?;
        let can_be_moved = !self.is_frozen(other) && !self.is_protected(other);
        (can_be_moved && other.bug() != Bug::StickInsect).then_some(Deed::Swap(other))
    }

    /// The pieces that count as used by the enemy of the acting piece's owner on the previous turn.
    pub(super) fn used_last(&self, actor: Actor) -> Vec<Piece> {
        let last = self.last();
        if self.to_move() != actor.piece.color() {
            return Vec::new();
        }
        let follows = self.options().fly_follows_thrown == FlyFollowsThrown::Yes;
        let moved = last.displaced.iter().filter(|_| follows && last.how == How::Ability);
        last.actor.into_iter().chain(moved).collect()
    }

    /// Where they are.
    pub(super) fn cells_used_last(&self, actor: Actor) -> Vec<Cell> {
        self.used_last(actor).into_iter().flat_map(|piece| self.cells_of(piece)).collect()
    }

    /// Whether a step from a cell fits through the gap at its side, at the height of a mover.
    pub(super) fn step_fits(&self, from: Cell, level: u8, to: Cell) -> bool {
        from.side_of(to).is_some_and(|side| self.hive.fits(from, level, side))
    }

    /// The sides of a cell where something stands.
    pub(super) fn occupied_sides(&self, cell: Cell) -> impl Iterator<Item = usize> + use<> {
        ring::sides(self.hive.ring(cell))
    }
}
