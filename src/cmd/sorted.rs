//! More than memory holds, in order: what is too much goes to temporary files, each in order, which are merged in the end.
use serde::{Serialize, de::DeserializeOwned};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BinaryHeap},
    env,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Lines, Seek, Write},
    path::{Path, PathBuf},
};

/// Where there is room, and how much memory may be used.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Room {
    /// The folder for temporary files [default: that of the system]
    #[arg(long, value_name = "DIR")]
    tmp_dir: Option<PathBuf>,
    /// About how many MiB are held in memory before they go to temporary files
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
}

/// How many temporary files there are at most, before they are merged to one.
const RUNS: usize = 64;

/// Keys with their values, of which there may be more than memory holds.
pub(super) struct Sorter<K, V> {
    room: Room,
    /// What a second value of a key does to the first.
    join: fn(&mut V, V),
    /// About how many bytes a key and its value take.
    size: fn(&K, &V) -> usize,
    held: BTreeMap<K, V>,
    bytes: usize,
    runs: Vec<File>,
}

impl<K: Ord + Serialize + DeserializeOwned, V: Serialize + DeserializeOwned> Sorter<K, V> {
    pub(super) fn new(room: &Room, join: fn(&mut V, V), size: fn(&K, &V) -> usize) -> Sorter<K, V> {
        Sorter { room: room.clone(), join, size, held: BTreeMap::new(), bytes: 0, runs: Vec::new() }
    }

    /// Adds a key with its value.
    ///
    /// # Errors
    ///
    /// Fails where a temporary file cannot be written.
    pub(super) fn add(&mut self, key: K, value: V) -> io::Result<()> {
        let bytes = (self.size)(&key, &value);
        if let Some(known) = self.held.get_mut(&key) {
            (self.join)(known, value);
        } else {
            self.bytes += bytes;
            self.held.insert(key, value);
        }
        if self.bytes > self.room.memory as usize * 1024 * 1024 { self.spill() } else { Ok(()) }
    }

    /// Writes all that is held to a temporary file.
    fn spill(&mut self) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        self.bytes = 0;
        let mut run = Run::new(&self.room)?;
        held.iter().try_for_each(|(key, value)| run.add(key, value))?;
        self.runs.push(run.close()?);
        if self.runs.len() < RUNS {
            return Ok(());
        }
        let mut all = Run::new(&self.room)?;
        merge(std::mem::take(&mut self.runs), self.join, |key: K, value: V| all.add(&key, &value))?;
        self.runs.push(all.close()?);
        Ok(())
    }

    /// Hands out all keys in order, each once.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `take`, and where a temporary file cannot be written or read.
    pub(super) fn each(mut self, mut take: impl FnMut(K, V) -> io::Result<()>) -> io::Result<()> {
        if self.runs.is_empty() {
            return self.held.into_iter().try_for_each(|(key, value)| take(key, value));
        }
        if !self.held.is_empty() {
            self.spill()?;
        }
        merge(self.runs, self.join, take)
    }
}

/// A temporary file that is written: a line a key.
struct Run(BufWriter<File>);

impl Run {
    fn new(room: &Room) -> io::Result<Run> {
        let system = env::temp_dir();
        let folder: &Path = room.tmp_dir.as_deref().unwrap_or(&system);
        let file = tempfile::tempfile_in(folder).map_err(|error| {
            io::Error::other(format!("no temporary file in {}: {error}", folder.display()))
        })?;
        Ok(Run(BufWriter::new(file)))
    }

    fn add(&mut self, key: &impl Serialize, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, &(key, value))?;
        self.0.write_all(b"\n")
    }

    fn close(self) -> io::Result<File> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }
}

/// The next key of a temporary file. The greatest of several is that with the least key, and of equal ones the first.
struct Next<K, V> {
    key: K,
    value: V,
    run: usize,
}

impl<K: Ord, V> Ord for Next<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key).then(other.run.cmp(&self.run))
    }
}

impl<K: Ord, V> PartialOrd for Next<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, V> PartialEq for Next<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Ord, V> Eq for Next<K, V> {}

/// Hands out the keys of all temporary files in order, each once.
fn merge<K: Ord + DeserializeOwned, V: DeserializeOwned>(
    runs: Vec<File>,
    join: fn(&mut V, V),
    mut take: impl FnMut(K, V) -> io::Result<()>,
) -> io::Result<()> {
    let count = runs.len();
    let mut runs: Vec<Lines<BufReader<File>>> =
        runs.into_iter().map(|file| BufReader::new(file).lines()).collect();
    let mut next = |run: usize| -> io::Result<Option<Next<K, V>>> {
        let Some(line) = runs[run].next().transpose()? else { return Ok(None) };
        let (key, value) = serde_json::from_str(&line)?;
        Ok(Some(Next { key, value, run }))
    };
    let mut heads = BinaryHeap::new();
    for run in 0..count {
        heads.extend(next(run)?);
    }
    let mut present: Option<(K, V)> = None;
    while let Some(Next { key, value, run }) = heads.pop() {
        heads.extend(next(run)?);
        match &mut present {
            Some((known, sum)) if *known == key => join(sum, value),
            _ => {
                if let Some((key, value)) = present.replace((key, value)) {
                    take(key, value)?;
                }
            }
        }
    }
    present.map_or(Ok(()), |(key, value)| take(key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(memory: u32, numbers: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
        let room = Room { tmp_dir: None, memory };
        // As if each took a quarter of the least memory.
        let mut sorter = Sorter::new(&room, |sum: &mut u64, more| *sum += more, |_, _| 256 * 1024);
        numbers.for_each(|number| sorter.add(number, 1).unwrap());
        let mut found = Vec::new();
        sorter
            .each(|key, value| {
                found.push((key, value));
                Ok(())
            })
            .unwrap();
        found
    }

    /// Whether all is held, or in a few temporary files, or in so many that they are merged twice.
    #[test]
    fn all_keys_come_once_and_in_order() {
        let numbers = || (0..2000_u64).map(|at| at * 7919 % 1009);
        let expected: Vec<(u64, u64)> = (0..1009)
            .map(|key| (key, numbers().filter(|&number| number == key).count() as u64))
            .collect();
        for memory in [1, 20, 1_000_000] {
            assert_eq!(sorted(memory, numbers()), expected, "{memory} MiB");
        }
        assert_eq!(sorted(1, std::iter::empty()), []);
    }
}
