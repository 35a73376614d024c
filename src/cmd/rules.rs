use super::{Failure, Io, Verdict, args::Output};
use crate::{
    report::{Cell, Row},
    rules::{Bug, Rule},
};

/// List the rules that a turn can break, or the pieces
///
/// Each rule has a code, which names it in the findings of `check`. Of several broken rules the first of
/// this list is named. With `--pieces` the pieces are listed, each with its walk: S is a step along the
/// ground, U up, T across the top, D down, J a jump; `S{3} distinct` are three steps to different cells.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// List the pieces instead
    #[arg(long)]
    pieces: bool,
    #[command(flatten)]
    output: Output,
}

struct Law(Rule);

impl Row for Law {
    const COLUMNS: &'static [&'static str] = &["code", "rule"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::Text(self.0.code().to_owned()), Cell::Text(self.0.about().trim().to_owned())]
    }
}

struct Kind(Bug);

impl Row for Kind {
    const COLUMNS: &'static [&'static str] = &["piece", "code", "count", "walk", "about"];

    fn cells(&self) -> Vec<Cell> {
        let bug = self.0;
        let walk = match bug.walk() {
            "" => Cell::Missing,
            walk => Cell::Text(walk.to_owned()),
        };
        vec![
            Cell::Text(bug.name().to_owned()),
            Cell::Text(bug.code().to_owned()),
            Cell::Count(bug.count().into()),
            walk,
            Cell::Text(bug.about().trim().to_owned()),
        ]
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    if args.pieces {
        args.output.write(Bug::ALL.iter().map(|&bug| Kind(bug)), io.out)?;
    } else {
        args.output.write(Rule::ALL.iter().map(|&rule| Law(rule)), io.out)?;
    }
    Ok(Verdict::Clean)
}
