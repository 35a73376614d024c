//! Where pieces go, as drawings: `testdata/bugs/KIND/PIECE-what.txt` is a position, and its snapshot shows the cells that
//! the piece can go to as `o`, and what else it can do in words.
use crate::support::project;
use hivekit::{
    hex::{Direction, Hex},
    notation::told::Told,
    position::diagram,
    rules::{Bug, Cell, Options, Piece, Position, Turn},
};
use std::{fmt::Write as _, fs, path::Path};

fn drawn(path: &Path) -> String {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let piece: Piece = name.split('-').next().unwrap().parse().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let mut position = diagram::read(&text, Options::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let turns = position.turns();
    let goes = |turn: &Turn| turn.goes().filter(|(moved, _)| *moved == piece);
    let ends: Vec<Hex> = turns.iter().filter_map(goes).map(|(_, cell)| cell.hex()).collect();
    let mut out = sketch(&position, &ends);
    for turn in turns {
        if turn.actor() == Some(piece) && (goes(&turn).is_none() || piece.half().is_some()) {
            let _ = writeln!(out, "{}", Told::of(&mut position, turn).action);
        }
    }
    out
}

/// Rows of tops and destinations; an occupied destination has an `o` behind its name.
fn sketch(position: &Position, ends: &[Hex]) -> String {
    let mut cells: Vec<(Hex, String)> = position
        .hive()
        .cells()
        .map(|cell: Cell| {
            let end = if ends.contains(&cell.hex()) { "o" } else { "" };
            (cell.hex(), format!("{}{end}", position.hive().top(cell).unwrap()))
        })
        .collect();
    let occupied: Vec<Hex> = cells.iter().map(|(hex, _)| *hex).collect();
    let empty = |hex: &&Hex| !occupied.contains(hex);
    cells.extend(ends.iter().filter(empty).map(|hex| (*hex, "o".to_owned())));
    for hex in &occupied {
        for side in Direction::ALL {
            let next = hex.step(side);
            if !cells.iter().any(|(known, _)| *known == next) {
                cells.push((next, ".".to_owned()));
            }
        }
    }
    let left = cells.iter().map(|(hex, _)| 2 * hex.q + hex.r).min().unwrap();
    cells.sort_by_key(|(hex, _)| (hex.r, hex.q));
    let mut out = String::new();
    for row in cells.chunk_by(|a, b| a.0.r == b.0.r) {
        let mut line = String::new();
        for (hex, label) in row {
            let start = usize::try_from(2 * hex.q + hex.r - left).unwrap() * 3;
            let gap = start.saturating_sub(line.len());
            let _ = write!(line, "{:gap$}{label}", "");
        }
        let _ = writeln!(out, "{line}");
    }
    out
}

#[test]
fn each_bug_goes_where_its_drawings_show() {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::glob!("../../testdata/bugs", "*/*.txt", |path| {
            insta::assert_snapshot!(drawn(path));
        });
    });
}

#[test]
fn every_bug_has_a_drawing() {
    for bug in Bug::ALL {
        let folder = project(&format!("testdata/bugs/{}", bug.name().replace(' ', "-")));
        assert!(
            fs::read_dir(&folder).is_ok_and(|mut d| d.next().is_some()),
            "{}",
            folder.display()
        );
    }
}
