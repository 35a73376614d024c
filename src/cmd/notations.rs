use super::{Failure, Io, Verdict, rows::Output};
use crate::{
    notation::{self, Notation, Part},
    report::{Cell, Row},
};

/// List the notations, and what each can say
///
/// All are read and written. Every notation holds the turns; the columns tell which of the other parts of a game it
/// holds: tags, comments, clocks, offers and resignations, why the game ended, who won where the board does not show
/// it, expansions that were not used, rules that are not as usual, the numbers of equal pieces where they were placed out of order, which way the
/// board is turned, other lines of play, where the game stood before it was kept, and fan pieces.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    output: Output,
}

struct Known(&'static dyn Notation);

impl Row for Known {
    const COLUMNS: &'static [&'static str] = &[
        "notation",
        "about",
        "tags",
        "comments",
        "clocks",
        "controls",
        "cause",
        "result",
        "expansions",
        "rules",
        "numbers",
        "orientation",
        "variations",
        "origin",
        "fan_pieces",
    ];

    fn cells(&self) -> Vec<Cell> {
        let text = |text: &str| Cell::Text(text.to_owned());
        let held = Part::ALL
            .iter()
            .filter(|part| !matches!(part, Part::Turns | Part::Others))
            .map(|part| Cell::Flag(self.0.holds().contains(part)));
        let names = [text(self.0.name()), text(self.0.about())];
        names.into_iter().chain(held).chain([Cell::Flag(self.0.has_fan_pieces())]).collect()
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    args.output.write(notation::ALL.iter().map(|&notation| Known(notation)), io.out)?;
    Ok(Verdict::Clean)
}
