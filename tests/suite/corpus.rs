//! The public records: everything here needs the folder that `HIVEKIT_CORPUS` names, and says so where it is missing.
use crate::support::{corpus, data_lines, files, position, record, records, replay, source};
use hivekit::{
    finding::Finding,
    game::Game,
    record::{Action, Spot},
    replay::{Replayer, RuleOptions},
    rules::{Cell, GameType, OpeningRule, Piece, Position, SamePosition, Turn, perft},
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The games of a file, replayed.
fn games(path: &Path, options: RuleOptions) -> Vec<(Game, Vec<Finding>, Option<Finding>)> {
    let mut replayer = Replayer::new(options);
    records(&source(path))
        .into_iter()
        .map(|record| {
            let record = record.unwrap_or_else(|e| panic!("{}: {e:?}", path.display()));
            let replayed = replayer.replay(&record);
            (replayed.game, [record.findings, replayed.findings].concat(), replayed.fault)
        })
        .collect()
}

#[test]
fn every_legal_record_is_legal() {
    let Some(root) = corpus("") else { return };
    let mut count = 0;
    for folder in [
        "boardspace-sgf",
        "sgf-pgn-pairs",
        "pgn/verdicts/valid",
        "pgn/verdicts/hash",
        "pgn/2024",
        "uhp/finished-games.uhp",
        "uhp/real-games.uhp",
        "random",
        "hivegame-export/hivegame.pgn",
    ] {
        let path = root.join(folder);
        let paths = if path.is_dir() { files(&path) } else { vec![path] };
        for path in paths {
            for (_, _, fault) in games(&path, RuleOptions::default()) {
                assert_eq!(fault, None, "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 4000, "only {count} games");
}

#[test]
fn every_illegal_record_breaks_its_rule() {
    let Some(folder) = corpus("pgn/verdicts/invalid") else { return };
    let expected = [
        ("ant_climb", 12, "occupied-destination"),
        ("duplicated_move", 10, "not-your-piece"),
        ("move_a_just_moved", 8, "frozen-piece"),
        ("move_before_q", 3, "move-before-queen"),
        ("spawn_relative_to_self", 1, "unknown-reference"),
        ("spawn_unallowed", 9, "placement-touches-enemy"),
        ("spider_moves", 10, "out-of-reach"),
        ("white_double_spawn", 6, "not-your-piece"),
    ];
    assert_eq!(files(&folder).len(), expected.len());
    for (name, ply, code) in expected {
        let path = folder.join(format!("{name}.pgn"));
        let (_, _, fault) = games(&path, RuleOptions::default()).remove(0);
        let fault = fault.unwrap_or_else(|| panic!("{name} is legal"));
        assert_eq!((fault.ply, fault.code), (Some(ply), code), "{name}");
    }
}

#[test]
fn odd_files_are_what_their_names_say() {
    let Some(folder) = corpus("pgn/odd") else { return };
    for path in files(&folder) {
        let (_, _, fault) = games(&path, RuleOptions::default()).remove(0);
        let valid = path.to_string_lossy().contains("Valid_");
        assert_eq!(fault.is_none(), valid, "{}", path.display());
    }
}

#[test]
fn the_pairs_are_the_same_games_turn_for_turn() {
    let Some(folder) = corpus("sgf-pgn-pairs") else { return };
    let mut pairs = 0;
    for sgf in
        files(&folder).into_iter().filter(|path| path.extension().is_some_and(|e| e == "sgf"))
    {
        let (read, _, _) = games(&sgf, RuleOptions::default()).remove(0);
        let (other, _, _) = games(&sgf.with_extension("pgn"), RuleOptions::default()).remove(0);
        assert_eq!(read.game_type(), other.game_type(), "{}", sgf.display());
        assert_eq!(goes(read.turns()), goes(other.turns()), "{}", sgf.display());
        assert_eq!(read.outcome(), other.outcome(), "{}", sgf.display());
        pairs += 1;
    }
    assert_eq!(pairs, 19);
}

fn goes(turns: &[Turn]) -> Vec<Option<(Piece, Cell)>> {
    turns.iter().map(|turn| turn.goes()).collect()
}

#[test]
fn results_of_the_server_agree_with_the_board_in_all_files_but_one() {
    let Some(folder) = corpus("boardspace-sgf") else { return };
    let mut wrong = 0;
    for path in files(&folder) {
        let (_, findings, _) = games(&path, RuleOptions::default()).remove(0);
        wrong += findings.iter().filter(|finding| finding.code == "result-mismatch").count();
    }
    assert!(wrong <= 1, "{wrong} results contradict the board");
}

#[test]
fn states_that_the_board_does_not_show_are_counted() {
    let Some(path) = corpus("uhp/finished-games.uhp") else { return };
    let all = games(&path, RuleOptions::default());
    let off_board = all
        .iter()
        .filter(|(_, findings, _)| {
            findings.iter().any(|finding| finding.code == "result-off-board")
        })
        .count();
    assert_eq!((all.len(), off_board), (475, 23));
}

#[test]
fn positions_of_real_games_have_exactly_their_legal_moves() {
    let Some(folder) = corpus("vectors/valid-moves") else { return };
    let mut cases = 0;
    for path in files(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.contains("Perft") || name.contains("Invalid") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in data_lines(&text) {
            let (game, moves) = line.split_once('\t').unwrap();
            let moves: Vec<&str> = moves.split(';').collect();
            let mut position = position(game);
            let expected: BTreeSet<_> = moves.iter().map(|text| cell_of(&position, text)).collect();
            let of_one_piece = !name.contains("RealGames");
            let found: BTreeSet<_> = position
                .turns()
                .iter()
                .filter_map(|turn| turn.goes())
                .filter(|(piece, _)| {
                    !of_one_piece || expected.iter().any(|(named, _)| named == piece)
                })
                .collect();
            assert_eq!(found, expected, "{name}:{number}");
            cases += 1;
        }
    }
    assert!(cases > 200, "only {cases} cases");
}

/// The piece and the cell that a move names.
fn cell_of(position: &Position, text: &str) -> (Piece, Cell) {
    let Action::Put(piece, spot) = record(&format!("{};pass", text.trim())).plies[0].action else {
        panic!("{text} is no move of a piece")
    };
    let cell = match spot {
        Spot::Alone => Cell::ORIGIN,
        Spot::Beside(reference, side) => position.hive().cell_of(reference).unwrap().step(side),
        Spot::OnTopOf(reference) => position.hive().cell_of(reference).unwrap(),
        Spot::At(hex) => Cell::at(hex),
    };
    (piece, cell)
}

#[test]
fn moves_that_break_a_rule_are_refused() {
    let Some(path) = corpus("vectors/valid-moves/Board_InvalidMovesByRuleTest.csv") else { return };
    let text = fs::read_to_string(path).unwrap();
    let strict = RuleOptions { rules: OpeningRule::Tournament.into(), ..RuleOptions::default() };
    let (mut cases, mut unreadable) = (0, 0);
    for (number, line) in data_lines(&text) {
        let (game, turn) = line.split_once('\t').unwrap();
        cases += 1;
        let source = hivekit::source::Source::new("case", format!("{game};{turn}"));
        match records(&source).remove(0) {
            Err(_) => unreadable += 1,
            Ok(record) => {
                let replayed = Replayer::new(strict).replay(&record);
                let strange = record
                    .findings
                    .iter()
                    .chain(&replayed.findings)
                    .any(|f| f.is_leniency && f.ply == Some(record.plies.len()));
                let fault = replayed.fault;
                assert!(fault.is_some() || strange, "line {number}: {turn} is legal in {game}");
                if let Some(fault) = fault {
                    assert_eq!(fault.ply, Some(record.plies.len()), "line {number}");
                }
            }
        }
    }
    assert_eq!((cases, unreadable), (24, 0));
}

#[test]
fn lines_of_play_from_the_middle_are_counted_right() {
    let Some(path) = corpus("vectors/midgame_perft.json") else { return };
    let cases: Vec<(String, String, Vec<u64>)> =
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(cases.len() > 10);
    for (name, game, counts) in cases {
        let mut position = position(&game);
        for (depth, count) in (0..).zip(counts).filter(|(_, count)| *count < 1_000_000) {
            assert_eq!(perft(&mut position, depth), count, "{name} {depth}");
        }
    }
}

#[test]
fn puzzles_are_won_in_the_given_number_of_plies() {
    let Some(path) = corpus("uhp/puzzles.csv") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut cases = 0;
    for (number, line) in data_lines(&text) {
        // Not a table: a game string, a number of plies and the winning line, which holds blanks too.
        let Some((before, game, plies, line_of_play)) = split_puzzle(line) else { continue };
        let replayed = replay(&format!("{game};{line_of_play}"), RuleOptions::default());
        assert_eq!(replayed.fault, None, "line {number}: {before}");
        let played = replayed.game.turns().len() - record(&game).plies.len();
        assert_eq!(played, plies, "line {number}");
        assert!(replayed.game.outcome().is_some());
        cases += 1;
    }
    assert!(cases > 10, "only {cases} puzzles");
}

/// The last number that stands alone separates game and line.
fn split_puzzle(line: &str) -> Option<(String, String, usize, String)> {
    let (at, plies) = line
        .match_indices(' ')
        .filter_map(|(at, _)| {
            let word = line[at + 1..].split(' ').next()?;
            word.parse().ok().map(|plies| (at, plies))
        })
        .next_back()?;
    let game = line[..at].to_owned();
    let rest = line[at + 1..].split_once(' ')?.1.to_owned();
    Some((line.to_owned(), game, plies, rest))
}

/// Paragraphs of a game string and the moves of some pieces; none where the game is over.
#[test]
fn the_suite_of_one_engine_passes_but_for_its_draw_by_repetition() {
    let Some(path) = corpus("vectors/uhp_tests.txt") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut cases = 0;
    for paragraph in text.split("\n\n") {
        let lines: Vec<&str> = paragraph.lines().filter(|line| !line.starts_with('#')).collect();
        let [game, moves @ ..] = lines.as_slice() else { continue };
        if paragraph.contains("threefold repetition") {
            // A rule of that engine; hivekit reports the repetition and goes on.
            continue;
        }
        let mut position = position(game);
        let moves = moves.first().copied().unwrap_or_default();
        let found: BTreeSet<(Piece, Cell)> =
            position.turns().iter().filter_map(|turn| turn.goes()).collect();
        if moves == "pass" {
            assert_eq!(position.turns(), [Turn::Pass], "{game}");
        } else {
            compare_moves(game, &position, &found, moves);
        }
        cases += 1;
    }
    assert_eq!(cases, 20);
}

/// Compares the moves of the pieces that a list names.
fn compare_moves(name: &str, position: &Position, found: &BTreeSet<(Piece, Cell)>, moves: &str) {
    let expected: BTreeSet<(Piece, Cell)> = moves
        .split(';')
        .filter(|text| !text.is_empty())
        .map(|text| cell_of(position, text))
        .collect();
    let is_named = |piece: Piece| expected.iter().any(|(named, _)| *named == piece);
    // The list of the first turn names kinds, so it holds no piece twice.
    let found: BTreeSet<_> = found.iter().copied().filter(|(piece, _)| is_named(*piece)).collect();
    assert_eq!(found, expected, "{name}");
}

/// Whether the place of a move is told by a covered piece.
fn names_covered(position: &Position, text: &str) -> bool {
    match record(&format!("{text};pass")).plies[0].action {
        Action::Put(_, Spot::OnTopOf(piece) | Spot::Beside(piece, _)) => {
            !position.hive().is_top(piece)
        }
        _ => false,
    }
}

/// Games named by what they show, with valid and invalid moves of one piece.
#[test]
fn the_suite_of_another_engine_passes() {
    let Some(path) = corpus("vectors/strings-from-hive_test.tsv") else { return };
    let text = fs::read_to_string(path).unwrap();
    let table: Vec<(&str, &str)> =
        data_lines(&text).skip(1).filter_map(|(_, line)| line.split_once('\t')).collect();
    let value =
        |name: &str| table.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let mut cases = 0;
    for (name, game) in table.iter().filter(|(name, _)| name.ends_with("_game")) {
        let mut position = position(game);
        let found: BTreeSet<(Piece, Cell)> =
            position.turns().iter().filter_map(|turn| turn.goes()).collect();
        let stem = name.trim_end_matches("_test_game").trim_end_matches("_game");
        if stem == "pillbug" {
            // Its list holds only throws, and only such as are no walks of the same piece.
            let valid = value("pillbug_valid_moves").unwrap();
            let all = valid.split(';').all(|text| found.contains(&cell_of(&position, text)));
            assert!(all, "{name}: {valid}");
            cases += 1;
        } else if let Some(valid) = value(&format!("{stem}_valid_moves")) {
            compare_moves(name, &position, &found, valid);
            cases += 1;
        }
        for text in value(&format!("{stem}_invalid_moves")).iter().flat_map(|list| list.split(';'))
        {
            // That engine takes no covered piece for a reference; hivekit does, with a note.
            if names_covered(&position, text) {
                continue;
            }
            assert!(!found.contains(&cell_of(&position, text)), "{name}: {text}");
            cases += 1;
        }
    }
    assert!(cases > 20, "only {cases} cases");
}

#[test]
fn critical_positions_are_judged_as_their_titles_say() {
    let Some(path) = corpus("vectors/critical_positions.tsv") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut judged = 0;
    for (_, line) in data_lines(&text).skip(1) {
        let [id, _, setup, expect, arg, title] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        // Whether the engine finds the best move is not asked of hivekit.
        if expect.starts_with("bestmove") {
            continue;
        }
        judge(id, setup, expect, arg, title);
        judged += 1;
    }
    assert!(judged >= 30, "only {judged} positions");
}

fn judge(id: &str, setup: &str, expect: &str, arg: &str, title: &str) {
    let mut position = if setup.is_empty() {
        Position::new(GameType::BASE, OpeningRule::Tournament)
    } else {
        position(&format!("{}{setup}", if setup.contains(';') { "" } else { "Base;;;" }))
    };
    let turns = position.turns();
    let goes: BTreeSet<(Piece, Cell)> = turns.iter().filter_map(|turn| turn.goes()).collect();
    let (what, piece) = expect.split_once(' ').unwrap_or((expect, ""));
    match what {
        "move_illegal" => assert!(!goes.contains(&cell_of(&position, arg)), "{id}: {title}"),
        "move_legal" => assert!(goes.contains(&cell_of(&position, arg)), "{id}: {title}"),
        "all_moves_place" => {
            assert!(goes.iter().all(|(moved, _)| moved.to_string() == arg), "{id}: {title}");
        }
        "all_moves_are_placements" => {
            assert!(turns.iter().all(|turn| matches!(turn, Turn::Place { .. })), "{id}: {title}");
        }
        "moves_for_piece" => {
            let expected: BTreeSet<_> = arg
                .split(';')
                .filter(|text| !text.is_empty())
                .map(|text| cell_of(&position, text))
                .collect();
            let found: BTreeSet<_> =
                goes.into_iter().filter(|(moved, _)| moved.to_string() == piece).collect();
            assert_eq!(found, expected, "{id}: {title}");
        }
        "must_pass" => assert_eq!(turns, [Turn::Pass], "{id}: {title}"),
        "game_over" => {
            let outcome = position.outcome().map(|outcome| outcome.to_string());
            assert_eq!(outcome.as_deref(), Some(arg), "{id}: {title}");
        }
        other => panic!("{id}: {other}"),
    }
}

#[test]
fn third_occurrences_are_found_where_they_are() {
    let Some(root) = corpus("pgn/verdicts/hash") else { return };
    let pairs = root.join("../../../sgf-pgn-pairs");
    let hash = |name: &str| root.join(name);
    let cases: [(PathBuf, Option<usize>, Option<usize>); 9] = [
        (hash("invalid/HV-P1513-P9281-2021-07-31-1516.pgn"), Some(34), Some(34)),
        (hash("invalid/shuriken_repeat.pgn"), Some(69), Some(69)),
        (hash("valid/THV-P2586-P9284-2024-03-18-2138.pgn"), None, Some(79)),
        (hash("valid/did_it_repeat.pgn"), None, Some(79)),
        (hash("invalid/repeat.pgn"), Some(12), Some(12)),
        (hash("invalid/repeat2.pgn"), Some(12), Some(12)),
        (pairs.join("U!HV-P6416-Dumbot-2013-04-20-0054.pgn"), None, Some(88)),
        (hash("valid/no_repeat.pgn"), None, None),
        (hash("valid/no_repeat_2.pgn"), None, None),
    ];
    for (path, exact, effective) in cases {
        for (same, expected) in [
            (SamePosition::Exact, exact),
            (SamePosition::Effective, effective),
            (SamePosition::Symmetric, effective),
        ] {
            let options = RuleOptions { same, ..RuleOptions::default() };
            let (_, findings, _) = games(&path, options).remove(0);
            let found =
                findings.iter().find(|finding| finding.code == "repetition").and_then(|f| f.ply);
            assert_eq!(found, expected, "{same:?} {}", path.display());
        }
    }
}

#[test]
fn long_hives_wrap_around_no_edge() {
    let Some(path) = corpus("vectors/uhp_tests.txt") else { return };
    let text = fs::read_to_string(path).unwrap();
    let longest = text
        .lines()
        .filter(|line| line.starts_with("Base"))
        .map(|game| position(game).hive().cells().count())
        .max();
    assert!(longest > Some(20));
}

/// Four of them have Black begin; one is illegal, as its own remark says.
#[test]
fn records_in_the_relative_notation_are_found_among_the_legal_turns() {
    let Some(folder) = corpus("relative-notation") else { return };
    let paths = files(&folder);
    assert_eq!(paths.len(), 6);
    let mut exchanged = 0;
    for path in paths {
        let (game, _, fault) = games(&path, RuleOptions::default()).remove(0);
        exchanged += usize::from(game.tag("FirstColour") == Some("black"));
        if path.ends_with("game2.txt") {
            let fault = fault.expect("it is illegal");
            assert_eq!((fault.ply, fault.code), (Some(25), "no-such-turn"));
        } else {
            assert_eq!(fault, None, "{}", path.display());
            assert!(game.ends_on_board(), "{}", path.display());
        }
    }
    assert_eq!(exchanged, 4);
}
