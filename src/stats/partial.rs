//! Sums that wait for others: of a part of an archive, to be combined with those of the rest.
use super::{Groups, Key, METRICS, Sums};
use serde::{Deserialize, Serialize};

/// Groups by several lists of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partial(pub Vec<(Vec<Key>, Groups)>);

/// The version of the document.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Document {
    hivekit_stats: u32,
    metrics: Vec<String>,
    groupings: Vec<Grouping>,
}

#[derive(Serialize, Deserialize)]
struct Grouping {
    by: Vec<String>,
    groups: Vec<(Vec<String>, Sums)>,
}

/// Why sums cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialError(String);

impl std::fmt::Display for PartialError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PartialError {}

impl Partial {
    /// Nothing yet, by these keys.
    pub fn new(asked: Vec<Vec<Key>>) -> Partial {
        Partial(asked.into_iter().map(|keys| (keys, Groups::default())).collect())
    }

    /// Adds what another part says.
    ///
    /// # Errors
    ///
    /// Fails where it is by other keys.
    pub fn merge(&mut self, other: Partial) -> Result<(), PartialError> {
        let keys = |partial: &Partial| -> Vec<Vec<Key>> {
            partial.0.iter().map(|(keys, _)| keys.clone()).collect()
        };
        if keys(self) != keys(&other) {
            return Err(PartialError("the parts are not by the same keys".to_owned()));
        }
        for ((_, all), (_, part)) in self.0.iter_mut().zip(other.0) {
            all.merge(part);
        }
        Ok(())
    }

    /// The sums as a JSON document in a line.
    pub fn write(&self) -> String {
        let grouping = |(keys, groups): &(Vec<Key>, Groups)| Grouping {
            by: keys.iter().map(Key::spelled).collect(),
            groups: groups.iter().map(|(values, sums)| (values.to_vec(), sums.clone())).collect(),
        };
        let document = Document {
            hivekit_stats: VERSION,
            metrics: METRICS.iter().map(|metric| metric.name.to_owned()).collect(),
            groupings: self.0.iter().map(grouping).collect(),
        };
        serde_json::to_string(&document).unwrap_or_default() + "\n"
    }

    /// Reads what was written.
    ///
    /// # Errors
    ///
    /// Fails where the text is none, or was written by a version with other metrics.
    pub fn read(text: &str) -> Result<Partial, PartialError> {
        let wrong = |why: String| PartialError(why);
        let document: Document =
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let names = document.metrics.iter().map(String::as_str);
        if document.hivekit_stats != VERSION || !names.eq(METRICS.iter().map(|metric| metric.name))
        {
            return Err(wrong("it was written by another version of hivekit".to_owned()));
        }
        let grouping = |grouping: Grouping| {
            let keys: Result<Vec<Key>, String> =
                grouping.by.iter().map(|key| key.parse()).collect();
            let is_right = |(values, sums): &(Vec<String>, Sums)| {
                values.len() == grouping.by.len() && sums.is_whole()
            };
            if !grouping.groups.iter().all(is_right) {
                return Err(wrong("a group has too few values".to_owned()));
            }
            Ok((keys.map_err(wrong)?, grouping.groups.into_iter().collect()))
        };
        document.groupings.into_iter().map(grouping).collect::<Result<_, _>>().map(Partial)
    }
}
