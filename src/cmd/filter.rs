use super::{
    Failure, Io, Verdict,
    criteria::Criteria,
    games::{Candidate, Reading, Run},
    moves::opening_to_go_on,
    select::{Hit, Selected, Show, What},
};
use crate::query::{Facts, Query};

/// Select games
///
/// Prints the games that are as asked, as they stand in their files, or in another notation. All options have to hold. Files
/// can hold positions, too, of which is known what is on the table, and nothing of a game.
/// Names are parts of names, without regard to capitals; a date is compared as far as it is given, so 2024 is any day of that
/// year. See `docs/queries.md` for what else can be asked with --where; what is asked of positions is asked of the last one
/// of each game. Exits with 0 if there is such a game, with 1 if there is none, with 2 if some input could not be opened.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit filter --player ada archive.pgn > ada.pgn
  hivekit filter --type Base+MLP --result draw --since 2024 archive/ --to uhp
  hivekit filter --min-plies 40 --cause time -c archive/
  hivekit filter --cause time archive/ --form canonical | sort | uniq -c
  hivekit filter --where 'moves() == 0' positions.txt
  hivekit filter --where 'rating_gap > 300 and result == black' archive/ --output rows")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    criteria: Criteria,
    #[command(flatten)]
    show: Show,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    args.show.check(What::Records)?;
    let query = args.criteria.query();
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut printer = args.show.printer(&args.reading.inputs, What::Records, *out)?;
    run.each(|game| args.look(game, &query), |batch| printer.take(batch))?;
    printer.finish(run.verdict, quiet, run.err)
}

impl Args {
    fn look(&self, candidate: &mut Candidate<'_>, query: &Query) -> Option<Selected> {
        let Candidate { game, position, .. } = candidate;
        position.set_opening(opening_to_go_on(*game, self.reading.rules.opening));
        let is_so = query.holds(&mut Facts { game: *game, position });
        (is_so != self.show.invert_match)
            .then(|| self.show.selected(candidate, Hit::Game, What::Records))
    }
}
