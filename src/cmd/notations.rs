use super::{Failure, Io, Verdict, args::Output};
use crate::{
    notation::{self, Notation},
    report::{Cell, Row},
};

/// List the notations
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    output: Output,
}

struct Known(&'static dyn Notation);

impl Row for Known {
    const COLUMNS: &'static [&'static str] = &["notation", "reads", "writes", "about"];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::Text(self.0.name().to_owned()),
            Cell::Flag(true),
            Cell::Flag(self.0.can_write()),
            Cell::Text(self.0.about().to_owned()),
        ]
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    args.output.write(notation::ALL.iter().map(|&notation| Known(notation)), io.out)?;
    Ok(Verdict::Clean)
}
