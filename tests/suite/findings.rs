//! How `check` writes what it finds, and how bad it takes it to be.
use crate::support::project;
use serde_json::Value;
use std::{
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
