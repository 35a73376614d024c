//! The recipes of `docs/pipelines.md` and `docs/scaling.md`, run as they stand there.
use crate::support::project;
use hivekit::export::{GAMES, Kind, PLIES, POSITIONS, Table};
use std::{
    env,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{self, Command},
};

/// The tables that are exported.
const TABLES: [&Table; 3] = [&GAMES, &PLIES, &POSITIONS];

/// Programs that recipes use, and whether a machine that runs all tests has them.
const TOOLS: &[(&str, bool)] = &[
    ("jq", true),
    ("mlr", true),
    ("duckdb", true),
    ("sqlite3", true),
    ("gnuplot", true),
    ("parallel", true),
    ("spark-submit", true),
    ("qsv", false),
    ("xan", false),
];

fn has(tool: &str) -> bool {
    let paths = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&paths).any(|folder| folder.join(tool).is_file())
}

/// Whether a script can be run here; else says why not.
fn can_run(name: &str, script: &str) -> bool {
    let uses = |tool: &str| script.split_whitespace().any(|word| word == tool);
    let missing = TOOLS.iter().find(|(tool, _)| uses(tool) && !has(tool));
    if let Some((tool, is_promised)) = missing {
        let is_full = env::var_os("HIVEKIT_TOOLS").is_some_and(|full| !full.is_empty());
        assert!(!is_promised || !is_full, "{tool} is missing");
        let _ = writeln!(io::stderr(), "skipped: {name}: {tool} is not on this machine");
        return false;
    }
    // Without a feature nothing is written in its form.
    let needs = |word: &str, is_there: bool| !is_there && script.contains(word);
    !needs("parquet", cfg!(feature = "parquet"))
        && !needs("arrow", cfg!(feature = "parquet"))
        && !needs("-o hive.sqlite", cfg!(feature = "sqlite"))
        && !needs("-o plies.sqlite", cfg!(feature = "sqlite"))
}

/// A folder with an archive in it, as the recipes have it.
fn workplace(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("hivekit-{name}-{}", process::id()));
    fs::create_dir_all(folder.join("archive")).unwrap();
    for part in ["bench", "games"] {
        copy(&project("testdata").join(part), &folder.join("archive").join(part));
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = {
            let entry = entry.unwrap();
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// A command that finds hivekit first.
fn command(program: &str, folder: &Path) -> Command {
    let own = Path::new(env!("CARGO_BIN_EXE_hivekit")).parent().unwrap().to_owned();
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = env::join_paths([own].into_iter().chain(env::split_paths(&paths))).unwrap();
    let mut command = Command::new(program);
    command.current_dir(folder).env("PATH", paths).env("LC_ALL", "C");
    command
}

/// The parts of a page: those outside of scripts, and scripts, each with what stands below it.
fn run_page(page: &str) {
    let path = project(page);
    let text = fs::read_to_string(&path).unwrap();
    let mut parts = text.split("```sh\n");
    let mut fresh = parts.next().unwrap().to_owned();
    let mut scripts = 0;
    for part in parts {
        let (script, rest) = part.split_once("```\n").unwrap();
        let (shown, rest) = match rest.strip_prefix("\n```text\n") {
            Some(below) => below.split_once("```\n").unwrap(),
            None => ("", rest),
        };
        scripts += 1;
        let name = format!("{page}, recipe {scripts}");
        let found = if can_run(&name, script) { run(&name, script) } else { shown.to_owned() };
        let _ = write!(fresh, "```sh\n{script}```\n");
        if !found.is_empty() {
            let _ = write!(fresh, "\n```text\n{found}```\n");
        }
        if env::var_os("UPDATE_DOCS").is_none() {
            assert_eq!(found, shown, "{name}: {script}");
        }
        fresh.push_str(rest);
    }
    assert!(scripts > 2);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, fresh).unwrap();
    }
}

