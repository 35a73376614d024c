//! README and the pages of `docs/`: console blocks are run, generated pages are compared. `UPDATE_DOCS=1` writes the latter anew.
use crate::support::project;
use hivekit::{
    explain::pages::{self, Kind},
    guide,
    rules::{Bug, Options, Rule},
    stats::{self, Key, METRICS},
};
use std::{env, fmt::Write as _, fs, process::Command};

/// The `console` blocks of a page: each command with what it prints.
fn console_blocks(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            line => {
                if let Some(command) = line.strip_prefix("$ ") {
                    found.push((command.to_owned(), String::new()));
                } else {
                    let (_, output) = found.last_mut().expect("a block begins with a command");
                    output.push_str(line);
                    output.push('\n');
                }
            }
        }
    }
    found
}

fn printed(command: &str) -> String {
    let binary = env!("CARGO_BIN_EXE_hivekit");
    let folder = std::path::Path::new(binary).parent().unwrap();
    let path = format!("{}:{}", folder.display(), env::var("PATH").unwrap_or_default());
    let run = Command::new("sh")
        .args(["-c", command])
        .current_dir(project(""))
        .env("PATH", path)
        .output()
        .unwrap();
    String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap()
}

#[test]
fn what_the_readme_shows_is_what_is_printed() {
    let path = project("README.md");
    let mut text = fs::read_to_string(&path).unwrap();
    let blocks = console_blocks(&text);
    assert!(blocks.len() > 3);
    for (command, output) in blocks {
        let printed = printed(&command);
        if env::var_os("UPDATE_DOCS").is_some() {
            let old = format!("$ {command}\n{output}```");
            text = text.replace(&old, &format!("$ {command}\n{}\n```", printed.trim_end()));
        } else {
            assert_eq!(printed.trim_end(), output.trim_end(), "{command}");
        }
    }
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, text).unwrap();
    }
}

/// Compares a generated page, or writes it.
fn compare(page: &str, text: &str) {
    let path = project(page);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "{page} is out of date: run the tests with UPDATE_DOCS=1");
}

#[test]
fn the_page_of_rules_is_up_to_date() {
    let mut text = "# Rules\n\nGenerated from `src/rules`; do not edit.\n\n## Laws\n\nOf several laws that a turn breaks, the first is named.\n".to_owned();
    for rule in Rule::ALL {
        let _ = write!(
            text,
            "\n### {}\n\n{} A finding says: {rule}.\nCases: `testdata/rules/{0}.tsv`.\n",
            rule.code(),
            rule.about().trim()
        );
    }
    let _ = write!(
        text,
        "\n## Pieces\n\n| piece | code | each side has | walk | |\n|---|---|--:|---|---|\n"
    );
    for bug in Bug::ALL {
        let walk = if bug.walk().is_empty() {
            String::new()
        } else {
            format!("`{}`", bug.walk().replace('|', "\\|"))
        };
        let _ = writeln!(
            text,
            "| {} | `{}` | {} | {walk} | {} |",
            bug.name(),
            bug.code(),
            bug.count(),
            bug.about().trim()
        );
    }
    text.push_str("\nA walk is made of steps: `S` slides along the ground, `U` climbs up, `T` goes on across the top, `D` climbs down,\n`J` jumps over a row. `+` is once or more, `{3}` three times, `|` or. Grammar: `grammar/walk.ebnf`.\n");
    compare("docs/rules.md", &text);
}

