use super::{
    Failure, Io, Verdict,
    address::Address,
    args::{From, Rules},
    moves::opening_to_go_on,
};
use crate::{
    notation::move_string::MoveString,
    rules::{self, OpeningRule},
};

/// Count the lines of play that follow a position
///
/// Prints a line `DEPTH COUNT` for each depth from 1 on: the number of different sequences of as many turns. A
/// forced pass counts as a turn, and a finished game has none. The counts of the start positions are
/// published, so they prove a rules engine. Each depth takes about thirty times as long as the one before.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit perft Base 5
  hivekit perft game.pgn@20 3 --divide")]
pub(super) struct Args {
    /// A game type such as `Base+MLP`, FILE[#GAME][@PLY], a game string, or `-`
    #[arg(value_name = "GAME", allow_hyphen_values = true)]
    game: String,
    /// The greatest number of turns
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=100))]
    depth: u32,
    /// Print the count of the greatest depth for each first turn
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let options = args.rules.options(OpeningRule::Any);
    let game = match args.game.parse::<rules::GameType>() {
        Ok(game_type) => format!("{game_type};NotStarted;White[1]"),
        Err(_) => args.game.clone(),
    };
    let mut loaded = Address::of(&game)?.load(&args.from, options)?;
    if let Some(fault) = loaded.fault {
        return Err(Failure::Game(fault));
    }
    let opening = opening_to_go_on(loaded.game.as_ref(), args.rules.opening);
    let position = &mut loaded.position;
    position.set_opening(opening);
    if args.divide {
        for (turn, lines) in rules::divide(position, args.depth) {
            writeln!(io.out, "{} {lines}", MoveString::new(position, turn))?;
        }
        return Ok(Verdict::Clean);
    }
    for depth in args.depth.min(1)..=args.depth {
        writeln!(io.out, "{depth} {}", rules::perft(position, depth))?;
        io.out.flush()?;
    }
    Ok(Verdict::Clean)
}
