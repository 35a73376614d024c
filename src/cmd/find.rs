use super::{
    Failure, Io, Verdict,
    address::Address,
    args::SameLevel,
    criteria::Criteria,
    games::{Candidate, Reading, Run},
    moves::opening_to_go_on,
    select::{Hit, Selected, Show, What},
};
use crate::{
    game::Game,
    position::{Same, Sought},
    query::{Facts, Query},
    rules::{KeyPart, Position, RunningKey},
};

/// Find positions in games
///
/// Goes through each game ply by ply, and prints where a position comes, or where a question is answered with yes: as
/// FILE#GAME@PLY, which every command that takes a game takes. The ply counts those played, so 0 is before the first.
/// --count and --max-count count positions; with --first there is one for each game. Files can hold positions, too, told as
/// FILE#NUMBER. A game that is not legal to its end is told on standard error, and left out. See `docs/queries.md` for what can be asked, and `filter` for the games alone. Exits with 0 if something was found, with 1 if nothing was, with 2 if some
/// input could not be opened.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit find --position game.pgn@12 archive/
  hivekit find --position Base.w.wQbQ --same turned+colours archive.uhp
  hivekit find --key 3f2a90c1d4e5b678 archive/
  hivekit find --where 'around(wQ) == 6' archive/ --form canonical | sort | uniq -c
  hivekit find --where 'around(wQ) >= 5 and not pinned(bQ)' --first archive/
  hivekit find --where 'moves() == 0' --output rows --format csv archive/
  hivekit find --where 'height(wQ) > 2' archive/ | head -1 | xargs hivekit show")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// A position, of the same game type: FILE[#GAME][@PLY], a game string, or a position in any form
    #[arg(long, value_name = "GAME", allow_hyphen_values = true)]
    position: Option<String>,
    /// The key of a position, as `position --form key` prints it, or its first half; of several any one will do
    #[arg(long, value_name = "KEY,...", value_delimiter = ',', conflicts_with = "position")]
    key: Vec<KeyPart>,
    /// When a position is the same as that of --position or --key [default: turned]
    #[arg(long, value_enum, value_name = "LEVEL")]
    same: Option<SameLevel>,
    /// Take the first ply of each game alone
    #[arg(long)]
    first: bool,
    #[command(flatten)]
    criteria: Criteria,
    #[command(flatten)]
    show: Show,
}

/// What positions are looked for.
enum Wanted {
    Any,
    Position(Sought),
    /// By keys of this level.
    Keys(Same, Vec<KeyPart>),
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    args.show.check(What::Addresses)?;
    let wanted = args.wanted()?;
    let query = args.criteria.query();
    if matches!(wanted, Wanted::Any) && query.is_empty() {
        let message = "say what to find: --position, --key, --where, or what games are meant";
        return Err(Failure::Input(message.to_owned()));
    }
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut printer = args.show.printer(&args.reading.inputs, What::Addresses, *out)?;
    run.each(|found| args.look(found, &wanted, &query), |batch| printer.take(batch))?;
    printer.finish(run.verdict, quiet, run.err)
}

impl Wanted {
    fn is(&self, position: &mut Position, running: &RunningKey) -> bool {
        match self {
            Wanted::Any => true,
            Wanted::Position(sought) => {
                let key = running.key(position);
                sought.is(position, key)
            }
            Wanted::Keys(same, keys) => {
                let key = running.key(position);
                let own = same.keys(key, position);
                keys.iter().any(|part| own.iter().any(|&key| part.is_of(key)))
            }
        }
    }
}

impl Args {
    fn wanted(&self) -> Result<Wanted, Failure> {
        let same = self.same.map_or(Same::default(), SameLevel::level);
        let Some(name) = &self.position else {
            if self.key.is_empty() && self.same.is_some() {
                let message = "--same is for --position and --key";
                return Err(Failure::Input(message.to_owned()));
            }
            if self.key.is_empty() {
                return Ok(Wanted::Any);
            }
            if matches!(same, Same::Exact | Same::Shifted) {
                let message = "--key is for --same turned and --same turned+colours";
                return Err(Failure::Input(message.to_owned()));
            }
            return Ok(Wanted::Keys(same, self.key.clone()));
        };
        // A position that is none is not one that was not found.
        let plain = |failure: Failure| match failure {
            Failure::Game(message) => Failure::Input(message),
            other => other,
        };
        let reading = &self.reading;
        let mut loaded =
            Address::of(name)?.load(&reading.from, reading.options()).map_err(plain)?;
        match loaded.fault {
            Some(fault) => Err(Failure::Input(fault)),
            None => Ok(Wanted::Position(Sought::new(&mut loaded.position, same))),
        }
    }

    /// The plies of a game that are looked for, as they will be shown, or a position that is.
    fn look(
        &self,
        candidate: &mut Candidate<'_>,
        wanted: &Wanted,
        query: &Query,
    ) -> Option<Selected> {
        let plies = self.plies(candidate, wanted, query);
        let hit = match (self.show.invert_match, plies.is_empty()) {
            (false, false) if candidate.game.is_some() => Hit::Plies(plies),
            (false, false) | (true, true) => Hit::Game,
            (false, true) | (true, false) => return None,
        };
        Some(self.show.selected(candidate, hit, What::Addresses))
    }

    fn plies(&self, candidate: &mut Candidate<'_>, wanted: &Wanted, query: &Query) -> Vec<usize> {
        let Candidate { game, position, .. } = candidate;
        while position.undo() {}
        // What is legal in the opening is counted as `moves` does.
        position.set_opening(opening_to_go_on(*game, self.reading.rules.opening));
        let turns = game.map_or(&[][..], Game::turns);
        let mut running = RunningKey::new(position);
        let mut found = Vec::new();
        for ply in 0..=turns.len() {
            if ply > 0 {
                position.make(turns[ply - 1]);
                if !matches!(wanted, Wanted::Any) {
                    running.follow(position);
                }
            }
            let is_wanted = wanted.is(position, &running);
            let mut facts = Facts { game: *game, position };
            if is_wanted && query.holds(&mut facts) {
                found.push(ply);
                if self.first || self.show.invert_match {
                    break;
                }
            }
        }
        found
    }
}
