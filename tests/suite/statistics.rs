//! What `stats` says, recomputed from the definitions in a slow way.
use crate::support::{corpus, files, project, records, source};
use hivekit::{
    game::Game,
    hex::Direction,
    position::Same,
    record::{Aside, Remark},
    replay::{Replayer, RuleOptions},
    rules::{Bug, Cell, Color, Outcome, Piece, Position, Turn},
    stats::METRICS,
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command},
};

fn rows(args: &[&str], path: &Path) -> Vec<Value> {
    let run = Command::new(env!("CARGO_BIN_EXE_hivekit"))
        .args(["stats", "--format", "json"])
        .args(args)
        .arg(path)
        .output()
        .unwrap();
    assert_eq!(run.stderr, b"", "{args:?}");
    serde_json::from_slice(&run.stdout).unwrap()
}

fn games(path: &Path) -> Vec<Game> {
    let paths = if path.is_dir() { files(path) } else { vec![path.to_owned()] };
    let mut replayer = Replayer::new(RuleOptions::default());
    paths
        .iter()
        .flat_map(|path| records(&source(path)))
        .map(|record| replayer.replay(&record.unwrap()).game)
        .collect()
}

fn archives() -> Vec<PathBuf> {
    let own = ["testdata/bench/Base.uhp", "testdata/bench/Base+MLP.uhp"].map(project);
    own.into_iter().chain(corpus("boardspace-sgf/2024")).collect()
}

/// How many steps lie between where a piece stands in two positions.
fn distance(piece: Piece, before: &Position, after: &Position) -> u32 {
    let [from, to] = [before, after].map(|position| position.hive().cell_of(piece).unwrap());
    let mut ring = BTreeSet::from([from]);
    for steps in 0.. {
        if ring.contains(&to) {
            return steps;
        }
        let near = |cell: &Cell| Direction::ALL.map(|side| cell.step(side));
        ring = ring.iter().flat_map(near).collect();
    }
    unreachable!()
}

