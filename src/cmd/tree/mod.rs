mod count;
mod show;

use super::{
    Failure, Io, Verdict,
    address::Address,
    args::SameLevel,
    criteria::Criteria,
    games::{Reading, Run},
    rows::Columns,
};
use count::{Counts, Root, Wishes};

/// Show how games went on from a position, and how they ended
///
/// For the start of each game type, or for another position, prints each continuation with the games in which it was
/// played and how they ended: `+3 =1 -2 ?4` are 3 won by White, 1 drawn, 2 won by Black, 4 without a result. Then come White's
/// score of the games with a result, in which a win is 1 and a draw 0.5, with the interval in which it truly is with a chance of 95 % (Wilson), the
/// mean rating of the players, and the last date. Positions that are the same, as --same says, are one, and so are moves
/// that lead to one; with `turned+colours` a game with exchanged colours counts for the side that is in its place. A position counts all games that come to it, also those that come `by other ways` (`other_ways`) than the
/// move before: together they are the games that `find --position` lists with the same level. So a continuation can have more games than
/// the move that leads to it. What follows a position is told once, where it first comes (`goes on above`). Moves are told on the board as it lies in the position that was asked for.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit tree archive/
  hivekit tree --position game.pgn@6 --depth 3 --min-games 5 archive/
  hivekit tree --player ada --since 2024 --format csv archive/ > ada.csv
  hivekit tree --depth 4 --format dot archive/ | dot -Tsvg > tree.svg")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// The position to begin with: FILE[#GAME][@PLY], a game string, or a position in any form [default: the start, for
    /// each game type]
    #[arg(long, value_name = "GAME", allow_hyphen_values = true)]
    position: Option<String>,
    /// Which positions are the same
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "turned")]
    same: SameLevel,
    /// How many plies to follow
    #[arg(long, value_name = "PLIES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    /// Leave out continuations that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// How to write the tree
    #[arg(long, value_enum, default_value = "text")]
    format: show::Format,
    #[command(flatten)]
    columns: Columns,
    #[command(flatten)]
    criteria: Criteria,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let options = args.reading.options();
    let given = match &args.position {
        None => None,
        Some(name) => {
            let loaded = Address::of(name)?.load(&args.reading.from, options)?;
            match loaded.fault {
                Some(fault) => return Err(Failure::Game(fault)),
                None => Some(loaded.position),
            }
        }
    };
    let depth = usize::try_from(args.depth).unwrap_or(usize::MAX);
    let root = Root::new(given.as_ref(), depth, args.same.level());
    let query = args.criteria.query();
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut counts = Counts::new(args.same.level());
    run.each_game(
        |game, candidate| root.visits(game, candidate, &query),
        |batch| {
            batch.results.iter().for_each(|(_, visits)| counts.add(visits));
            Ok(())
        },
    )?;
    let mut roots = match given {
        Some(position) => vec![position],
        None => counts.starts(),
    };
    let wishes = Wishes { depth, min_games: args.min_games, names: args.format.names_positions() };
    let trees = roots.iter_mut().map(|root| counts.tree(root, wishes));
    args.format.write(&trees.collect::<Vec<_>>(), &args.columns, *out)?;
    Ok(run.verdict_of_all())
}
