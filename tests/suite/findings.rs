//! How `check` writes what it finds, and how bad it takes it to be.
use crate::support::{corpus, fed, files, project};
use hivekit::explain::pages::{self, Example};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command, Output, Stdio},
};

fn check(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hivekit"));
    command.arg("check").args(args).current_dir(folder).env_clear().stdin(Stdio::null());
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The schema of SARIF, which a crate carries.
fn sarif_schema() -> Value {
    let rustc = text(&Command::new("rustc").arg("-vV").output().unwrap().stdout);
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    // What other systems need was never fetched.
    let metadata = ["metadata", "--format-version", "1", "--offline", "--filter-platform", host];
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let run = Command::new(cargo).args(metadata).current_dir(project("")).output().unwrap();
    let metadata: Value = serde_json::from_slice(&run.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
    let schema = fs::read_to_string(manifest.with_file_name("src").join("schema.json")).unwrap();
    let mut schema: Value = serde_json::from_str(&schema).unwrap();
    // These patterns are no regular expressions, and we write no languages.
    for definition in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][definition]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern");
    }
    schema
}

#[test]
fn logs_for_viewers_are_as_their_schema_asks() {
    let schema = jsonschema::validator_for(&sarif_schema()).unwrap();
    let folder = project("testdata");
    for (path, least) in [("notation", 100), ("games", 0), ("rules", 0)] {
        let run = check(&folder, &["--format", "sarif", path]);
        let log: Value = serde_json::from_slice(&run.stdout).unwrap();
        let wrong: Vec<String> = schema.iter_errors(&log).map(|e| e.to_string()).collect();
        assert_eq!(wrong, [""; 0], "{path}");
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert!(results.len() >= least, "{path}: {}", results.len());
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        for result in results {
            assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        }
    }
}

