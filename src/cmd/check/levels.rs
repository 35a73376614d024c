//! How bad each kind of finding is taken to be.
use crate::{
    explain::pages::kinds,
    finding::{Finding, Severity},
};
use std::collections::BTreeMap;

/// Codes that the user takes more or less seriously than by default.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct Asked {
    /// Take findings of this code for errors; `all` means every code that is not named
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = code)]
    pub(super) deny: Vec<String>,
    /// Take them for warnings
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = code)]
    pub(super) warn: Vec<String>,
    /// Leave them out
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = code)]
    pub(super) allow: Vec<String>,
}

/// The word for all codes that are not named.
const ALL: &str = "all";

/// A code that there is.
pub(in crate::cmd) fn code(text: &str) -> Result<String, String> {
    let is_known = names().any(|name| name == text);
    if is_known { Ok(text.to_owned()) } else { Err("`hivekit codes` lists the codes".to_owned()) }
}

/// Every code, and `all`.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    kinds().map(|kind| kind.code).chain([ALL])
}

/// How bad the findings of each code are that were asked for: nothing where they are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels(BTreeMap<String, Option<Severity>>);

impl Levels {
    /// Those of several sources, of which the later ones count more.
    ///
    /// # Errors
    ///
    /// Fails where one source says two things of a code.
    pub(super) fn of<'a>(sources: impl IntoIterator<Item = &'a Asked>) -> Result<Levels, String> {
        let mut levels = Levels::default();
        for asked in sources {
            levels.0.extend(Levels::of_one(asked)?.0);
        }
        Ok(levels)
    }

    fn of_one(asked: &Asked) -> Result<Levels, String> {
        let mut levels = BTreeMap::new();
        let lists = [
            (&asked.deny, Some(Severity::Error)),
            (&asked.warn, Some(Severity::Warning)),
            (&asked.allow, None),
        ];
        for (codes, level) in lists {
            for code in codes {
                let before = levels.insert(code.clone(), level);
                if before.is_some_and(|before| before != level) {
                    return Err(format!("`{code}` is in two of the lists deny, warn and allow"));
                }
            }
        }
        Ok(Levels(levels))
    }

    /// A finding with its severity; nothing if it is left out.
    pub(super) fn judge(&self, mut finding: Finding) -> Option<Finding> {
        let asked = self.0.get(finding.code).or_else(|| self.0.get(ALL));
        if let Some(&level) = asked {
            finding.severity = level?;
        }
        Some(finding)
    }

    /// The codes with this level, in order.
    pub(super) fn at(&self, level: Option<Severity>) -> Vec<&str> {
        let named = self.0.iter().filter(|(_, at)| **at == level);
        named.map(|(code, _)| code.as_str()).collect()
    }
}
