//! What a user wants of the output, and the names of its files.
use super::format::Format;
use crate::{cmd::Failure, export::Table};
use std::{fs, num::NonZeroUsize, path::PathBuf};

/// What the user wants of the output.
#[derive(Clone, Debug)]
pub(super) struct Wishes {
    pub(super) tables: Vec<&'static Table>,
    pub(super) format: Format,
    /// The file or folder; standard output where there is none.
    pub(super) path: Option<PathBuf>,
    /// Whether rows go to a folder for each value of these.
    pub(super) partition: Vec<&'static str>,
    pub(super) row_group: NonZeroUsize,
    pub(super) force: bool,
    /// The name of a file of a part, without its ending.
    pub(super) part: String,
    /// Whether it is a share of an archive, beside which others are written.
    pub(super) is_share: bool,
}

/// How the names of parts begin.
pub(super) const PART: &str = "part";

impl Wishes {
    /// Refuses what would not be what the user thinks.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.format.check()?;
        let wrong = |message: String| Err(Failure::Input(message));
        let Some(path) = &self.path else { return Ok(()) };
        let shown = path.display();
        if self.has_folder() {
            let is_named_as_file = Format::of(path).is_some() && !path.is_dir();
            if path.is_file() || is_named_as_file {
                return wrong(format!("{shown} is for one table: name a folder for this"));
            }
        } else if path.is_dir() && self.format == Format::Sqlite {
            return wrong(format!("{shown} is a folder: name a file"));
        }
        // Rows of another run among these would be counted with them.
        let has_rows = |table: &&&Table| {
            fs::read_dir(path.join(table.name)).is_ok_and(|mut entries| entries.next().is_some())
        };
        let is_alone = !self.partition.is_empty() && !self.is_share;
        match self.tables.iter().find(has_rows).filter(|_| is_alone) {
            Some(table) => wrong(format!(
                "{}: there are rows of another run, which would be counted with these",
                path.join(table.name).display()
            )),
            None => Ok(()),
        }
    }

    /// Whether files go to a folder.
    fn has_folder(&self) -> bool {
        let is_divided = self.tables.len() > 1 || !self.partition.is_empty();
        is_divided && self.format != Format::Sqlite
    }

    /// The file for rows of a table.
    pub(super) fn path_of(&self, table: &Table, parts: &[Option<String>]) -> PathBuf {
        let root = self.path.clone().unwrap_or_default();
        let extension = self.format.extension();
        if self.partition.is_empty() {
            let share = if self.is_share { &self.part[PART.len()..] } else { "" };
            return match self.tables[..] {
                [_] if !root.is_dir() => root,
                _ => root.join(format!("{}{share}.{extension}", table.name)),
            };
        }
        let mut path = root.join(table.name);
        for (key, value) in self.partition.iter().zip(parts) {
            let value = value.as_deref().map_or(NO_VALUE.to_owned(), escaped);
            path.push(format!("{key}={value}"));
        }
        path.join(format!("{}.{extension}", self.part))
    }
}

/// What stands for a value that is not known in the name of a folder, as Apache Hive has it.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// A value as the name of a folder, as Apache Hive and Spark write it.
fn escaped(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "+-_. ".contains(c);
    let name = |c: char| {
        if is_plain(c) {
            return c.to_string();
        }
        let bytes = c.to_string().into_bytes();
        bytes.iter().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat()
    };
    value.chars().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_names_of_folders() {
        for (value, name) in
            [("Base+MLP", "Base+MLP"), ("a/b=c", "a%2Fb%3Dc"), ("100%", "100%25"), ("?", "%3F")]
        {
            assert_eq!(escaped(value), name);
        }
    }
}