/// Every format tells the same findings.
#[test]
fn all_formats_tell_the_same() {
    let folder = project("testdata");
    let out = |format: &str| text(&check(&folder, &["--format", format, "notation"]).stdout);
    let json: Value = serde_json::from_str(&out("json")).unwrap();
    let findings = json["findings"].as_array().unwrap();
    let ndjson: Vec<Value> =
        out("ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(findings, &ndjson);
    let (short, github, long) = (out("short"), out("github"), out("text"));
    let (short, github): (Vec<_>, Vec<_>) = (short.lines().collect(), github.lines().collect());
    assert_eq!((short.len(), github.len()), (findings.len(), findings.len()));
    for ((finding, short), github) in findings.iter().zip(short).zip(github) {
        let [code, file, message] =
            ["code", "file", "message"].map(|key| finding[key].as_str().unwrap());
        let (line, column) = (&finding["line"], &finding["column"]);
        assert!(short.starts_with(&format!("{file}:{line}:{column}: {code}: ")), "{short}");
        assert!(short.ends_with(message), "{short}");
        assert!(github.contains(&format!("title={code}::")), "{github}");
        assert!(github.contains(&format!("file={file},line={line},")), "{github}");
        assert!(long.contains(&format!(" --> {file}:{line}:{column}\n")), "{file}:{line}:{column}");
    }
    let heads = long.lines().filter(|line| {
        ["error[", "warning[", "note["].iter().any(|severity| line.starts_with(severity))
    });
    assert_eq!(heads.count(), findings.len());
}

/// A folder with settings, and one below it.
struct Settings(PathBuf);

impl Settings {
    fn new(test: &str, settings: &str) -> Settings {
        let path = env::temp_dir().join(format!("hivekit-{test}-{}", process::id()));
        fs::create_dir_all(path.join("below")).unwrap();
        fs::write(path.join(".hivekit.toml"), settings).unwrap();
        fs::write(path.join("below/game.uhp"), "Base;InProgress;White[1];wS1;bQ wS1-;\n").unwrap();
        Settings(path)
    }

    fn check(&self, args: &[&str]) -> Output {
        check(&self.0.join("below"), args)
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn settings_are_read_from_a_folder_above_and_overridden_by_options() {
    let settings = Settings::new(
        "settings",
        "[check]\nformat = \"short\"\nallow = [\"trailing-separator\"]\ndeny = [\"queen-first\"]\n",
    );
    let codes = |args: &[&str]| {
        let run = settings.check(&[args, &["game.uhp", "-q"]].concat());
        let out = text(&run.stdout);
        let codes: Vec<String> = out
            .lines()
            .filter_map(|line| line.split(": ").nth(1).map(str::to_owned))
            .filter(|code| code.contains('-'))
            .collect();
        (codes, run.status.code())
    };
    assert_eq!(codes(&[]), (vec!["queen-first".to_owned()], Some(1)));
    assert_eq!(codes(&["--warn", "queen-first"]), (vec![], Some(0)));
    assert_eq!(
        codes(&["--allow", "all", "--deny", "turn-mismatch"]).0,
        ["turn-mismatch", "queen-first"]
    );
    assert_eq!(codes(&["--no-config", "--format", "short"]), (vec![], Some(0)));
    let shown = text(&settings.check(&["--show-config", "--deny", "blanks"]).stdout);
    assert!(shown.contains(".hivekit.toml"), "{shown}");
    for line in [
        "format = \"short\"",
        "deny = [\"blanks\", \"queen-first\"]",
        "allow = [\"trailing-separator\"]",
        "strict = false",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
    // What is shown is a file of settings.
    let again = Settings::new("settings-again", &shown);
    let again = text(&again.check(&["--show-config"]).stdout);
    assert_eq!(
        again.lines().skip(1).collect::<Vec<_>>(),
        shown.lines().skip(1).collect::<Vec<_>>()
    );
}

#[test]
fn settings_that_are_none_are_refused_with_their_place() {
    for (settings, expected) in [
        ("[check]\nstrickt = true\n", "unknown field `strickt`"),
        ("[check]\nformat = \"xml\"\n", "unknown variant `xml`"),
        ("[check]\ndeny = [\"one-hiv\"]\n", "`one-hiv` is no code of findings"),
        ("[check]\ndeny = [\"blanks\"]\nwarn = [\"blanks\"]\n", "`blanks` is in two of the lists"),
        ("[check\n", "line 1"),
        ("[check]\nrule = [\"tick=no\"]\n", "tick"),
    ] {
        let run = Settings::new("no-settings", settings).check(&["game.uhp"]);
        let said = text(&run.stderr);
        assert!(said.contains(expected), "{settings}: {said}");
        assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0), "{settings}");
    }
}

/// What a command says of an example.
fn said(example: &Example) -> String {
    let mut args = example.arguments();
    if example.is_of_check() {
        args.extend(["--format", "short"].map(str::to_owned));
    }
    let run = fed(&args, &example.bytes);
    String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned()
}

/// Every code has a record in which it is found, and one near it in which it is not.
#[test]
fn every_code_is_found_where_it_should_be_and_not_near_it() {
    let mut count = 0;
    for page in pages::all() {
        assert!(!page.text.is_empty(), "{} is not explained", page.kind.code);
        let is_found = |example: &Example| {
            let said = said(example);
            let names = [format!(" {}:", page.kind.code), format!("[{}]", page.kind.code)];
            (names.iter().any(|name| said.contains(name)), said)
        };
        // That could only be found if our own writing were wrong.
        if page.kind.code != "not-the-same" {
            let (found, said) = is_found(&page.wrong.clone().expect(page.kind.code));
            assert!(found, "{} is not found: {said}", page.kind.code);
            count += 1;
        }
        let (found, said) = is_found(&page.right.clone().expect(page.kind.code));
        assert!(!found, "{} is found: {said}", page.kind.code);
    }
    let rules = hivekit::rules::Rule::ALL.len();
    assert_eq!(count, rules + hivekit::finding::CODES.len() - 1);
}

/// What `fix` writes of a file of a notation, and what `check` finds in that.
fn fixed(path: &Path, args: &[&str]) -> (Vec<u8>, Vec<Value>) {
    let run = Command::new(env!("CARGO_BIN_EXE_hivekit"))
        .args([&["fix", "-q"], args].concat())
        .arg(path)
        .output()
        .unwrap();
    let name = format!("hivekit-fixed-{}", process::id());
    let file = env::temp_dir().join(name).with_extension(path.extension().unwrap_or_default());
    fs::write(&file, &run.stdout).unwrap();
    let found = check(&env::temp_dir(), &["--format", "ndjson", file.to_str().unwrap()]);
    fs::remove_file(&file).unwrap();
    let found = text(&found.stdout);
    (run.stdout, found.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Games that were read, with what is left of them when a fix was told.
#[test]
fn what_is_fixed_is_clean_and_the_same_game() {
    let mut fixes = 0;
    let folders = ["notation", "games"].map(|folder| project("testdata").join(folder));
    let paths = folders.iter().flat_map(|folder| files(folder));
    let paths = paths.chain(corpus("boardspace-sgf/2013")).chain(corpus("pgn"));
    for path in paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }) {
        let said = |args: &[&str]| {
            let run =
                Command::new(env!("CARGO_BIN_EXE_hivekit")).args(args).arg(&path).output().unwrap();
            text(&run.stderr)
        };
        let told = said(&["fix", "--dry-run"]);
        let of_game = |line: &str| {
            line.split(" game ")
                .nth(1)
                .map(|rest| rest.split([',', ':']).next().unwrap().to_owned())
        };
        let words = |word: &str| -> BTreeSet<String> {
            told.lines().filter(|line| line.contains(word)).filter_map(of_game).collect()
        };
        let (mended, left) = (words(": fixed["), words(": left["));
        if mended.is_empty() {
            continue;
        }
        fixes += mended.len();
        let (new, found) = fixed(&path, &[]);
        for game in mended.difference(&left) {
            let wrong: Vec<_> = found
                .iter()
                .filter(|finding| finding["game"].as_u64() == game.parse().ok())
                .filter(|finding| finding["severity"] != "note")
                .collect();
            assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        }
        // What is fixed needs no other fix, and is the same game.
        let name = format!("hivekit-again-{}", process::id());
        let file = env::temp_dir().join(name).with_extension(path.extension().unwrap_or_default());
        fs::write(&file, &new).unwrap();
        let again = Command::new(env!("CARGO_BIN_EXE_hivekit"))
            .args(["fix", "-q"])
            .arg(&file)
            .output()
            .unwrap();
        let same = Command::new(env!("CARGO_BIN_EXE_hivekit"))
            .args(["diff", "--no-tags"])
            .args([&path, &file])
            .output()
            .unwrap();
        fs::remove_file(&file).unwrap();
        assert_eq!(text(&again.stdout).trim(), text(&new).trim(), "{}", path.display());
        let differs = text(&same.stdout);
        let turns = differs.lines().filter(|line| line.trim_start().starts_with("ply "));
        assert_eq!(turns.count(), 0, "{}: {differs}", path.display());
    }
    assert!(fixes >= 20, "{fixes}");
}

/// What `fix` says of a file.
fn fix(path: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hivekit"));
    command.arg("fix").args(args).arg(path).output().unwrap()
}

#[test]
fn files_are_fixed_in_place_and_kept_under_another_name() {
    let folder = Settings::new("fix", "");
    let path = folder.0.join("below/game.uhp");
    let before = fs::read_to_string(&path).unwrap();
    let fix = |args: &[&str]| fix(&path, args);
    let run = fix(&["--dry-run"]);
    assert_eq!((run.stdout.len(), run.status.code()), (0, Some(0)));
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    let run = fix(&["--only", "blanks"]);
    assert_eq!(text(&run.stdout), before);
    let run = fix(&["--in-place=.bak"]);
    assert_eq!((run.stdout.len(), run.status.code()), (0, Some(0)));
    assert_eq!(fs::read_to_string(&path).unwrap(), "Base;InProgress;White[2];wS1;bQ wS1-\n");
    assert_eq!(fs::read_to_string(path.with_extension("uhp.bak")).unwrap(), before);
}

#[test]
fn the_page_of_settings_shows_a_file_that_is_read() {
    let page = fs::read_to_string(project("docs/settings.md")).unwrap();
    let block = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let settings = Settings::new("page-of-settings", block);
    let run = settings.check(&["--show-config"]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    for name in ["strict", "format", "deny", "warn", "allow", "max-findings", "opening", "rule"] {
        assert!(block.contains(&format!("{name} = ")), "{name}");
        assert!(text(&run.stdout).contains(&format!("{name} = ")), "{name}");
    }
}

/// What is not rewritten stays to the last byte, and a second run changes nothing.
#[test]
fn a_fix_touches_nothing_else() {
    let folder = Settings::new("verbatim", "");
    let path = folder.0.join("below/mixed.uhp");
    let fix = |args: &[&str]| fix(&path, args);
    let clean = "# a\r\n\r\nBase;InProgress;White[2];wS1;bS1 wS1-\r\n\r\n# tail\r\n";
    fs::write(&path, clean).unwrap();
    assert_eq!(text(&fix(&[]).stdout), clean);
    assert_eq!(fix(&["--in-place=.bak"]).status.code(), Some(0));
    assert!(!path.with_extension("uhp.bak").exists());
    let before = clean.replace("wS1-\r", "wS1-;\r") + "Base;InProgress;White[2];wS1;bX\r\n";
    fs::write(&path, &before).unwrap();
    let after = before.replace("wS1-;\r", "wS1-\r");
    assert_eq!(fix(&["--in-place=.bak"]).status.code(), Some(1));
    assert_eq!(fs::read_to_string(&path).unwrap(), after);
    // What was kept is not lost by a later run.
    fs::write(&path, &before).unwrap();
    let again = fix(&["--in-place=.bak"]);
    assert!(text(&again.stderr).contains("is there already"), "{}", text(&again.stderr));
    assert_eq!(fs::read_to_string(path.with_extension("uhp.bak")).unwrap(), before);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    // A clean file of BoardSpace begins with a blank, and keeps it.
    let sgf = project("testdata/games/both-queens/game.sgf");
    let run = Command::new(env!("CARGO_BIN_EXE_hivekit")).arg("fix").arg(&sgf).output().unwrap();
    assert_eq!(run.stdout, fs::read(&sgf).unwrap());
}

/// Carets and columns where a line has what a terminal must not see, and where it is very long.
#[test]
fn carets_stand_where_columns_are() {
    let folder = Settings::new("carets", "");
    let path = folder.0.join("below/odd.uhp");
    let long = format!("{}bX1 wS1-", "wS1;bS1 wS1-;".repeat(2000));
    for (line, column) in [
        ("Base;InProgress;White[2];wS1;b\u{9b}31mX1 wS1-".to_owned(), 31),
        ("Base;InProgress;White[2];wS1;b\u{202e}X1 wS1-".to_owned(), 31),
        ("Base;InProgress;White[2];wS1;b\tX1 wS1-".to_owned(), 31),
        (format!("Base;InProgress;White[2];{long}"), 26 + 26000 + 1),
    ] {
        fs::write(&path, format!("{line}\n")).unwrap();
        let run = folder.check(&["-q", "--no-config", "odd.uhp"]);
        let out = text(&run.stdout);
        assert!(out.contains(&format!("odd.uhp:1:{column}\n")), "{out}");
        let lines: Vec<&str> = out.lines().collect();
        let shown = lines.iter().position(|line| line.starts_with("1 | ")).unwrap();
        let caret = lines[shown + 1].chars().position(|c| c == '^').unwrap();
        let under = lines[shown].chars().nth(caret).unwrap();
        assert!(matches!(under, 'X' | '\u{FFFD}' | ' '), "{out}");
        assert!(lines[shown].chars().count() < 120, "{out}");
        assert!(!out.contains(['\u{9b}', '\u{202e}']), "{out:?}");
    }
}