fn run(name: &str, script: &str) -> String {
    let folder = workplace(&name.replace(['/', ' ', ','], "-"));
    // No pipefail: `head` may end a pipe early.
    let run = command("bash", &folder).args(["-euc", script]).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{name}: {script}\n{said}");
    fs::remove_dir_all(&folder).unwrap();
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn recipes_print_what_stands_below_them() {
    run_page("docs/pipelines.md");
}

#[test]
fn shares_are_put_together_as_the_page_says() {
    run_page("docs/scaling.md");
}

/// The job for Spark, with several workers, against single runs.
#[test]
fn spark_finds_what_one_run_finds() {
    if !can_run("docs/scaling.md, the job", "spark-submit --packages parquet") {
        return;
    }
    let page = fs::read_to_string(project("docs/scaling.md")).unwrap();
    let job = page.split_once("```python\n").unwrap().1.split_once("```").unwrap().0;
    let folder = workplace("spark");
    let large = fs::read_to_string(project("testdata/bench/Base+MLP.uhp")).unwrap();
    fs::write(folder.join("archive/large.uhp"), large.repeat(4)).unwrap();
    // Some of it is wrong.
    let wrong = project("testdata/notation/uhp/invalid");
    copy(&wrong, &folder.join("archive/wrong"));
    fs::write(folder.join("job.py"), job).unwrap();
    let job = ["--master", "local[3]", "job.py", "archive", "5", "out"];
    let run = command("spark-submit", &folder).args(job).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let written = |name: &str| fs::read_to_string(folder.join("out").join(name)).unwrap();
    let single = |args: &[&str]| {
        let run = command("hivekit", &folder).args(args).arg("archive").output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    let findings = single(&["check", "--quiet", "--no-config", "--format", "ndjson"]);
    let mut findings: Vec<&str> =
        findings.lines().filter(|line| line.contains("\"code\"")).collect();
    findings.sort_unstable();
    assert!(findings.len() > 10);
    assert_eq!(written("findings.ndjson"), findings.join("\n") + "\n");
    let results = single(&["stats", "--by", "type,result", "--format", "csv"]);
    assert_eq!(written("results.csv"), results);
    let mut acts = std::collections::BTreeMap::new();
    let plies = single(&["export", "--table", "plies"]);
    let mut plies = csv::Reader::from_reader(plies.as_bytes());
    for row in plies.records() {
        let row = row.unwrap();
        *acts.entry(format!("{},{}", &row[3], &row[4])).or_insert(0) += 1;
    }
    let mut table = "colour,act,count\n".to_owned();
    for (act, count) in acts {
        let _ = writeln!(table, "{act},{count}");
    }
    assert_eq!(written("acts.csv"), table);
    fs::remove_dir_all(&folder).unwrap();
}

/// `DuckDB` and Spark see the columns of Parquet files that the schema promises, and Miller those of csv.
#[test]
fn readers_see_the_columns_of_the_schema() {
    const SPARK: &str = "
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
for path in sys.argv[1:]:
    for field in spark.read.parquet(path).schema:
        print('column', field.name, field.dataType.simpleString())
spark.stop()
";
    if !can_run("columns", "spark-submit duckdb mlr parquet") {
        return;
    }
    let folder = workplace("columns");
    fs::write(folder.join("columns.py"), SPARK).unwrap();
    let output = |program: &str, args: &[&str]| {
        let run = command(program, &folder).args(args).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    let export = ["export", "archive", "--table", "games,plies,positions", "-o"];
    output("hivekit", &[&export[..], &["parquet", "--format", "parquet"]].concat());
    output("hivekit", &[&export[..], &["csv", "--format", "csv"]].concat());
    let paths = TABLES.map(|table| format!("parquet/{}.parquet", table.name));
    let mut expected = [String::new(), String::new()];
    for table in TABLES {
        for field in table.fields {
            let [duckdb, spark] = match field.kind {
                Kind::Text => ["VARCHAR", "string"],
                Kind::Integer => ["BIGINT", "bigint"],
                Kind::Flag => ["BOOLEAN", "boolean"],
            };
            let _ = writeln!(expected[0], "{},{duckdb}", field.name);
            let _ = writeln!(expected[1], "column {} {spark}", field.name);
        }
        let names: Vec<&str> = table.fields.iter().map(|field| field.name).collect();
        let csv = format!("csv/{}.csv", table.name);
        let head = output("mlr", &["--icsv", "--ojson", "head", "-n", "1", &csv]);
        let head: Vec<serde_json::Map<String, serde_json::Value>> =
            serde_json::from_str(&head).unwrap();
        let mut found: Vec<&str> = head[0].keys().map(String::as_str).collect();
        let mut sorted = names.clone();
        found.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(found, sorted);
    }
    let sql = paths
        .clone()
        .map(|path| format!("SELECT column_name, column_type FROM (DESCRIBE FROM '{path}');"));
    assert_eq!(output("duckdb", &["-csv", "-noheader", "-c", &sql.concat()]), expected[0]);
    let paths = paths.each_ref().map(String::as_str);
    let args = [&["--master", "local[2]", "columns.py"], &paths[..]].concat();
    let found = output("spark-submit", &args);
    let lines: Vec<&str> = found.lines().filter(|line| line.starts_with("column ")).collect();
    assert_eq!(lines.join("\n") + "\n", expected[1]);
    fs::remove_dir_all(&folder).unwrap();
}
