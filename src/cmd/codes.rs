use super::{Failure, Io, Verdict, rows::Output};
use crate::{
    explain::pages::{Kind, kinds},
    report::{Cell, Row},
};

/// List the codes of findings
///
/// Each kind of finding has a code, which `check` names and `explain` explains: those of records first, then the laws of the game.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit codes
  hivekit codes --format json")]
pub(super) struct Args {
    #[command(flatten)]
    output: Output,
}

impl Row for Kind {
    const COLUMNS: &'static [&'static str] = &["code", "severity", "strict_error", "law", "about"];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::Text(self.code.to_owned()),
            Cell::Text(self.severity.name().to_owned()),
            Cell::Flag(self.is_leniency),
            Cell::Flag(self.rule.is_some()),
            Cell::Text(self.about.to_owned()),
        ]
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    args.output.write(kinds(), io.out)?;
    Ok(Verdict::Clean)
}
