//! Reading and writing: `testdata/notation/NAME/{valid,invalid}` and `testdata/games/NAME/*`.
use crate::support::{data_lines, files, project, records, source};
use hivekit::{
    finding::Severity,
    game::Game,
    notation::{self, Notation, Part, Style},
    replay::{Replayer, RuleOptions},
    rules::Turn,
    source::Source,
};
use std::{fmt::Write as _, fs, path::Path};

/// What is read from a file and what is said about it, as a person would review it.
fn told(path: &Path) -> String {
    let source = source(path);
    let mut replayer = Replayer::new(RuleOptions::default());
    let mut out = String::new();
    for (number, record) in (1..).zip(records(&source)) {
        let mut findings = match record {
            Err(finding) => {
                let _ = writeln!(out, "game {number}: unreadable");
                vec![finding]
            }
            Ok(record) => {
                let replayed = replayer.replay(&record);
                let game = &replayed.game;
                let outcome =
                    game.outcome().map_or("open".to_owned(), |outcome| outcome.to_string());
                let cause = game.cause().map(|cause| format!(" by {}", cause.word()));
                let cause = cause.unwrap_or_default();
                let _ = writeln!(out, "game {number}: {}, {outcome}{cause}", game.game_type());
                for tag in game.tags() {
                    let _ = writeln!(out, "  {} = {}", tag.name, tag.value);
                }
                for remark in game.remarks() {
                    let _ = writeln!(out, "  after {}: {:?}", remark.after, remark.what);
                }
                let mut text = Vec::new();
                notation::named("uhp").unwrap().write(game, Style::default(), &mut text).unwrap();
                let _ = write!(out, "  {}", String::from_utf8(text).unwrap());
                out.push_str(&variations(game));
                [record.findings, replayed.findings, replayed.fault.into_iter().collect()].concat()
            }
        };
        findings.sort_by_key(|finding| (finding.span.start, finding.code));
        for finding in findings {
            let place = source.place(finding.span.start);
            let ply = finding.ply.map(|ply| format!(" ply {ply}")).unwrap_or_default();
            let quote = source.quote(finding.span.clone());
            let (severity, code, message) = (finding.severity, finding.code, finding.message);
            let _ = writeln!(
                out,
                "  {}:{}{ply} {severity}[{code}] `{quote}`: {message}",
                place.line, place.column
            );
        }
    }
    out
}

/// The other lines of play, each from the start of the game.
fn variations(game: &Game) -> String {
    let mut out = String::new();
    for (at, other) in game.variations().iter().enumerate() {
        let of = other.of.map_or("the game".to_owned(), |of| of.to_string());
        let mut text = Vec::new();
        notation::named("plies")
            .unwrap()
            .write(&game.line(at), Style::default(), &mut text)
            .unwrap();
        let text = String::from_utf8(text).unwrap().trim().replace('\n', ", ");
        let _ = writeln!(out, "  variation {at} of {of} after {}: {text}", other.after);
        for remark in &other.remarks {
            let _ = writeln!(out, "    after {}: {:?}", remark.after, remark.what);
        }
    }
    out
}

#[test]
fn files_are_read_as_their_names_say() {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::glob!("../../testdata/notation", "*/*/*", |path| {
            insta::assert_snapshot!(told(path));
        });
    });
}

#[test]
fn valid_files_have_no_errors_and_invalid_ones_do() {
    for notation in notation::ALL {
        for (folder, is_valid) in [("valid", true), ("invalid", false)] {
            for path in files(&project(&format!("testdata/notation/{}/{folder}", notation.name())))
            {
                let source = source(&path);
                let detected = notation::detect(source.text()).map(Notation::name);
                assert_eq!(detected, Some(notation.name()), "{}", path.display());
                let mut replayer = Replayer::new(RuleOptions::default());
                let has_errors = records(&source).into_iter().any(|record| match record {
                    Err(finding) => finding.severity == Severity::Error,
                    Ok(record) => replayer.replay(&record).fault.is_some(),
                });
                assert_eq!(has_errors, !is_valid, "{}", path.display());
            }
        }
    }
}

/// Whether the game of a folder can be written in a notation: one with fan pieces only in some.
fn is_written(folder: &Path, notation: &dyn Notation) -> bool {
    let has_fan_pieces = !folder.join("game.sgf").is_file();
    !has_fan_pieces || notation.has_fan_pieces()
}

/// All files of a folder in `testdata/games` are one game.
#[test]
fn a_game_is_the_same_in_every_notation() {
    let mut games = 0;
    for folder in fs::read_dir(project("testdata/games")).unwrap() {
        let folder = folder.unwrap().path();
        let mut known: Option<Vec<Turn>> = None;
        let holds_orientation =
            |notation: &&&dyn Notation| notation.holds().contains(&Part::Orientation);
        for notation in notation::ALL.iter().filter(holds_orientation) {
            if !is_written(&folder, *notation) {
                continue;
            }
            let path = folder.join(format!("game.{}", notation.name()));
            let record = records(&source(&path)).remove(0).unwrap();
            let replayed = Replayer::new(RuleOptions::default()).replay(&record);
            assert_eq!(replayed.fault, None, "{}", path.display());
            let turns = replayed.game.turns().to_vec();
            match &known {
                None => known = Some(turns),
                Some(known) => assert_eq!(*known, turns, "{}", path.display()),
            }
            games += 1;
        }
    }
    assert!(games > 6, "only {games} files");
}

/// What we write of any of the files is the file in that notation, byte for byte.
#[test]
fn a_game_is_written_as_its_files_say() {
    for folder in fs::read_dir(project("testdata/games")).unwrap() {
        let folder = folder.unwrap().path();
        let names = ["game.sgf", "game.ndjson"].map(|name| folder.join(name));
        let path = names.iter().find(|path| path.is_file()).unwrap();
        let record = records(&source(path)).remove(0).unwrap();
        let game = Replayer::new(RuleOptions::default()).replay(&record).game;
        for notation in notation::ALL.iter().filter(|notation| is_written(&folder, **notation)) {
            let mut out = notation.prologue().as_bytes().to_vec();
            notation.write(&game, Style::default(), &mut out).unwrap();
            let path = folder.join(format!("game.{}", notation.name()));
            assert_eq!(
                String::from_utf8(out).unwrap(),
                fs::read_to_string(&path).unwrap(),
                "{}",
                path.display()
            );
        }
    }
}

/// Every row of the matrix of dialects has a decided behaviour.
#[test]
fn game_strings_of_all_dialects_are_read_as_decided() {
    let rows = fs::read_to_string(project("testdata/uhp-matrix.tsv")).unwrap();
    let rows: Vec<_> = data_lines(&rows).collect();
    assert!(rows.len() > 30);
    let uhp = notation::named("uhp").unwrap();
    for (_, row) in rows {
        let (text, codes) = row.split_once('\t').unwrap();
        let source = Source::new("matrix", text);
        let mut findings = match uhp.read(&source).next().unwrap() {
            Err(finding) => vec![finding],
            Ok(record) => {
                let replayed = Replayer::new(RuleOptions::default()).replay(&record);
                [record.findings, replayed.findings, replayed.fault.into_iter().collect()].concat()
            }
        };
        findings.retain(|finding| finding.code != "unfinished");
        let mut found: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        let mut expected: Vec<_> = codes.split(',').filter(|code| !code.is_empty()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
    }
}