/// Sums by name, each with what it is measured by.
#[derive(Default)]
struct Slow(BTreeMap<&'static str, (f64, f64)>);

impl Slow {
    fn add(&mut self, name: &'static str, value: impl Into<f64>, by: impl Into<f64>) {
        let sum = self.0.entry(name).or_default();
        sum.0 += value.into();
        sum.1 += by.into();
    }

    fn most(&mut self, name: &'static str, value: impl Into<f64>) {
        let most = self.0.entry(name).or_default();
        *most = (most.0.max(value.into()), 1.0);
    }

    fn game(&mut self, game: &Game) {
        let is = |outcome| u32::from(game.outcome() == outcome);
        self.add("games", 1, 1);
        self.add("white", is(Some(Outcome::WhiteWins)), 1);
        self.add("black", is(Some(Outcome::BlackWins)), 1);
        self.add("draw", is(Some(Outcome::Draw)), 1);
        self.add("open", is(None), 1);
        self.add("won", is(Some(Outcome::WhiteWins)), 1);
        self.add("lost", is(Some(Outcome::BlackWins)), 1);
        if game.outcome().is_some() {
            self.add("on_board", u32::from(game.ends_on_board()), 1);
        }
        let plies = u32::try_from(game.turns().len()).unwrap();
        self.add("plies", plies, 1);
        self.most("most_plies", plies);
        self.add("turns", plies, 1);
        let is_unrated = Color::BOTH.iter().any(|&color| game.rating(color).is_none());
        self.add("unrated", u32::from(is_unrated), 1);
        self.add("cut", u32::from(game.is_cut()), 1);
        if game.ends_on_board() {
            // Every last turn moves some piece.
            self.add("decisive", 1, 1);
        }
        let kinds = ["placed", "moved", "abilities", "passes"];
        let mut counts = [0; 4];
        for (ply, turn) in game.turns().iter().enumerate() {
            let kind = match turn {
                Turn::Place { .. } => 0,
                Turn::Walk { .. } => 1,
                Turn::Throw { .. } | Turn::Special(_) => 2,
                Turn::Pass => 3,
            };
            counts[kind] += 1;
            let (before, after) = (game.position(ply), game.position(ply + 1));
            if kind == 0 {
                self.add("placed_turn", u32::try_from(ply / 2 + 1).unwrap(), 1);
            }
            if let Turn::Walk { piece, .. } = turn {
                self.add("distance", distance(*piece, &before, &after), 1);
            }
            self.slips(&before, turn);
            self.before(&mut game.position(ply), turn);
            self.after(&game.position(ply + 1));
        }
        for (name, count) in kinds.into_iter().zip(counts) {
            self.add(name, count, 1);
        }
        self.add("thrown", counts[2], 1);
        self.record(game);
        // They are added to the games one by one, which are counted here.
        self.add("missed_wins", 0, 1);
        self.add("allowed_wins", 0, 1);
        for color in Color::BOTH {
            let queen = game.turns().iter().position(|turn| {
                matches!(turn, Turn::Place { piece, .. } if *piece == Piece::new(color, Bug::Queen, 1))
            });
            if let Some(ply) = queen {
                self.add("queen_turn", u32::try_from(ply / 2 + 1).unwrap(), 1);
            }
            if let Some(rating) = game.rating(color) {
                self.add("rating", u32::try_from(rating).unwrap(), 1);
            }
        }
    }

    /// What the record tells beside the turns, and positions that come again, by their texts.
    fn record(&mut self, game: &Game) {
        let last = |color: Color| {
            let clock = |remark: &Remark| match remark.what {
                Aside::Clock(of, used) if of == color => Some(used),
                _ => None,
            };
            game.remarks().iter().rev().find_map(clock)
        };
        if let (Some(white), Some(black)) = (last(Color::White), last(Color::Black)) {
            self.add("clock_s", u32::try_from(white + black).unwrap(), 1000);
        }
        let mut times: BTreeMap<String, u32> = BTreeMap::new();
        for ply in 0..=game.turns().len() {
            *times.entry(Same::Shifted.name(&mut game.position(ply))).or_default() += 1;
        }
        self.add("repetition", u32::from(times.into_values().any(|times| times >= 3)), 1);
    }

    fn before(&mut self, position: &mut Position, turn: &Turn) {
        let turns = position.turns().iter().filter(|turn| **turn != Turn::Pass).count();
        assert_eq!(*turn == Turn::Pass, turns == 0);
        let turns = u32::try_from(turns).unwrap();
        self.add("mobility", turns, 1);
        self.most("most_mobility", turns);
        for color in Color::BOTH {
            let queen = Piece::new(color, Bug::Queen, 1);
            // Without her the others would be in several groups, and she stands alone on her cell.
            let hive = position.hive();
            let is_pinned = hive.cell_of(queen).is_some_and(|cell| {
                let others: Vec<_> = hive.cells().filter(|&other| other != cell).collect();
                let mut reached: Vec<_> = others.first().copied().into_iter().collect();
                let mut next = 0;
                while let Some(&at) = reached.get(next) {
                    next += 1;
                    for side in Direction::ALL {
                        let to = at.step(side);
                        if others.contains(&to) && !reached.contains(&to) {
                            reached.push(to);
                        }
                    }
                }
                hive.height(cell) == 1 && reached.len() < others.len()
            });
            self.add("pinned", u32::from(is_pinned), 1);
        }
    }

    /// By trying all turns, and all answers to them.
    fn slips(&mut self, before: &Position, taken: &Turn) {
        let side = before.to_move();
        let after = |turn: &Turn| {
            let mut position = before.clone();
            position.play(*turn).unwrap();
            position
        };
        let wins =
            |position: &Position, side: Color| position.outcome() == Some(Outcome::win(side));
        let can_win = |position: &Position, side: Color| {
            position.outcome().is_none()
                && position.clone().turns().iter().any(|turn| {
                    let mut after = position.clone();
                    after.play(*turn).unwrap();
                    wins(&after, side)
                })
        };
        let is_lost = |turn: &Turn| {
            let position = after(turn);
            wins(&position, side.other()) || can_win(&position, side.other())
        };
        let turns = before.clone().turns();
        if !wins(&after(taken), side) && turns.iter().any(|turn| wins(&after(turn), side)) {
            self.add("missed_wins", 1, 0);
        }
        if is_lost(taken) && !turns.iter().all(is_lost) {
            self.add("allowed_wins", 1, 0);
        }
    }

    fn after(&mut self, position: &Position) {
        let hive = position.hive();
        let stacks = hive.cells().map(|cell| hive.stack(cell).len());
        self.add(
            "covered",
            u32::try_from(stacks.map(|height| height - 1).sum::<usize>()).unwrap(),
            1,
        );
        let highest = hive.cells().map(|cell| hive.stack(cell).len()).max().unwrap();
        self.add("stacked", u32::from(highest > 1), 1);
        self.most("highest", u32::try_from(highest).unwrap());
        for color in Color::BOTH {
            if let Some(cell) = hive.cell_of(Piece::new(color, Bug::Queen, 1)) {
                let sides = Direction::ALL;
                let around =
                    sides.iter().filter(|&&side| hive.is_occupied(cell.step(side))).count();
                self.add("queen_neighbours", u32::try_from(around).unwrap(), 1);
            }
        }
    }
}

#[test]
fn metrics_are_as_they_are_defined() {
    let names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
    for archive in archives() {
        let found = rows(&["--by", "type", "--metrics", &names.join(",")], &archive);
        let mut by_type: BTreeMap<String, Slow> = BTreeMap::new();
        for game in games(&archive) {
            by_type.entry(game.game_type().to_string()).or_default().game(&game);
        }
        assert_eq!(found.len(), by_type.len());
        for (row, (game_type, slow)) in found.iter().zip(by_type) {
            assert_eq!(row["type"], game_type.as_str());
            for metric in METRICS {
                let expected = slow.0.get(metric.name).map(|&(sum, by)| match metric.kind {
                    hivekit::stats::Kind::Ratio => (sum / by * 1000.0).round() / 1000.0,
                    _ => sum,
                });
                let name = format!("{}, {game_type}, {}", archive.display(), metric.name);
                match expected {
                    None => assert!(row[metric.name].is_null(), "{name}"),
                    Some(expected) => {
                        let found = row[metric.name].as_f64().unwrap();
                        assert!((found - expected).abs() < 0.0011, "{name}: {found}, {expected}");
                    }
                }
            }
        }
    }
}

/// What each piece of a game does, found turn by turn.
fn pieces_of(game: &Game) -> BTreeMap<String, Slow> {
    let game_type = game.game_type();
    let numbering = game.numbering();
    let name = |piece: Piece| game_type.name(piece).to_string()[1..].to_owned();
    let mut of: BTreeMap<String, Slow> = BTreeMap::new();
    let pieces = Bug::ALL.iter().flat_map(|&bug| game_type.pieces_of(Color::White, bug));
    for piece in pieces {
        let one = of.entry(name(piece)).or_default();
        for what in ["placed", "moved", "abilities", "thrown"] {
            one.add(what, 0, 1);
        }
        one.add("covered", 0, u32::try_from(game.turns().len()).unwrap());
        one.add("decisive", 0, u32::from(game.ends_on_board()));
    }
    for (ply, turn) in game.turns().iter().enumerate() {
        let (before, after) = (game.position(ply), game.position(ply + 1));
        let mut add = |piece: Piece, what: &'static str, value: u32, by: u32| {
            of.get_mut(&name(numbering.name(piece))).unwrap().add(what, value, by);
        };
        match *turn {
            Turn::Place { piece, .. } => {
                add(piece, "placed", 1, 0);
                add(piece, "placed_turn", u32::try_from(ply / 2 + 1).unwrap(), 1);
            }
            Turn::Walk { piece, .. } => {
                add(piece, "moved", 1, 0);
                add(piece, "distance", distance(piece, &before, &after), 1);
            }
            Turn::Throw { actor, piece, .. } => {
                add(actor, "abilities", 1, 0);
                add(piece, "thrown", 1, 0);
            }
            Turn::Special(_) | Turn::Pass => {}
        }
        if let Some((piece, _)) = turn.goes().filter(|_| ply + 1 == game.turns().len()) {
            add(piece, "decisive", u32::from(game.ends_on_board()), 0);
        }
        for piece in Color::BOTH.iter().flat_map(|&color| after.hive().pieces(color)) {
            add(piece, "covered", u32::from(!after.hive().is_top(piece)), 0);
        }
    }
    of
}

