//! How fast records are read and checked and positions are searched: see `docs/performance.md`.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hivekit::{
    notation::{self, Style},
    replay::{Replayer, RuleOptions},
    rules::{GameType, OpeningRule, Position, RunningKey, perft},
    source::Source,
};
use std::{env, fs, path::PathBuf};

/// Our own games, and the public ones where they are on this machine.
fn archives() -> Vec<(String, Source)> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/bench");
    let mut paths = vec![own.join("Base.uhp"), own.join("Base+MLP.uhp")];
    if let Some(corpus) =
        env::var_os("HIVEKIT_CORPUS").filter(|root| !root.is_empty()).map(PathBuf::from)
    {
        let public = ["uhp/real-games.uhp", "random/Base.uhp", "random/Base+MLP.uhp"];
        paths.extend(public.iter().map(|name| corpus.join(name)));
    }
    paths
        .into_iter()
        .map(|path| {
            let name = path.parent().unwrap().file_name().unwrap().to_string_lossy();
            let name = format!("{name}/{}", path.file_name().unwrap().to_string_lossy());
            (name, Source::new("bench", fs::read_to_string(path).unwrap()))
        })
        .collect()
}

/// The same games as PGN.
fn as_pgn(source: &Source) -> Source {
    let pgn = notation::named("pgn").unwrap();
    let mut replayer = Replayer::new(RuleOptions::default());
    let mut out = Vec::new();
    for record in notation::named("uhp").unwrap().read(source) {
        let game = replayer.replay(&record.unwrap()).game;
        pgn.write(&game, Style::default(), &mut out).unwrap();
        out.extend(pgn.separator().bytes());
    }
    Source::new("bench", String::from_utf8(out).unwrap())
}

fn plies(source: &Source) -> u64 {
    notation::detect(source.text())
        .unwrap()
        .read(source)
        .map(|r| r.unwrap().plies.len() as u64)
        .sum()
}

fn read(c: &mut Criterion) {
    let mut group = c.benchmark_group("read");
    for (name, uhp) in archives() {
        for (kind, source) in [("uhp", &uhp), ("pgn", &as_pgn(&uhp))] {
            group.throughput(Throughput::Elements(plies(source)));
            group.bench_function(BenchmarkId::new(kind, &name), |b| b.iter(|| plies(source)));
        }
    }
}

/// Reading of every notation, in bytes, over our own games.
fn notations(c: &mut Criterion) {
    let mut group = c.benchmark_group("notations");
    let (_, uhp) = archives().remove(1);
    let mut replayer = Replayer::new(RuleOptions::default());
    let records = notation::named("uhp").unwrap().read(&uhp);
    let games: Vec<_> = records.map(|record| replayer.replay(&record.unwrap()).game).collect();
    for notation in notation::ALL {
        let mut text = notation.prologue().as_bytes().to_vec();
        for game in &games {
            notation.write(game, Style::default(), &mut text).unwrap();
            text.extend(notation.separator().bytes());
        }
        let source = Source::new("bench", String::from_utf8(text).unwrap());
        group.throughput(Throughput::Bytes(source.text().len() as u64));
        group.bench_function(notation.name(), |b| b.iter(|| notation.read(&source).count()));
    }
}

fn check(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    for (name, uhp) in archives() {
        for (kind, source) in [("uhp", &uhp), ("pgn", &as_pgn(&uhp))] {
            group.throughput(Throughput::Elements(plies(source)));
            let notation = notation::named(kind).unwrap();
            let mut replayer = Replayer::new(RuleOptions::default());
            group.bench_function(BenchmarkId::new(kind, &name), |b| {
                b.iter(|| {
                    let replayed = notation.read(source).map(|r| replayer.replay(&r.unwrap()));
                    replayed.filter(|replayed| replayed.fault.is_some()).count()
                });
            });
        }
    }
}

/// Positions after 24 and 48 plies of our own games.
fn middle_games() -> Vec<Position> {
    let mut positions = Vec::new();
    for (_, source) in archives().into_iter().take(2) {
        let mut replayer = Replayer::new(RuleOptions::default());
        for record in notation::named("uhp").unwrap().read(&source).take(10) {
            let game = replayer.replay(&record.unwrap()).game;
            let plies = [24, 48].into_iter().filter(|&plies| plies < game.turns().len());
            positions.extend(plies.map(|plies| game.position(plies)));
        }
    }
    positions
}

fn turns(c: &mut Criterion) {
    let mut positions = middle_games();
    let mut group = c.benchmark_group("turns");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("listed", |b| {
        b.iter(|| positions.iter_mut().map(|position| position.turns().len()).sum::<usize>());
    });
    group.bench_function("counted", |b| {
        b.iter(|| positions.iter_mut().map(Position::count_turns).sum::<u64>());
    });
}

fn lines_of_play(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(10);
    for (name, depth) in [("Base", 5), ("Base+MLP", 4)] {
        let game_type: GameType = name.parse().unwrap();
        let mut position = Position::new(game_type, OpeningRule::Tournament);
        group.throughput(Throughput::Elements(perft(&mut position, depth)));
        group.bench_function(BenchmarkId::new("start", name), |b| {
            b.iter(|| perft(&mut position, depth));
        });
    }
    for (at, position) in middle_games().iter_mut().step_by(9).enumerate() {
        group.throughput(Throughput::Elements(perft(position, 2)));
        group.bench_function(BenchmarkId::new("middle", at), |b| b.iter(|| perft(position, 2)));
    }
}

/// The key of each position of our own and the public games: made anew, and kept while games are played, which is to
/// be held against playing alone.
fn keys(c: &mut Criterion) {
    let mut group = c.benchmark_group("keys");
    for (name, source) in archives() {
        let mut replayer = Replayer::new(RuleOptions::default());
        let records = notation::named("uhp").unwrap().read(&source).take(100);
        let games: Vec<_> = records.map(|record| replayer.replay(&record.unwrap()).game).collect();
        let plies =
            || games.iter().flat_map(|game| (0..=game.turns().len()).map(move |ply| (game, ply)));
        let mut positions: Vec<_> = plies()
            .step_by(1 + plies().count() / 500)
            .map(|(game, ply)| game.position(ply))
            .collect();
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(BenchmarkId::new("anew", &name), |b| {
            b.iter(|| {
                positions.iter_mut().map(|position| position.key().first).fold(0, u64::wrapping_add)
            });
        });
        let mut position = Position::new(GameType::BASE, OpeningRule::Any);
        group.throughput(Throughput::Elements(plies().count() as u64));
        for (what, is_kept) in [("played", false), ("played and kept", true)] {
            group.bench_function(BenchmarkId::new(what, &name), |b| {
                b.iter(|| {
                    let mut sum = 0u64;
                    for game in &games {
                        position.restart(game.game_type(), OpeningRule::Any);
                        let mut running = RunningKey::new(&position);
                        for &turn in game.turns() {
                            position.play(turn).unwrap();
                            if is_kept {
                                running.follow(&position);
                                sum = sum.wrapping_add(running.key(&mut position).first);
                            }
                        }
                    }
                    sum
                });
            });
        }
    }
}

criterion_group!(benches, read, notations, check, turns, keys, lines_of_play);
criterion_main!(benches);
