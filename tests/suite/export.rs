//! Tables of `export`: against the games, against each other, and in every form.
use crate::support::{corpus, files, project, records, source};
use hivekit::{
    export::{TABLES, as_json_schema, as_sql},
    game::Game,
    position::{self, Same},
    replay::{Replayer, RuleOptions},
    rules::{Color, Options, Outcome, Turn},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command, Output},
};

fn run(args: &[&str], paths: &[&Path]) -> Output {
    let run = Command::new(env!("CARGO_BIN_EXE_hivekit"))
        .arg("export")
        .args(args)
        .args(paths)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.is_empty(), "{args:?}: {said}");
    run
}

/// The rows of a table.
fn rows(table: &str, path: &Path, more: &[&str]) -> Vec<Value> {
    let args = [&["--table", table, "--format", "ndjson"], more].concat();
    let out = run(&args, &[path]).stdout;
    let lines = String::from_utf8(out).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn games(path: &Path) -> Vec<Game> {
    let paths = if path.is_dir() { files(path) } else { vec![path.to_owned()] };
    let mut replayer = Replayer::new(RuleOptions::default());
    let records = paths.iter().flat_map(|path| records(&source(path)));
    records.map(|record| replayer.replay(&record.unwrap()).game).collect()
}

fn archives() -> Vec<PathBuf> {
    let own = ["testdata/bench/Base+MLP.uhp", "testdata/games/gates"].map(project);
    own.into_iter().filter(|path| path.exists()).chain(corpus("boardspace-sgf/2024")).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("hivekit-{name}-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn games_are_told_as_they_are() {
    for archive in archives() {
        let (rows, games) = (rows("games", &archive, &[]), games(&archive));
        assert_eq!(rows.len(), games.len());
        for (row, game) in rows.iter().zip(&games) {
            let text = |name: &str| row[name].as_str().unwrap_or_default();
            let number = |name: &str| row[name].as_u64().unwrap();
            assert_eq!(text("game"), format!("{}#{}", text("file"), number("number")));
            for (name, tag) in [("white", "White"), ("black", "Black"), ("date", "Date")] {
                assert_eq!(text(name), game.tag(tag).unwrap_or_default());
            }
            let tags: BTreeMap<String, String> = serde_json::from_str(text("tags")).unwrap();
            assert!(tags.iter().all(|(name, value)| game.tag(name) == Some(value.as_str())));
            let won = match game.outcome() {
                Some(Outcome::WhiteWins) => "white",
                Some(Outcome::BlackWins) => "black",
                Some(Outcome::Draw) => "draw",
                None => "open",
            };
            assert_eq!(text("result"), won);
            assert_eq!(text("type"), game.game_type().to_string());
            let acts = ["placed", "moved", "abilities", "passes"].map(number);
            assert_eq!(number("plies"), game.turns().len() as u64);
            assert_eq!(acts.iter().sum::<u64>(), number("plies"));
            let mut last = game.position(game.turns().len());
            assert_eq!(text("key"), format!("{:#}", last.key()));
            // The text is a game string of the same game.
            let again = hivekit::source::Source::new("uhp", text("uhp"));
            let record = records(&again).into_iter().next().unwrap().unwrap();
            assert_eq!(
                Replayer::new(RuleOptions::default()).replay(&record).game.turns().len(),
                game.turns().len()
            );
            // What begins at the offset is the game.
            let bytes = fs::read(text("file")).unwrap();
            let begin = usize::try_from(number("byte_offset")).unwrap();
            let line = bytes[..begin].split(|&byte| byte == b'\n').count() as u64;
            assert_eq!(line, number("line"), "{row}");
            assert!(begin == 0 || !bytes[begin].is_ascii_whitespace(), "{row}");
        }
    }
}

#[test]
fn plies_are_told_as_they_are() {
    for archive in archives() {
        let mut plies = rows("plies", &archive, &["--slips"]).into_iter();
        for game in games(&archive) {
            for (at, turn) in game.turns().iter().enumerate() {
                let row = plies.next().unwrap();
                let (mut before, mut after) = (game.position(at), game.position(at + 1));
                assert_eq!(row["ply"], at as u64 + 1);
                assert_eq!(row["kind"], turn.kind());
                let legal = before.turns().iter().filter(|turn| **turn != Turn::Pass).count();
                assert_eq!(row["legal"], legal as u64);
                assert_eq!(row["key"], format!("{:#}", after.key()));
                let (hive, moved) = (after.hive(), turn.goes());
                if let Some((piece, cell)) = moved {
                    assert_eq!(row["piece"], piece.to_string());
                    let hex = hive.cell_of(piece).unwrap().hex();
                    assert_eq!(
                        (row["to_q"].as_i64(), row["to_r"].as_i64()),
                        (Some(hex.q.into()), Some(hex.r.into()))
                    );
                    assert_eq!(row["to_height"], u64::from(hive.height(cell)) - 1);
                    let from = before.hive().cell_of(piece).map(|cell| i64::from(cell.hex().q));
                    assert_eq!(row["from_q"].as_i64(), from);
                }
                let words = row["text"].as_str().unwrap();
                assert_eq!(words.split(' ').next().unwrap() == "pass", moved.is_none());
                for (color, name) in
                    [(Color::White, "white_neighbours"), (Color::Black, "black_neighbours")]
                {
                    assert_eq!(row[name].as_u64(), after.around_queen(color).map(u64::from));
                }
                assert!(row["misses_win"].is_boolean() && row["allows_win"].is_boolean());
            }
        }
        assert!(plies.next().is_none());
    }
}

/// Positions are those of the games, found by their texts.
#[test]
fn positions_are_those_of_the_games() {
    for archive in archives() {
        let mut slow: BTreeMap<String, [u64; 3]> = BTreeMap::new();
        for game in games(&archive) {
            let mut found = BTreeSet::new();
            for ply in 0..=game.turns().len() {
                found.insert(Same::Turned.name(&mut game.position(ply)));
            }
            let is = |outcome| u64::from(game.outcome() == Some(outcome));
            for text in found {
                let sums = slow.entry(text).or_default();
                let add = [1, is(Outcome::WhiteWins), is(Outcome::Draw)];
                sums.iter_mut().zip(add).for_each(|(sum, one)| *sum += one);
            }
        }
        let found = rows("positions", &archive, &[]);
        assert_eq!(found.len(), slow.len());
        let keys: Vec<&str> = found.iter().map(|row| row["key"].as_str().unwrap()).collect();
        assert!(keys.is_sorted_by(|one, other| one < other));
        for row in &found {
            let text = row["text"].as_str().unwrap();
            let sums = ["games", "white", "draw"].map(|name| row[name].as_u64().unwrap());
            assert_eq!(slow[text], sums, "{row}");
            let form = position::named("hivekit").or_else(|| position::detect(text)).unwrap();
            let mut position = form.read(text, Options::default()).unwrap();
            assert_eq!(row["key"], format!("{:#}", position.key()));
        }
    }
}

/// However little memory there is, and however many threads and shards.
#[test]
fn rows_do_not_depend_on_how_they_are_made() {
    let archive = project("testdata/bench/Base+MLP.uhp");
    let of = |args: &[&str]| run(&[&["--table", "positions"], args].concat(), &[&archive]).stdout;
    let whole = of(&[]);
    let folder = folder("room");
    let tmp = folder.to_str().unwrap();
    assert_eq!(of(&["--memory", "1", "--tmp-dir", tmp, "--jobs", "1"]), whole);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "temporary files stay behind");

    // A file of several blocks.
    let large = folder.join("large.uhp");
    fs::write(&large, fs::read_to_string(&archive).unwrap().repeat(8)).unwrap();
    let paths = [project("testdata/games"), project("testdata/bench"), large];
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let whole = String::from_utf8(run(&["--format", "ndjson"], &paths).stdout).unwrap();
    let mut whole: Vec<&str> = whole.lines().collect();
    whole.sort_unstable();
    for dealt in ["files", "blocks"] {
        let mut parts: Vec<String> = Vec::new();
        for number in 1..=3 {
            let shard = format!("{number}/3");
            let shard = ["--format", "ndjson", "--shard", &shard, "--shard-by", dealt];
            let out = String::from_utf8(run(&shard, &paths).stdout).unwrap();
            let is_small = out.lines().count() < whole.len() / 2;
            assert!(is_small || dealt == "files", "{number}");
            parts.extend(out.lines().map(str::to_owned));
        }
        parts.sort();
        assert_eq!(parts, whole, "{dealt}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Rows are as the schema says.
#[test]
fn rows_fit_the_schema() {
    let archive = project("testdata/bench/Base+MLP.uhp");
    for table in TABLES {
        let schema = as_json_schema(&[table]);
        let printed = run(&["--table", table.name, "--schema", "json"], &[]).stdout;
        assert_eq!(serde_json::from_slice::<Value>(&printed).unwrap(), schema);
        let validator = jsonschema::validator_for(&schema).unwrap();
        for row in rows(table.name, &archive, &[]).iter().chain(&rows(
            table.name,
            &project("testdata/games"),
            &[],
        )) {
            let wrong: Vec<_> = validator.iter_errors(row).map(|error| error.to_string()).collect();
            assert!(wrong.is_empty(), "{row}: {wrong:?}");
        }
        let sql = run(&["--table", table.name, "--schema", "sql"], &[]).stdout;
        assert_eq!(String::from_utf8(sql).unwrap(), as_sql(table));
    }
}

/// The same rows in other forms.
#[test]
fn forms_say_the_same() {
    let archive = project("testdata/bench/Base+MLP.uhp");
    for table in TABLES {
        let expected = rows(table.name, &archive, &[]);
        for (format, delimiter) in [("csv", b','), ("tsv", b'\t')] {
            let out = run(&["--table", table.name, "--format", format], &[&archive]).stdout;
            let mut reader = csv::ReaderBuilder::new()
                .delimiter(delimiter)
                .quoting(format == "csv")
                .from_reader(&out[..]);
            let heads = reader.headers().unwrap().clone();
            let found: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            assert_eq!(found.len(), expected.len());
            for (record, row) in found.iter().zip(&expected) {
                for (head, value) in heads.iter().zip(record) {
                    let said = match &row[head] {
                        Value::Null => String::new(),
                        Value::String(text) => text.clone(),
                        other => other.to_string(),
                    };
                    assert_eq!(value, said, "{head}");
                }
            }
        }
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn databases_say_the_same() {
    use rusqlite::{Connection, types::ValueRef};

    let (archive, folder) = (project("testdata/bench/Base+MLP.uhp"), folder("sqlite"));
    let path = folder.join("hive.sqlite");
    run(&["--table", "games,plies,positions", "-o", path.to_str().unwrap()], &[&archive]);
    let connection = Connection::open(&path).unwrap();
    for table in TABLES {
        let mut statement = connection.prepare(&format!("SELECT * FROM {}", table.name)).unwrap();
        let mut found = statement.query([]).unwrap();
        for row in rows(table.name, &archive, &[]) {
            let stored = found.next().unwrap().unwrap();
            for field in table.fields {
                let same = match (stored.get_ref(field.name).unwrap(), &row[field.name]) {
                    (ValueRef::Null, value) => value.is_null(),
                    (ValueRef::Integer(number), Value::Bool(flag)) => number == i64::from(*flag),
                    (ValueRef::Integer(number), value) => value.as_i64() == Some(number),
                    (ValueRef::Text(text), value) => {
                        value.as_str().map(str::as_bytes) == Some(text)
                    }
                    _ => false,
                };
                assert!(same, "{}: {row}", field.name);
            }
        }
        assert!(found.next().unwrap().is_none());
    }
    // The statements that are printed make the same tables.
    let other = Connection::open_in_memory().unwrap();
    TABLES.iter().for_each(|table| other.execute_batch(&as_sql(table)).unwrap());
    fs::remove_dir_all(&folder).unwrap();
}

/// Parquet and Arrow, with rows in several groups, and divided among folders.
#[cfg(feature = "parquet")]
#[test]
fn columns_say_the_same() {
    use arrow_array::{Array, BooleanArray, Int64Array, RecordBatch, StringArray};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    fn values(batch: &RecordBatch) -> Vec<Value> {
        let schema = batch.schema();
        let value = |column: usize, row: usize| {
            let column = batch.column(column);
            let any = column.as_any();
            if column.is_null(row) {
                Value::Null
            } else if let Some(texts) = any.downcast_ref::<StringArray>() {
                texts.value(row).into()
            } else if let Some(numbers) = any.downcast_ref::<Int64Array>() {
                numbers.value(row).into()
            } else {
                any.downcast_ref::<BooleanArray>().unwrap().value(row).into()
            }
        };
        let row = |row: usize| {
            let fields = schema.fields().iter().enumerate();
            fields.map(|(at, field)| (field.name().clone(), value(at, row))).collect()
        };
        (0..batch.num_rows()).map(|at| Value::Object(row(at))).collect()
    }

    let (archive, folder) = (project("testdata/bench/Base+MLP.uhp"), folder("parquet"));
    for table in TABLES {
        let expected = rows(table.name, &archive, &[]);
        let path = folder.join(format!("{}.parquet", table.name));
        let name = path.to_str().unwrap();
        run(&["--table", table.name, "--row-group", "1000", "-o", name], &[&archive]);
        let reader =
            ParquetRecordBatchReaderBuilder::try_new(fs::File::open(&path).unwrap()).unwrap();
        let groups = reader.metadata().num_row_groups();
        assert_eq!(groups, expected.len().div_ceil(1000), "{}", table.name);
        let found: Vec<Value> =
            reader.build().unwrap().flat_map(|batch| values(&batch.unwrap())).collect();
        assert_eq!(found, expected);
        let out = run(&["--table", table.name, "--format", "arrow"], &[&archive]).stdout;
        let reader = arrow_ipc::reader::StreamReader::try_new(&out[..], None).unwrap();
        let found: Vec<Value> = reader.flat_map(|batch| values(&batch.unwrap())).collect();
        assert_eq!(found, expected);
    }
    let root = folder.join("divided");
    let args = ["--table", "games,plies", "--format", "parquet", "--partition", "year,type", "-o"];
    run(&[&args[..], &[root.to_str().unwrap()]].concat(), &[&archive, &project("testdata/games")]);
    let found: BTreeSet<String> = files(&root.join("games"))
        .iter()
        .map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned())
        .collect();
    let none = "games/year=__HIVE_DEFAULT_PARTITION__/type=Base+MLP/part.parquet";
    assert!(found.contains(none) && found.len() > 2, "{found:?}");
    fs::remove_dir_all(&folder).unwrap();
}
