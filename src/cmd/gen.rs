use super::{Failure, Io, Verdict, args::Opening};
use crate::{
    notation::{Notation, Style, uhp::Uhp},
    replay,
    rules::{GameType, Position, Turn},
};

/// Make up random legal games
///
/// Each turn is any of the legal ones, all equally likely. Writes game strings, one a line. The same seed
/// gives the same games, and the first games of a longer run are those of a shorter one.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit gen --games 1000 --seed 7 > games.uhp
  hivekit gen --type Base --plies 20 | hivekit show -")]
pub(super) struct Args {
    /// The pieces of the games
    #[arg(long = "type", value_name = "TYPE", default_value = "Base+MLP")]
    game_type: GameType,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,
    /// How many plies a game has at most
    #[arg(long, value_name = "N", default_value_t = 80)]
    plies: usize,
    /// Which games
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// May a queen be the first piece of a side?
    #[arg(long, value_enum, value_name = "RULE", default_value = "tournament")]
    opening: Opening,
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let opening = args.opening.rule();
    let mut position = Position::new(args.game_type, opening);
    let mut dice = fastrand::Rng::with_seed(args.seed);
    for _ in 0..args.games {
        position.restart(args.game_type, opening);
        // Each game has dice of its own, so that its length does not change the next one.
        let turns = play(&mut position, args.plies, &mut dice.fork());
        let game = replay::prove(args.game_type, opening, turns).map_err(|illegal| {
            Failure::Input(format!("the rules contradict each other: {illegal}"))
        })?;
        Uhp.write(&game, Style::default(), io.out)?;
    }
    Ok(Verdict::Clean)
}

/// Plays to the end, or for a number of plies.
fn play(position: &mut Position, plies: usize, dice: &mut fastrand::Rng) -> Vec<Turn> {
    let mut played = Vec::new();
    while played.len() < plies {
        let mut turns = position.turns();
        // A seed means the same games however the turns are found.
        turns.sort_unstable();
        let Some(&turn) = dice.choice(&turns) else { break };
        position.make(turn);
        played.push(turn);
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::OpeningRule;

    #[test]
    fn dice_choose_among_legal_turns_only() {
        let mut dice = fastrand::Rng::with_seed(1);
        let mut position = Position::new(GameType::BASE, OpeningRule::Tournament);
        let turns = play(&mut position, 40, &mut dice);
        assert_eq!(turns.len(), 40);
        assert!(replay::prove(GameType::BASE, OpeningRule::Tournament, turns).is_ok());
    }
}
