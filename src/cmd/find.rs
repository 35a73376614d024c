use super::{
    Failure, Io, Verdict,
    address::Address,
    criteria::Criteria,
    games::{Candidate, Reading, Run},
    moves::opening_to_go_on,
    select::{Hit, Selected, Show, What},
};
use crate::{
    position::{Same, Sought},
    query::{Facts, Query},
    rules::RunningKey,
};

/// Find positions in games
///
/// Goes through each game ply by ply, and prints where a position comes, or where a question is answered with yes: as
/// FILE#GAME@PLY, which every command that takes a game takes. The ply counts those played, so 0 is before the first. See
/// `docs/queries.md` for what can be asked, and `filter` for the games alone. Exits with 0 if something was found, with 1 if nothing was, with 2 if some
/// input could not be opened.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit find --position game.pgn@12 archive/
  hivekit find --position Base.w.wQbQ --same turned+colours archive.uhp
  hivekit find --where 'around(wQ) >= 5 and not pinned(bQ)' --first archive/
  hivekit find --where 'moves() == 0' --output rows --format csv archive/
  hivekit find --where 'height(wQ) > 2' archive/ | head -1 | xargs hivekit show")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// A position, of the same game type: FILE[#GAME][@PLY], a game string, or a position in any form
    #[arg(long, value_name = "GAME", allow_hyphen_values = true)]
    position: Option<String>,
    /// When a position is the same
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "turned")]
    same: SameLevel,
    /// Take the first ply of each game alone
    #[arg(long)]
    first: bool,
    #[command(flatten)]
    criteria: Criteria,
    #[command(flatten)]
    show: Show,
}

/// When two positions are the same.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(super) enum SameLevel {
    /// The same pieces on the same cells, and the same one moved last
    Exact,
    /// The same kinds of pieces, anywhere on the plane; who moved last counts where it changes what is legal
    Shifted,
    /// The same, turned and mirrored in any way
    Turned,
    /// The same with exchanged colours, too
    #[value(name = "turned+colours")]
    TurnedColours,
}

impl SameLevel {
    pub(super) fn level(self) -> Same {
        match self {
            SameLevel::Exact => Same::Exact,
            SameLevel::Shifted => Same::Shifted,
            SameLevel::Turned => Same::Turned,
            SameLevel::TurnedColours => Same::TurnedColours,
        }
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let options = args.reading.options();
    let sought = match &args.position {
        None => None,
        Some(name) => {
            // A position that is none is not one that was not found.
            let plain = |failure: Failure| match failure {
                Failure::Game(message) => Failure::Input(message),
                other => other,
            };
            let mut loaded = Address::of(name)?.load(&args.reading.from, options).map_err(plain)?;
            if let Some(fault) = loaded.fault {
                return Err(Failure::Input(fault));
            }
            Some(Sought::new(&mut loaded.position, args.same.level()))
        }
    };
    let query = args.criteria.query();
    if sought.is_none() && query.is_empty() {
        let message = "say what to find: --position, --where, or what games are meant";
        return Err(Failure::Input(message.to_owned()));
    }
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, *err);
    let mut printer = args.show.printer(&args.reading.inputs, What::Addresses, *out);
    run.each(|game| args.look(game, sought.as_ref(), &query), |batch| printer.take(batch))?;
    printer.finish(run.verdict)
}

impl Args {
    /// The plies of a game that are looked for, as they will be shown.
    fn look(
        &self,
        candidate: &mut Candidate<'_>,
        sought: Option<&Sought>,
        query: &Query,
    ) -> Option<Selected> {
        let plies = self.plies(candidate, sought, query);
        let hit = match (self.show.invert_match, plies.is_empty()) {
            (false, false) => Hit::Plies(plies),
            (true, true) => Hit::Game,
            (false, true) | (true, false) => return None,
        };
        Some(self.show.selected(candidate, hit, What::Addresses))
    }

    fn plies(
        &self,
        candidate: &mut Candidate<'_>,
        sought: Option<&Sought>,
        query: &Query,
    ) -> Vec<usize> {
        let Candidate { game, position, .. } = candidate;
        while position.undo() {}
        // What is legal in the opening is counted as `moves` does.
        position.set_opening(opening_to_go_on(Some(game), self.reading.rules.opening));
        let mut key = sought.map(|sought| (sought, RunningKey::new(position)));
        let mut found = Vec::new();
        for ply in 0..=game.turns().len() {
            if ply > 0 {
                position.make(game.turns()[ply - 1]);
                if let Some((_, key)) = &mut key {
                    key.follow(position);
                }
            }
            let is_sought = key.as_ref().is_none_or(|(sought, running)| {
                let key = running.key(position);
                sought.is(position, key)
            });
            let mut facts = Facts { game, position };
            if is_sought && query.holds(&mut facts) {
                found.push(ply);
                if self.first || self.show.invert_match {
                    break;
                }
            }
        }
        found
    }
}
