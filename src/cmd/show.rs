use super::{
    Failure, Io, Verdict,
    address::{Address, Ply},
    args::{From, Rules},
};
use crate::{position::diagram, rules::OpeningRule};

/// Draw a position
///
/// Draws the position after the last ply of a game, or after another one. The drawing can be read back:
/// given on standard input it is a position like any other, and one typed by hand needs only the rows
/// of pieces. (The cell that the last turn left is not read back.) A star marks the piece of the last turn, `o` the cell it left; `wB1^2` stands
/// on two other pieces, which are listed below from the bottom to the top.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit show game.pgn
  hivekit show games.uhp#3 --at 12
  hivekit show 'Base;InProgress;White[2];wS1;bG1 wS1-'
  hivekit show game.sgf@-1 | hivekit show -")]
pub(super) struct Args {
    /// FILE[#GAME][@PLY], a game string, or `-` for standard input
    #[arg(value_name = "GAME", default_value = "-", allow_hyphen_values = true)]
    game: String,
    /// The ply to draw: a number (0 is before the first), `last`, or -N for N plies before the end
    #[arg(long, value_name = "PLY", allow_hyphen_values = true)]
    at: Option<Ply>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let address = Address::of(&args.game)?.with_ply(args.at)?;
    let loaded = address.load(&args.from, args.rules.options(OpeningRule::Any))?;
    write!(io.out, "{}", diagram::draw(&loaded.position))?;
    let Some(fault) = loaded.fault else { return Ok(Verdict::Clean) };
    io.out.flush()?;
    writeln!(io.err, "hivekit: {fault}")?;
    Ok(Verdict::Findings)
}