#[test]
fn pieces_are_counted_by_what_they_do() {
    let names = "placed,placed_turn,moved,distance,abilities,thrown,covered,decisive";
    for archive in archives() {
        let mut slow: BTreeMap<(String, String), Slow> = BTreeMap::new();
        for game in games(&archive) {
            for (piece, one) in pieces_of(&game) {
                let all = slow.entry((game.game_type().to_string(), piece)).or_default();
                one.0.into_iter().for_each(|(name, (value, by))| all.add(name, value, by));
            }
        }
        let found = rows(&["--by", "type,piece", "--metrics", names], &archive);
        assert_eq!(found.len(), slow.len());
        for row in found {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            let slow = &slow[&(text("type"), text("piece"))];
            for name in names.split(',') {
                let (sum, by) = slow.0.get(name).copied().unwrap_or_default();
                let is_right = match row[name].as_f64() {
                    None => by == 0.0,
                    Some(found) => (found - sum / by).abs() < 0.0011,
                };
                assert!(is_right, "{}: {row}, {name}: {sum} by {by}", archive.display());
            }
        }
    }
}

/// Plies, cells and neighbours divide the plies of games among them.
#[test]
fn parts_of_games_make_the_whole() {
    for archive in archives() {
        let sum = |by: &str, metric: &str| -> u64 {
            let rows = rows(&["--by", by, "--metrics", &format!("games,{metric}")], &archive);
            rows.iter().map(|row| row[metric].as_u64().unwrap()).sum()
        };
        let games = games(&archive);
        let plies = games.iter().map(|game| game.turns().len() as u64).sum::<u64>();
        for by in ["type", "ply:1", "ply:7", "ply:1000", "colour", "colour,ply:10", "tiles"] {
            assert_eq!(sum(by, "turns"), plies, "{by}");
        }
        let passes = |game: &Game| game.turns().iter().filter(|turn| **turn == Turn::Pass).count();
        let passes = games.iter().map(passes).sum::<usize>() as u64;
        for by in ["cell", "kind,cell", "piece,cell"] {
            assert_eq!(sum(by, "turns"), plies - passes, "{by}");
        }
        let with_queen = |game: &Game, color: Color| {
            let queen = Piece::new(color, Bug::Queen, 1);
            let placed = game.turns().iter().position(|turn| turn.placed() == Some(queen));
            placed.map_or(0, |ply| game.turns().len() - ply) as u64
        };
        let both =
            |game: &Game| Color::BOTH.map(|color| with_queen(game, color)).iter().sum::<u64>();
        assert_eq!(sum("colour,around", "turns"), games.iter().map(both).sum::<u64>());
        for by in ["queen_placed", "tiles", "colour,queen_placed"] {
            assert_eq!(sum(by, "white"), 2 * sum("type", "white"), "{by}");
        }
    }
}