#[test]
fn the_page_of_pieces_is_up_to_date() {
    let mut text = "# Pieces\n\nGenerated from `src/guide` and the table of kinds; do not edit. `hivekit rules PIECE` prints the same. In the drawings\n`o` marks where the piece can go (`wQo`: onto that piece); `wQ_` has a nymph beneath it. What else it can do is listed below in words of the notation.\n\nA *friend* is a piece, or the top of a stack, that shows the own side's colour, an *enemy* one of the other. A piece *stands alone* if it is the only one on its cell. A piece that was moved by any turn *rests* on the next one: it neither moves nor is moved nor uses an ability. A *gap* between two neighbours is too narrow for a piece that is no higher than both.\n".to_owned();
    for &bug in Bug::ALL {
        let entry = guide::of(bug).unwrap();
        let _ = write!(text, "\n## {}\n\n{}.\n", bug.name(), guide::facts(bug));
        for paragraph in &entry.paragraphs {
            let _ = write!(text, "\n{paragraph}\n");
        }
        for example in &entry.examples {
            let drawn = example.drawn().unwrap();
            let _ = write!(
                text,
                "\n{} (`{}` in `{}`):\n\n```text\n{}\n```\n",
                example.caption,
                example.piece,
                example.position,
                drawn.trim_end()
            );
        }
    }
    text.push_str("\n## Rules to choose\n\nFor games with fan pieces: `--rule NAME=VALUE`, or the tag `Rules` of a record, `name=value` with commas between.\n\n| rule | value | |\n|---|---|---|\n");
    for choice in Options::CHOICES {
        let _ = writeln!(text, "| `{}` | | {} |", choice.name, choice.about.trim());
        for (at, (value, meaning)) in choice.values.iter().zip(choice.meanings).enumerate() {
            let usual = if at == 0 { " (usual)" } else { "" };
            let _ = writeln!(text, "| | `{value}`{usual} | {} |", meaning.trim());
        }
    }
    compare("docs/pieces.md", &text);
}

#[test]
fn the_page_of_findings_is_up_to_date() {
    let mut text = "# Findings\n\nGenerated from `src/explain/pages.md` and the tables of codes; do not edit. `hivekit explain CODE` shows the same with what `check` says\nof the example. How a law of the game is told by a finding is in [rules.md](rules.md).\n\n| code | severity | error under `--strict` | |\n|---|---|---|---|\n".to_owned();
    for page in pages::all() {
        let strict = if page.kind.is_leniency { "yes" } else { "" };
        let Kind { code, severity, about, .. } = page.kind;
        let _ = writeln!(text, "| [`{code}`](#{code}) | {severity} | {strict} | {about} |");
    }
    for page in pages::all() {
        let _ = write!(text, "\n## {}\n\n{}\n", page.kind.code, page.text);
        for (word, example) in [("Found", &page.wrong), ("Not found", &page.right)] {
            let Some(example) = example else { continue };
            let (command, shown) = (&example.command, example.text());
            let _ = write!(
                text,
                "\n{word} by `hivekit {command}`:\n\n```text\n{}\n```\n",
                shown.trim_end()
            );
        }
    }
    compare("docs/findings.md", &text);
}

/// What stands before the tables of `docs/statistics.md`.
const STATISTICS: &str = "\
# Statistics

Generated from `src/stats/`; do not edit. `hivekit stats --by KEY,... --metrics METRIC,...` tells metrics of groups of
games. Only games that are legal are counted; others are told on standard error. A game whose record does not tell what a metric
needs is left out of that metric, so shares and means are of the games that do. A value that a record does not tell makes a group of its
own, so the groups of a report always hold all games.

A *ratio* is a sum divided by a sum, so that long games count more in metrics of plies; it is written with three decimals. All
sums are of whole numbers, so the sums of shares of an archive (`--partial`, `--merge`) are those of the whole, exactly.

By a key for which a game counts more than once, metrics are of the part that is counted: by `player` of that side, by `piece` of that
piece, by `ply:10` of those plies. Metrics of whole games (`games`, `white`, `plies`, `score`, ...) are of the games in which there is
such a part. A metric that says nothing of the part is missing.

";

/// What stands behind them.
const PLAYERS: &str = "
## Players

`stats players` tells of each player the games, one for each side that was his, with wins, draws, losses and those without a known
result (`open`); `score` with its interval, as above; `elo` with `elo_error`; and how many `opponents` he met.

