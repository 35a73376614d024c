//! Turns that are told only as precisely as legality asks for: by kinds of pieces and by what is next to what.
//!
//! Such a turn is found among the legal ones. Places are told by a neighbour, and by how many steps clockwise around it
//! they lie from another one.
use crate::rules::{Bug, Cell, Color, Hive, Piece, Turn};
use std::collections::BTreeMap;

/// A kind of piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The side.
    pub color: Color,
    /// The kind.
    pub bug: Bug,
}

impl Kind {
    /// The kind of a piece.
    pub fn of(piece: Piece) -> Kind {
        Kind { color: piece.color(), bug: piece.bug() }
    }
}

/// A turn as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// What is placed or moved.
    pub kind: Kind,
    /// Whether it comes from the hand.
    pub is_placement: bool,
    /// What it climbs onto.
    pub onto: Option<Kind>,
    /// Where it comes from.
    pub from: Option<Locus>,
    /// Where it goes.
    pub to: Option<Locus>,
}

/// A place, told by a neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locus {
    /// The neighbour.
    pub beside: Kind,
    /// Where around it.
    pub bearing: Option<Bearing>,
}

/// Where around a neighbour a place lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearing {
    /// A neighbour of that neighbour.
    pub from: Kind,
    /// Where around that one the neighbour lies, to tell it from equal ones.
    pub within: Option<Box<Bearing>>,
    /// How many steps clockwise from it the place lies, 1 to 5; without an angle it only tells which of equal
    /// neighbours is meant.
    pub angle: Option<u8>,
}

/// The table with one piece lifted.
#[derive(Clone, Copy)]
pub struct Lifted<'h> {
    hive: &'h Hive,
    piece: Piece,
}

impl<'h> Lifted<'h> {
    /// Lifts a piece, if it is there.
    pub fn new(hive: &'h Hive, piece: Piece) -> Lifted<'h> {
        Lifted { hive, piece }
    }

    /// The piece on top of a cell.
    pub fn top(self, cell: Cell) -> Option<Piece> {
        match self.hive.top(cell) {
            Some(top) if top == self.piece => self.hive.below(top),
            top => top,
        }
    }

    /// The sides of a cell with the pieces that stand there, clockwise.
    pub fn around(self, cell: Cell) -> impl Iterator<Item = (usize, Piece)> + use<'h> {
        (0..6).filter_map(move |side| Some((side, self.top(cell.toward(side))?)))
    }
}

impl Sketch {
    /// Whether a turn is like this.
    pub fn fits(&self, hive: &Hive, turn: Turn) -> bool {
        self.fits_with(hive, turn, |kind, piece| Kind::of(piece) == kind)
    }

    /// The same if the colours of pieces count for nothing.
    pub fn fits_without_colors(&self, hive: &Hive, turn: Turn) -> bool {
        self.fits_with(hive, turn, |kind, piece| piece.bug() == kind.bug)
    }

    /// Whether the place that a piece goes to is anywhere on the table, whether it can go there or not.
    pub fn has_place(&self, hive: &Hive) -> bool {
        let Some(to) = &self.to else { return true };
        let is = |kind: Kind, piece: Piece| Kind::of(piece) == kind;
        let movers = hive.pieces(self.kind.color).filter(|piece| piece.bug() == self.kind.bug);
        movers.into_iter().any(|piece| {
            let table = Table { lifted: Lifted::new(hive, piece), is };
            let near = hive.cells().flat_map(|cell| (0..6).map(move |side| cell.toward(side)));
            near.filter(|&cell| table.lifted.top(cell).map(Kind::of) == self.onto)
                .any(|cell| table.is_at(to, cell))
        })
    }

    fn fits_with(&self, hive: &Hive, turn: Turn, is: fn(Kind, Piece) -> bool) -> bool {
        let Some((piece, to)) = turn.goes() else { return false };
        let from = hive.cell_of(piece);
        let table = Table { lifted: Lifted::new(hive, piece), is };
        let is_at = |locus: &Option<Locus>, cell: Option<Cell>| match (locus, cell) {
            (None, _) => true,
            (Some(locus), Some(cell)) => table.is_at(locus, cell),
            (Some(_), None) => false,
        };
        let covered = table.lifted.top(to);
        is(self.kind, piece)
            && from.is_none() == self.is_placement
            && covered.is_some() == self.onto.is_some()
            && self.onto.is_none_or(|onto| table.has(to, onto))
            && is_at(&self.from, from)
            && is_at(&self.to, Some(to))
    }
}

/// The table as one reads it.
#[derive(Clone, Copy)]
struct Table<'h> {
    lifted: Lifted<'h>,
    /// Whether a piece is of a kind.
    is: fn(Kind, Piece) -> bool,
}

impl Table<'_> {
    fn has(self, cell: Cell, kind: Kind) -> bool {
        self.lifted.top(cell).is_some_and(|piece| (self.is)(kind, piece))
    }

    fn is_at(self, locus: &Locus, cell: Cell) -> bool {
        (0..6).map(|side| cell.toward(side)).any(|beside| {
            self.has(beside, locus.beside)
                && locus
                    .bearing
                    .as_ref()
                    .is_none_or(|bearing| self.leads(bearing, beside, cell, &mut BTreeMap::new()))
        })
    }

    /// Whether a bearing, taken around the piece on `center`, leads to `cell` beside it. Bearings within bearings ask the
    /// same of few cells again and again, so what is known is kept, by the bearing and the two cells.
    fn leads<'b>(
        self,
        bearing: &'b Bearing,
        center: Cell,
        cell: Cell,
        known: &mut BTreeMap<(*const Bearing, Cell, Cell), bool>,
    ) -> bool {
        let key = (std::ptr::from_ref::<Bearing>(bearing), center, cell);
        if let Some(&leads) = known.get(&key) {
            return leads;
        }
        let leads = (0..6).any(|side| {
            let from = center.toward(side);
            let is_there = bearing
                .angle
                .is_none_or(|angle| center.toward((side + usize::from(angle)) % 6) == cell);
            let within: Option<&'b Bearing> = bearing.within.as_deref();
            is_there
                && self.has(from, bearing.from)
                && within.is_none_or(|within| self.leads(within, from, center, known))
        });
        known.insert(key, leads);
        leads
    }
}