/// However games are grouped, all of them are counted.
#[test]
fn totals_agree_between_groups() {
    for archive in archives() {
        let all = games(&archive).len() as u64;
        for (by, times) in [
            ("type", 1),
            ("result", 1),
            ("opening,result", 1),
            ("year,month,cause", 1),
            ("length:10", 1),
            ("file", 1),
            ("tag:White", 1),
            ("colour", 2),
            ("player", 2),
            ("player,opponent,colour", 2),
        ] {
            let rows = rows(&["--by", by, "--metrics", "games,white,draw,black,open"], &archive);
            let sum = |name: &str| rows.iter().map(|row| row[name].as_u64().unwrap()).sum::<u64>();
            assert_eq!(sum("games"), times * all, "{by}");
            let ends = ["white", "draw", "black", "open"].map(sum);
            assert_eq!(ends.iter().sum::<u64>(), times * all, "{by}");
        }
        let one = |args: &[&str]| rows(args, &archive);
        let white = one(&["--by", "result", "--where", "result == white"]);
        let counted = white.iter().map(|row| row["games"].as_u64().unwrap()).sum::<u64>();
        let won =
            games(&archive).iter().filter(|g| g.outcome() == Some(Outcome::WhiteWins)).count();
        assert_eq!(counted, won as u64);
    }
}