`elo` is the rating of Bradley and Terry: White scores with a chance of 1 / (1 + 10 ^ ((black - white - advantage) / 400)), a draw is half a
win, and the ratings and the advantage of White are those under which the results are most likely. Each player also drew two games against one of
1500, so that nobody who won or lost all games is infinitely far away, and a few games say little. `elo_error` is how far the rating may
be off to both sides with a chance of 95 %, by the curvature of the likelihood, where all other ratings are right. Ratings of players who
never met, not even through others, do not compare. Games of a player against himself, and those without a result, do not count for
ratings.

First those who played each other are rated, without bots; then bots, by their games against those and each other; then who is left, by
games against all who have a rating. So bots, which are many games of few programs, do not change the ratings of people. A bot is a player
whose name ends in `bot`, in any case, or whom `--bots` names.
";

#[test]
fn the_page_of_statistics_is_up_to_date() {
    let mut text = format!("{STATISTICS}## Metrics\n\n| metric | kind | |\n|---|---|---|\n");
    for metric in METRICS {
        let kind = match metric.kind {
            stats::Kind::Count => "count",
            stats::Kind::Ratio => "ratio",
            stats::Kind::Most => "greatest",
        };
        let _ = writeln!(text, "| `{}` | {kind} | {} |", metric.name, metric.about);
    }
    text.push_str("| `score`, `score_low`, `score_high` | ratio | The score of White, or of the side that is counted, in games with a result: a win is 1, a draw 0.5; and the interval of Wilson in which it truly is with a chance of 95 %. |\n\n## Keys\n\n| key | |\n|---|---|\n");
    for (key, about) in Key::all() {
        let _ = writeln!(text, "| `{key}` | {about} |");
    }
    text.push_str(PLAYERS);
    compare("docs/statistics.md", &text);
}

#[test]
fn the_page_of_tables_is_up_to_date() {
    let mut text =
        "# Tables\n\nGenerated from `src/export/`; do not edit. What `hivekit export` writes"
            .to_owned();
    let _ = writeln!(
        text,
        ", version {}. The version changes where a column\ngets another name, type or meaning, or goes away; new columns come at the end. `--schema json` and `--schema sql` print the same for programs.\n\nTexts are UTF-8, integers have 64 bits. A column with *no value* marked can be empty (csv), null (ndjson, Parquet, Arrow) or NULL (SQLite). Flags are\n`true` and `false`, in SQLite 1 and 0. In tsv nothing is in quotation marks: a tabulator or an end of line in a value becomes a blank.",
        hivekit::export::VERSION
    );
    for table in hivekit::export::TABLES {
        let _ = writeln!(
            text,
            "\n## {}\n\n{}\n\n| column | type | no value | |\n|---|---|---|---|",
            table.name, table.about
        );
        for field in table.fields {
            let (kind, empty) = (field.kind.name(), if field.is_known { "" } else { "yes" });
            let _ = writeln!(text, "| `{}` | {kind} | {empty} | {} |", field.name, field.about);
        }
    }
    compare("docs/export.md", &text);
}

#[cfg(feature = "encodings")]
/// The names of the commands in a help text.
fn commands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.map_while(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

// Without a feature, its options are not there.
#[cfg(feature = "encodings")]
#[test]
fn the_page_of_commands_is_up_to_date() {
    let mut text = "# Commands\n\nGenerated from `--help`; do not edit.\n".to_owned();
    let mut lines = vec!["hivekit".to_owned()];
    while !lines.is_empty() {
        let line = lines.remove(0);
        let help = printed(&format!("{line} --help"));
        let _ = write!(text, "\n## {line}\n\n```text\n{}\n```\n", help.trim_end());
        let below = commands(&help).into_iter().map(|name| format!("{line} {name}"));
        lines.splice(..0, below);
    }
    compare("docs/commands.md", &text);
}
