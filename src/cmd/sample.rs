use super::{
    Failure, Io, Verdict,
    address::name_of,
    content::Content,
    games::{Reading, Run},
    records::{Records, Text, To},
};
use std::io::{self, Write};

/// Take some games at random
///
/// Prints so many games of an archive, or about such a share of them, in their order, each with the same chance. The same seed
/// takes the same games of the same archive. A game that cannot be read or is not legal is told on standard error, and never
/// taken.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit sample --games 100 --seed 7 archive/ --to uhp > some.uhp
  hivekit sample --share 0.01 archive.pgn > some.pgn")]
#[command(group(clap::ArgGroup::new("how").required(true).args(["games", "share"])))]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// How many games; all, if there are fewer
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// The chance of each game to be taken, from 0 to 1
    #[arg(long, value_name = "P", value_parser = share)]
    share: Option<f64>,
    /// Which games
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    to: To,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut dice = fastrand::Rng::with_seed(args.seed);
    let mut records = args.to.records();
    let mut taken: Vec<Taken> = Vec::new();
    let mut seen = 0;
    run.each_game(
        |_, candidate| Some(args.to.text(candidate)),
        |batch| {
            for (number, text) in batch.results {
                let address = name_of(&batch.file, number, None);
                let game = Taken { at: seen, text, address, content: batch.content };
                seen += 1;
                match (args.games, args.share) {
                    (Some(games), _) => game.draw(games, &mut taken, &mut dice),
                    (None, share) if dice.f64() < share.unwrap_or(0.0) => {
                        game.write(&mut records, *out)?;
                    }
                    (None, _) => {}
                }
            }
            Ok(())
        },
    )?;
    taken.sort_by_key(|game| game.at);
    taken.iter().try_for_each(|game| game.write(&mut records, *out))?;
    let told = records.tell(quiet, run.err)?;
    Ok(run.verdict_of_all().max(told))
}

/// A game that may be printed.
struct Taken {
    /// How many games stand before it.
    at: usize,
    address: String,
    text: Text,
    content: Content,
}

impl Taken {
    fn write(&self, records: &mut Records, out: &mut dyn Write) -> io::Result<()> {
        records.write(&self.text, self.content, || self.address.clone(), out)
    }

    /// Takes the place of one of those that were taken, or none, so that all games up to here have the same chance
    /// (algorithm R of Waterman, as Knuth tells it).
    fn draw(self, games: usize, taken: &mut Vec<Taken>, dice: &mut fastrand::Rng) {
        if taken.len() < games {
            taken.push(self);
            return;
        }
        let place = dice.usize(..=self.at);
        if let Some(other) = taken.get_mut(place) {
            *other = self;
        }
    }
}
