//! Sums over archives: an overview, groups, and ready reports.
mod column;
mod count;
mod groups;
mod heat;
mod overview;
mod players;
mod preset;
mod quality;
mod rows;

use super::{Failure, Io, Verdict};
use preset::{LENGTH, MOBILITY, OPENINGS, PIECES, USUAL};

/// Count what an archive knows
///
/// Without --by an overview is printed: how many games there are, how they ended, how long they are, how they go, and the same by game
/// type, opening, cause of the end, turn of the queen, year and length; or, where rows are asked for in another way, one row of all games.
/// With --by it is one row for each group of games, with the metrics that --metrics names; what each means is told in
/// `docs/statistics.md`. By `player`, `opponent` and `colour` each game counts once for each side, and metrics are of that side: `score` is the
/// score of White, or of the side that is counted, with the interval in which it truly is with a chance of 95 % (Wilson). A game that cannot be
/// read or is not legal is told on standard error and not counted, and makes the exit code 1. The first word can be the name of a ready report; a folder with
/// such a name is written `./players`.
#[derive(clap::Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  hivekit stats archive/
  hivekit stats --by type,year archive/ --format csv
  hivekit stats --by player --metrics games,score,mobility --min-games 20 --sort score --top 10 archive/
  hivekit stats --by result --where 'plies > 60' archive/ --format json
  hivekit stats --by colour,queen_placed --bars games archive/
  hivekit stats players --min-games 20 --top 30 archive/
  hivekit stats heat --kind A archive/
  hivekit stats --by player --partial --shard 1/2 archive/ > one.json
  hivekit stats --merge one.json two.json --sort games --top 20"
)]
pub(super) struct Args {
    #[command(subcommand)]
    report: Option<Report>,
    #[command(flatten)]
    groups: groups::Grouping,
}

/// A ready report.
#[derive(clap::Subcommand, Debug)]
enum Report {
    /// How strong players are: games, score, and a rating with its error
    Players(players::Args),
    /// How openings score; with `--by tiles` by the first tiles
    Openings(groups::Grouping),
    /// What each piece does; with `--by kind` each kind
    Pieces(groups::Grouping),
    /// How long games are, and how long ones end
    Length(groups::Grouping),
    /// How many turns there are, ply by ply, and what takes them away
    Mobility(groups::Grouping),
    /// A map of the cells where pieces come to stand
    Heat(heat::Args),
    /// What is wrong with the records: findings by code
    Quality(quality::Args),
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    match &args.report {
        None => groups::run(&args.groups, &USUAL, quiet, io),
        Some(Report::Players(args)) => players::run(args, quiet, io),
        Some(Report::Openings(args)) => groups::run(args, &OPENINGS, quiet, io),
        Some(Report::Pieces(args)) => groups::run(args, &PIECES, quiet, io),
        Some(Report::Length(args)) => groups::run(args, &LENGTH, quiet, io),
        Some(Report::Mobility(args)) => groups::run(args, &MOBILITY, quiet, io),
        Some(Report::Heat(args)) => heat::run(args, quiet, io),
        Some(Report::Quality(args)) => quality::run(args, quiet, io),
    }
}
