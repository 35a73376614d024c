//! Sums that wait for others: of a part of an archive, to be combined with those of the rest.
use super::{Groups, Key, METRICS, Metric, Sums};
use serde::{Deserialize, Serialize};

/// Which games were counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// The filters and rules, in words of the program.
    pub games: String,
    /// Of how many shares the archive has, and of what; nothing, if it was not divided.
    pub divided: Option<(usize, String)>,
    /// The numbers of the shares.
    pub shares: Vec<usize>,
    /// Whether something could not be read.
    pub is_incomplete: bool,
}

impl Extent {
    /// Adds the games of another part.
    fn merge(&mut self, other: &Extent) -> Result<(), PartialError> {
        let wrong = |why: String| Err(PartialError(why));
        if self.games != other.games {
            return wrong(
                "its games were chosen by other filters, or held to other rules".to_owned(),
            );
        }
        if self.divided != other.divided {
            return wrong("it is of an archive that was divided in another way".to_owned());
        }
        if let Some(twice) = other.shares.iter().find(|share| self.shares.contains(share)) {
            return wrong(format!("share {twice} is there twice"));
        }
        self.shares.extend(&other.shares);
        self.is_incomplete |= other.is_incomplete;
        Ok(())
    }

    /// The shares that are not there.
    pub fn missing(&self) -> Vec<usize> {
        let count = self.divided.as_ref().map_or(0, |(count, _)| *count);
        (1..=count).filter(|share| !self.shares.contains(share)).collect()
    }
}

/// Groups by several lists of keys, of the games of a part of an archive.
#[derive(Clone, Debug, Default)]
pub struct Partial {
    /// Which games they are.
    pub extent: Extent,
    /// The metrics that were counted.
    pub metrics: Vec<&'static Metric>,
    /// Each list of keys with its groups.
    pub groupings: Vec<(Vec<Key>, Groups)>,
}

/// The version of the document.
const VERSION: u32 = 3;

/// What tells whether the rest can be read.
#[derive(Deserialize)]
struct Version {
    hivekit_stats: u32,
}

#[derive(Serialize, Deserialize)]
struct Document {
    hivekit_stats: u32,
    extent: Extent,
    /// The names of all metrics, for each of which every group has a value.
    metrics: Vec<String>,
    /// Those that were counted.
    counted: Vec<String>,
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
    pub fn new(metrics: Vec<&'static Metric>, asked: Vec<Vec<Key>>) -> Partial {
        let groupings = asked.into_iter().map(|keys| (keys, Groups::default())).collect();
        Partial { extent: Extent::default(), metrics, groupings }
    }

    /// Whether a metric was counted.
    pub fn has(&self, metric: &Metric) -> bool {
        self.metrics.iter().any(|known| known.name == metric.name)
    }

    /// Adds what another part says.
    ///
    /// # Errors
    ///
    /// Fails where it is by other keys, or of other metrics.
    pub fn merge(&mut self, other: Partial) -> Result<(), PartialError> {
        let keys = |partial: &Partial| -> Vec<Vec<Key>> {
            partial.groupings.iter().map(|(keys, _)| keys.clone()).collect()
        };
        if keys(self) != keys(&other) {
            let said = "it is of another report, or by other keys, than the first part";
            return Err(PartialError(said.to_owned()));
        }
        if !self.metrics.iter().map(|metric| metric.name).eq(other.metrics.iter().map(|m| m.name)) {
            return Err(PartialError("the parts are not of the same metrics".to_owned()));
        }
        self.extent.merge(&other.extent)?;
        for ((_, all), (_, part)) in self.groupings.iter_mut().zip(other.groupings) {
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
            extent: self.extent.clone(),
            metrics: METRICS.iter().map(|metric| metric.name.to_owned()).collect(),
            counted: self.metrics.iter().map(|metric| metric.name.to_owned()).collect(),
            groupings: self.groupings.iter().map(grouping).collect(),
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
        let plain = |error: serde_json::Error| wrong(error.to_string());
        let version: Version = serde_json::from_str(text)
            .map_err(|_| wrong("it is no part, as --partial writes it".to_owned()))?;
        let other = || wrong("it was written by another version of hivekit".to_owned());
        if version.hivekit_stats != VERSION {
            return Err(other());
        }
        let document: Document = serde_json::from_str(text).map_err(plain)?;
        if !document.metrics.iter().eq(METRICS.iter().map(|metric| metric.name)) {
            return Err(other());
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
        let is_counted = |metric: &&Metric| document.counted.iter().any(|name| name == metric.name);
        let metrics = METRICS.iter().filter(is_counted).collect();
        let groupings = document.groupings.into_iter().map(grouping).collect::<Result<_, _>>()?;
        Ok(Partial { extent: document.extent, metrics, groupings })
    }
}
