//! The columns of statistics.
use crate::{
    cmd::Failure,
    report::Cell,
    stats::{Kind, METRICS, Metric, Partial, Sums},
};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

/// What is told of a group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    Metric(&'static Metric),
    /// The score, with its interval.
    Score,
}

/// The name of the column with the score.
pub(super) const SCORE: &str = "score";

impl Column {
    pub(super) fn named(name: &str) -> Column {
        METRICS.iter().find(|metric| metric.name == name).map_or(Column::Score, Column::Metric)
    }

    /// The columns with these names.
    pub(super) fn all(names: &[&str]) -> Vec<Column> {
        names.iter().map(|name| Column::named(name)).collect()
    }

    pub(super) fn parser() -> impl clap::builder::TypedValueParser<Value = Column> {
        let names = METRICS.iter().map(|metric| metric.name).chain([SCORE]);
        PossibleValuesParser::new(names).map(|name| Column::named(&name))
    }

    /// The metric that has to be counted for it.
    pub(super) fn metric(self) -> Option<&'static Metric> {
        match self {
            Column::Metric(metric) => Some(metric),
            Column::Score => None,
        }
    }

    /// Refuses a metric that was not counted.
    pub(super) fn check(self, partial: &Partial) -> Result<(), Failure> {
        match self.metric() {
            Some(metric) if !partial.has(metric) => {
                let name = metric.name;
                let message = format!("{name} was not counted in these parts: count them with it");
                Err(Failure::Input(message))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn names(self) -> Vec<&'static str> {
        match self {
            Column::Metric(metric) => vec![metric.name],
            Column::Score => vec![SCORE, "score_low", "score_high"],
        }
    }

    pub(super) fn cells(self, sums: &Sums) -> Vec<Cell> {
        match self {
            Column::Metric(metric) => vec![cell(metric, sums.of(metric))],
            Column::Score => {
                let score = sums.score();
                let share = |share: Option<f64>| share.map_or(Cell::Missing, Cell::Share);
                vec![
                    share(score.map(|score| score.score)),
                    share(score.map(|score| score.low)),
                    share(score.map(|score| score.high)),
                ]
            }
        }
    }

    /// The value, as a number; nothing where none is known.
    pub(super) fn value(self, sums: &Sums) -> Option<f64> {
        match self {
            Column::Metric(metric) => match cell(metric, sums.of(metric)) {
                #[expect(clippy::cast_precision_loss, reason = "an order of counts below 2^52")]
                Cell::Count(count) => Some(count as f64),
                Cell::Share(share) => Some(share),
                _ => None,
            },
            Column::Score => sums.score().map(|score| score.score),
        }
    }
}

/// The value of a metric.
pub(super) fn cell(metric: &Metric, (sum, by): (u64, u64)) -> Cell {
    match metric.kind {
        Kind::Count | Kind::Most => Cell::Count(sum),
        Kind::Ratio if by == 0 => Cell::Missing,
        #[expect(clippy::cast_precision_loss, reason = "a ratio needs few digits")]
        Kind::Ratio => Cell::Share(sum as f64 / by as f64),
    }
}
