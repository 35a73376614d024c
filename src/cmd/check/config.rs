//! What is set in a file, `.hivekit.toml`, in this folder or one above it: the nearest one counts.
use super::{
    Args,
    format::Format,
    levels::{Asked, Levels, names},
};
use crate::cmd::{
    Failure,
    args::{Chosen, Opening, Repetition, Rules, Same},
};
use serde::{Deserialize, Serialize};
use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// The name of the file.
const NAME: &str = ".hivekit.toml";

/// A file of settings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    check: Settings,
}

/// What can be set for `check`, as the options of the command line are called.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Settings {
    strict: Option<bool>,
    format: Option<Format>,
    deny: Vec<String>,
    warn: Vec<String>,
    allow: Vec<String>,
    max_findings: Option<usize>,
    opening: Option<Opening>,
    rule: Vec<Chosen>,
    repetition: Option<Repetition>,
    same_position: Option<Same>,
}

/// All settings together: those of the file, and over them those of the command line.
pub(super) struct Config {
    /// The file, if there is one.
    path: Option<PathBuf>,
    pub(super) strict: bool,
    pub(super) format: Format,
    pub(super) levels: Levels,
    pub(super) max_findings: Option<usize>,
    pub(super) rules: Rules,
}

impl Config {
    /// Those of nobody.
    pub(super) fn plain(strict: bool) -> Config {
        Config {
            path: None,
            strict,
            format: Format::default(),
            levels: Levels::default(),
            max_findings: None,
            rules: Rules::default(),
        }
    }

    /// The same with other rules.
    pub(super) fn with_rules(self, rules: &Rules) -> Config {
        Config { rules: rules.clone(), ..self }
    }

    /// The settings for a run.
    pub(super) fn of(args: &Args) -> Result<Config, Failure> {
        let path = if args.no_config { None } else { nearest() };
        let settings = path.as_deref().map(read).transpose()?.unwrap_or_default();
        let of_file = Asked { deny: settings.deny, warn: settings.warn, allow: settings.allow };
        let rules = Rules {
            opening: args.reading.rules.opening.or(settings.opening),
            // Of two choices for one rule the last counts.
            rule: settings.rule.into_iter().chain(args.reading.rules.rule.clone()).collect(),
            repetition: args.reading.rules.repetition.or(settings.repetition),
            same_position: args.reading.rules.same_position.or(settings.same_position),
        };
        Ok(Config {
            path,
            strict: args.strict || settings.strict.unwrap_or(false),
            format: args.format.or(settings.format).unwrap_or_default(),
            levels: Levels::of([&of_file, &args.asked]).map_err(Failure::Input)?,
            max_findings: args.max_findings.or(settings.max_findings),
            rules,
        })
    }

    /// The settings as a file that has them all.
    pub(super) fn shown(&self) -> Result<String, Failure> {
        let codes =
            |level| self.levels.at(level).into_iter().map(str::to_owned).collect::<Vec<_>>();
        let check = Settings {
            strict: Some(self.strict),
            format: Some(self.format),
            deny: codes(Some(crate::finding::Severity::Error)),
            warn: codes(Some(crate::finding::Severity::Warning)),
            allow: codes(None),
            max_findings: self.max_findings,
            opening: self.rules.opening,
            rule: self.rules.rule.clone(),
            repetition: Some(self.rules.repetition.unwrap_or_default()),
            same_position: Some(self.rules.same_position.unwrap_or_default()),
        };
        let mut text = String::new();
        let file = match &self.path {
            Some(path) => format!("# {}, and the command line", path.display()),
            None => format!("# no {NAME} here or above; the command line"),
        };
        let _ = writeln!(text, "{file}");
        let document = toml::to_string(&Document { check });
        text.push_str(&document.map_err(|error| Failure::Input(error.to_string()))?);
        Ok(text)
    }
}

/// The nearest file of settings.
fn nearest() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    // Also one that cannot be read, which is told.
    here.ancestors().map(|folder| folder.join(NAME)).find(|path| path.symlink_metadata().is_ok())
}

fn read(path: &Path) -> Result<Settings, Failure> {
    let wrong = |why: String| Failure::Input(format!("{}: {why}", path.display()));
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(wrong("it is no file".to_owned()));
    }
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let document: Document =
        toml::from_str(&text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
    let Settings { deny, warn, allow, .. } = &document.check;
    let unknown =
        [deny, warn, allow].into_iter().flatten().find(|code| names().all(|name| name != *code));
    match unknown {
        Some(code) => {
            Err(wrong(format!("`{code}` is no code of findings: `hivekit codes` lists them")))
        }
        None => Ok(document.check),
    }
}
