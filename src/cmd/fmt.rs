use super::{
    Failure, Io, Verdict,
    archive::Archive,
    args::{From, Jobs, Rules},
    input::Inputs,
    rewrite::{Goal, Read, Rewriter, Rewritten, Said, rewrite, rewritten},
};
use crate::{
    finding::{self, Finding},
    replay::Replayed,
    rules::OpeningRule,
};

/// Write games in one spelling, each in its own notation
///
/// Moves get the place that hivekit tells, names their case, tags their order, blanks and numbers of plies what the
/// notation asks for; the games stay the same. A game that cannot be read, is not legal, contradicts itself, or has
/// parts that cannot be written (such as unknown events) stays as it is, and what is wrong with it is
/// told on standard error; so do remarks between games. Notations of which only the games can be written, tables and JSON
/// of other programs, are refused.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit fmt games.uhp > clean.uhp
  hivekit fmt --check archive/
  hivekit fmt --in-place archive/")]
pub(super) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    /// Write nothing, name the files that would change, and exit with 1 if there are any
    #[arg(long, conflicts_with = "in_place")]
    check: bool,
    /// Write each file anew where it stands, if it would change
    #[arg(short, long)]
    in_place: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    jobs: Jobs,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let archive = Archive::of_games(&args.inputs, &args.from, args.jobs);
    let goal = match (args.check, args.in_place) {
        (true, _) => Goal::Names,
        (false, true) => Goal::InPlace(String::new()),
        (false, false) => Goal::Output,
    };
    rewrite(archive, args.rules.options(OpeningRule::Any), &OneSpelling, &goal, quiet, io)
}

/// Writes each game as hivekit spells it.
struct OneSpelling;

impl Rewriter for OneSpelling {
    fn rewrite(&self, read: Read<'_>) -> Rewritten {
        let Read { record, replayed, notation, .. } = read;
        let Replayed { game, fault, findings, .. } = replayed;
        let doubts = [record.findings, findings].concat().into_iter().find(is_doubt);
        let wrong = fault.or(doubts).map_or(Ok(()), Err);
        match wrong.and_then(|()| rewritten(&game, notation, &record.span)) {
            Ok(game) => Rewritten { text: Some(game), end: record.span.end, said: Vec::new() },
            Err(found) => Rewritten { text: None, end: 0, said: vec![found.into()] },
        }
    }

    fn is_verbatim(&self) -> bool {
        false
    }

    fn unreadable(&self, finding: Finding) -> Vec<Said> {
        vec![finding.into()]
    }
}

/// Whether a finding says that a record contradicts itself, so that one spelling would take a side, or that it says what
/// a game does not hold.
fn is_doubt(finding: &Finding) -> bool {
    [
        &finding::DUPLICATE_TAG,
        &finding::RESULT_MISMATCH,
        &finding::ILLEGAL_VARIATION,
        &finding::UNCONFIRMED,
        &finding::UNKNOWN_EVENT,
    ]
    .iter()
    .any(|code| code.name == finding.code)
}