/// The sums of all shards, whatever their number, make the report of all games at once, byte for byte.
#[test]
fn shards_make_the_whole() {
    let folder = env::temp_dir().join(format!("hivekit-shards-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let names = ["testdata/games", "testdata/bench/Base.uhp", "testdata/bench/Base+MLP.uhp"];
    let paths = names.map(project);
    let stats = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hivekit"));
        command.arg("stats").args(args);
        command
    };
    let shown: [&[&str]; 3] = [&["--format", "csv"], &["--sort", "plies", "--top", "3"], &[]];
    for by in [&["--by", "player,length:10,tag:Event"][..], &["--by", "opening,result"], &[]] {
        for shards in [1, 3, 64] {
            let parts: Vec<_> = (1..=shards)
                .map(|number| {
                    let shard = format!("{number}/{shards}");
                    let dealt = if shards == 3 { "blocks" } else { "files" };
                    let mut command = stats(by);
                    let shard = ["--partial", "--shard", &shard, "--shard-by", dealt];
                    let run = command.args(shard).args(&paths);
                    let part = folder.join(format!("{number}-{shards}.json"));
                    fs::write(&part, run.output().unwrap().stdout).unwrap();
                    part
                })
                .collect();
            for shown in shown.iter().filter(|shown| !by.is_empty() || shown.is_empty()) {
                let whole = stats(by).args(*shown).args(&paths).output().unwrap();
                let merged = stats(&[]).args(*shown).arg("--merge").args(&parts).output().unwrap();
                assert_eq!(merged.stderr, b"");
                assert!(whole.stdout.len() > 100);
                assert_eq!(merged.stdout, whole.stdout, "{by:?}, {shards} shards");
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Parts are only put together where they are of one report, of the same kind of games, and each once.
#[test]
fn parts_know_what_they_are_of() {
    let folder = env::temp_dir().join(format!("hivekit-parts-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let paths = ["testdata/games", "testdata/bench/Base.uhp"].map(project);
    let stats = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hivekit"));
        command.arg("stats").args(args);
        command
    };
    // Parts of different reports are not put together, and what is no part is told.
    let (one, other) = (folder.join("one.json"), folder.join("other.json"));
    for (part, by) in [(&one, "type"), (&other, "year")] {
        let run = stats(&["--by", by, "--partial"]).arg(&paths[1]).output().unwrap();
        fs::write(part, run.stdout).unwrap();
    }
    let broken = folder.join("broken.json");
    fs::write(&broken, "{\"hivekit_stats\":1,\"metrics\":[],\"groupings\":[]}").unwrap();
    for (parts, expected) in [
        ([&one, &other], "of another report, or by other keys"),
        ([&one, &broken], "another version"),
        ([&one, &paths[1]], "no part"),
    ] {
        let run = stats(&["--merge"]).args(parts).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(said.contains(expected), "{said}");
        assert_eq!(run.status.code(), Some(2));
    }
    // Shares that are there twice, are missing, or were chosen in another way, are told.
    let part = |name: &str, more: &[&str]| {
        let run = stats(&["--by", "type", "--partial"]).args(more).args(&paths).output().unwrap();
        let part = folder.join(name);
        fs::write(&part, run.stdout).unwrap();
        part
    };
    let one = part("1.json", &["--shard", "1/2"]);
    let two = part("2.json", &["--shard", "2/2"]);
    let short = part("3.json", &["--shard", "2/2", "--max-plies", "40"]);
    let drawn = part("4.json", &["--shard", "2/2", "--repetition", "draw"]);
    let blocks = part("5.json", &["--shard", "2/2", "--shard-by", "blocks"]);
    let merged = |parts: &[&PathBuf]| stats(&["--merge"]).args(parts).output().unwrap();
    assert!(merged(&[&one, &two]).status.success());
    for (parts, expected) in [
        (&[&one, &one][..], "share 1 is there twice"),
        (&[&one], "of 2 shares there are missing: 2"),
        (&[&one, &short], "chosen by other filters"),
        (&[&one, &drawn], "chosen by other filters"),
        (&[&one, &blocks], "divided in another way"),
    ] {
        let run = merged(parts);
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(said.contains(expected), "{said}");
        assert_eq!(run.status.code(), Some(2));
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// The results of public games are those that their records tell in prose, by the name of the winner; where a guest's name is
/// translated there, by the board.
#[test]
fn results_are_those_of_the_records() {
    let Some(archive) = corpus("boardspace-sgf/2024") else { return };
    let found = rows(&["--by", "file,result", "--metrics", "games"], &archive);
    let results: BTreeMap<String, String> = found
        .iter()
        .map(|row| ["file", "result"].map(|name| row[name].as_str().unwrap().to_owned()))
        .map(|[file, result]| (file, result))
        .collect();
    let (mut told, mut by_board) = (0, 0);
    for path in files(&archive) {
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let value = |start: &str, end: &str| {
            let (_, rest) = text.split_once(start)?;
            Some(rest.split_once(end)?.0.to_owned())
        };
        let players = ["P0[id \"", "P1[id \""].map(|start| value(start, "\"").unwrap());
        let prose = value("\nRE[", "]").unwrap();
        let named = players.iter().enumerate().filter(|(_, name)| prose.contains(name.as_str()));
        let winner = named.max_by_key(|(_, name)| name.len()).map(|(at, _)| ["white", "black"][at]);
        let result = results[&path.to_string_lossy().into_owned()].as_str();
        match winner {
            Some(winner) => assert_eq!(result, winner, "{}: {prose}", path.display()),
            None if result == "draw" => {}
            None => by_board += 1,
        }
        told += usize::from(winner.is_some());
    }
    assert!(told > 390 && by_board < 12, "{told}, {by_board}");
}
