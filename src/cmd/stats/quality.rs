//! What is wrong with the records of an archive.
use crate::cmd::{Failure, Io, Verdict, check, games::Reading, rows::Output};

/// What is wrong with the records: findings by code
///
/// A row for each kind of finding, with how many there are, in how many games and files, and in which share of all games, legal or not. What
/// they are, and where, `check` tells; what a code means, `explain` does. The exit code is 0, whatever is found. Levels of a file `.hivekit.toml` do not count here.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit stats quality archive/
  hivekit stats quality --format csv archive/ > quality.csv")]
pub(super) struct Args {
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    reading: Reading,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let (is_incomplete, rows) = check::quality(&args.reading, quiet, io)?;
    args.output.write(rows, io.out)?;
    Ok(if is_incomplete { Verdict::Incomplete } else { Verdict::Clean })
}
