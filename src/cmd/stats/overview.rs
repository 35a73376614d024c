//! The overview: everything of all games, then tables of groups.
use super::{
    column::{Column, SCORE, cell},
    preset::USUAL,
    rows::{names, write_rows},
};
use crate::{
    cmd::Failure,
    report::{self, Cell},
    stats::{Groups, Key, METRICS, Metric, Sums},
};
use std::{cmp::Reverse, io::Write};

/// What the overview shows by groups, with a title, and how many groups at most.
const TABLES: &[(&str, &str, usize)] = &[
    ("By game type", "type", 12),
    ("By opening", "opening", 12),
    ("By cause of the end", "cause", 12),
    ("By turn of the queen", "colour,queen_placed", 16),
    ("By year", "year", 30),
    ("By length in plies", "length:20", 15),
];

/// The metrics that say nothing more of whole games.
const OF_PARTS: &[&str] = &["won", "lost", "decisive"];

/// The keys of a table.
fn parsed(keys: &str) -> Vec<Key> {
    keys.split(',').filter_map(|key| key.parse().ok()).collect()
}

/// The keys of the overview: those of all games first.
pub(super) fn keys() -> Vec<Vec<Key>> {
    std::iter::once(Vec::new()).chain(TABLES.iter().map(|(_, keys, _)| parsed(keys))).collect()
}

pub(super) fn write(groupings: &[(Vec<Key>, Groups)], out: &mut dyn Write) -> Result<(), Failure> {
    let all = groupings.first().and_then(|(_, groups)| groups.iter().next());
    let Some((_, sums)) = all else {
        return Ok(writeln!(out, "no games")?);
    };
    write_all(sums, out)?;
    for ((title, by, most), (keys, groups)) in TABLES.iter().zip(&groupings[1..]) {
        writeln!(out, "\n{title}\n")?;
        write_table(keys, groups, *most, out)?;
        let more = groups.iter().count().saturating_sub(*most);
        if more > 0 {
            writeln!(out, "and {more} more: `stats --by {by}`")?;
        }
    }
    Ok(())
}

/// Every metric of all games, with its meaning.
fn write_all(sums: &Sums, out: &mut dyn Write) -> Result<(), Failure> {
    let mut table = (report::FORMATS[0].1)(&["metric", "value", "meaning"], Box::new(out));
    let text = |text: &str| Cell::Text(text.to_owned());
    let is_told = |metric: &&Metric| metric.is_usual() && !OF_PARTS.contains(&metric.name);
    for metric in METRICS.iter().filter(is_told) {
        let value = cell(metric, sums.of(metric));
        table.row(vec![text(metric.name), value, text(metric.about)])?;
    }
    if let Some(score) = sums.score() {
        let about = format!(
            "White's score, of games with a result; truly from {:.3} to {:.3} with a chance of 95 %.",
            score.low, score.high
        );
        table.row(vec![text(SCORE), Cell::Share(score.score), Cell::Text(about)])?;
    }
    Ok(table.finish()?)
}

/// The groups: in their order where they have one, else those with most games.
fn write_table(
    keys: &[Key],
    groups: &Groups,
    most: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let is_of_side = keys.iter().any(Key::is_of_side);
    let columns = if is_of_side { USUAL.of_side() } else { Column::all(USUAL.metrics) };
    let mut rows: Vec<_> = groups.iter().collect();
    if !keys.iter().any(Key::is_in_order) {
        rows.sort_by_key(|(_, sums)| Reverse(sums.games()));
    }
    rows.truncate(most);
    let heads: Vec<String> = keys.iter().map(Key::to_string).collect();
    let mut table = (report::FORMATS[0].1)(&names(&heads, &columns), Box::new(out));
    write_rows(&mut *table, keys, &columns, None, &rows)?;
    Ok(table.finish()?)
}
