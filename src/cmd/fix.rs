use super::{
    Failure, Io, Verdict,
    archive::{self, Archive},
    args::{From, Jobs, Rules},
    check::codes,
    input::Inputs,
    rewrite::{FIXED, Goal, Read, Rewriter, Rewritten, SALVAGED, Said, rewrite, rewritten},
};
use crate::{
    finding::{self, Code, Finding, Severity},
    game::Game,
    notation::Notation,
    record::{Aside, Remark},
    replay::{Replayed, Replayer, RuleOptions},
    rules::OpeningRule,
    source::Source,
};
use std::ops::Range;

/// Put right what is certain in records
///
/// Games with slips that leave no doubt are written anew in their own notation, as `fmt` writes them: forced passes are put in, names, numbers,
/// blanks and places spelled as the notation asks for, states and turns as the moves lead to them, results as the board shows them, raw
/// logs left out, the text as UTF-8. All other games stay as they stand. What was put right is told on standard error as `fixed`, what
/// cannot be as `left`. Nothing that was in a record is lost; what is written is checked, and is left alone if it is not clean. Exits with 0
/// if no error is left, with 1 if one is, with 2 if some input could not be opened.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit fix games.uhp > fixed.uhp
  hivekit fix --diff archive/
  hivekit fix --in-place=.bak archive/
  hivekit fix --only omitted-pass,number-order games.pgn
  hivekit fix --salvage broken.pgn > legal.pgn")]
pub(super) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    /// Write nothing: tell what would be fixed
    #[arg(short = 'n', long, conflicts_with_all = ["in_place", "diff"])]
    dry_run: bool,
    /// Write what would change as differences
    #[arg(long, conflicts_with = "in_place")]
    diff: bool,
    /// Write each file anew where it stands, if something is fixed; the file as it was is kept under its name with SUFFIX, if that is given
    #[arg(short, long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    in_place: Option<String>,
    /// Write only games anew in which something of these codes can be fixed
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = codes(), hide_possible_values = true)]
    only: Vec<String>,
    /// Of a game that is not legal to its end keep the legal part, with the rest as a comment, or as a line before it where the notation has such
    #[arg(long)]
    salvage: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    jobs: Jobs,
}

/// What can be put right without a doubt.
const FIXABLE: &[&Code] = &[
    &finding::STATE_MISMATCH,
    &finding::TURN_MISMATCH,
    &finding::RESULT_MISMATCH,
    &finding::UNDECLARED_EXPANSION,
    &finding::NUMBER_ORDER,
    &finding::CLIMB_BY_DIRECTION,
    &finding::OMITTED_PASS,
    &finding::PLY_NUMBER,
    &finding::DUPLICATE_TAG,
    &finding::GAME_TYPE_SPELLING,
    &finding::MISSING_HEADER,
    &finding::ENCODING,
    &finding::EVENT_LOG,
    &finding::STRAY_DONE,
    &finding::BLANKS,
    &finding::LETTER_CASE,
    &finding::NUMBERED_UNIQUE,
    &finding::DOT_SPOT,
    &finding::SELF_REFERENCE,
    &finding::BURIED_REFERENCE,
    &finding::TRAILING_SEPARATOR,
];

/// What has to do with the game, and nothing with how it is written.
const FACTS: &[&Code] = &[
    &finding::QUEEN_FIRST,
    &finding::REPETITION,
    &finding::RESULT_OFF_BOARD,
    &finding::UNFINISHED,
];

/// The word for what cannot be put right.
const LEFT: &str = "left";

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let archive =
        Archive { inputs: &args.inputs, from: &args.from, jobs: args.jobs, takes_positions: false };
    let goal = match &args.in_place {
        Some(suffix) => Goal::InPlace(suffix.clone()),
        None if args.diff => Goal::Differences,
        None if args.dry_run => Goal::Nothing,
        None => Goal::Output,
    };
    let options = args.rules.options(OpeningRule::Any);
    let fixer = Fixer { only: &args.only, salvages: args.salvage, options };
    rewrite(archive, options, &fixer, &goal, quiet, io)
}

/// Writes games anew in which something is certainly wrong.
struct Fixer<'a> {
    only: &'a [String],
    salvages: bool,
    options: RuleOptions,
}

impl Rewriter for Fixer<'_> {
    fn rewrite(&self, read: Read<'_>) -> Rewritten {
        let Read { record, replayed, source, notation } = read;
        let Replayed { mut game, fault, findings, .. } = replayed;
        let mut found = [record.findings, findings].concat();
        found.extend(
            archive::repaired(source).filter(|found| record.span.contains(&found.span.start)),
        );
        found.retain(|finding| !is_any(FACTS, finding));
        let is_fixable = |finding: &Finding| can_fix(finding, &game);
        let (mut fixed, mut left): (Vec<Finding>, Vec<Finding>) =
            found.into_iter().partition(is_fixable);
        // What is doubtful in one place makes the whole game so.
        let is_doubtful = left.iter().any(|finding| finding.severity > Severity::Note);
        let (mut comment, mut salvaged) = (None, None);
        match fault {
            Some(fault) if self.salvages && !is_doubtful => {
                let rest = source.text().get(fault.span.start..record.span.end).unwrap_or_default();
                comment = Some(comment_of(&fault, rest));
                salvaged = Some(fault);
            }
            fault => left.extend(fault),
        }
        let is_wanted = left.iter().all(|finding| finding.severity < Severity::Warning)
            && (self.only.is_empty() && (!fixed.is_empty() || salvaged.is_some())
                || fixed.iter().any(|finding| self.only.iter().any(|code| code == finding.code)));
        let new = if is_wanted {
            self.written(&mut game, comment, notation, &record.span)
        } else {
            Ok(None)
        };
        let text = new.unwrap_or_else(|loss| {
            left.push(loss);
            None
        });
        if text.is_none() {
            left.append(&mut fixed);
            left.extend(salvaged.take());
        }
        // A raw log stands behind the game that it repeats.
        let logs = fixed.iter().filter(|finding| finding.code == finding::EVENT_LOG.name);
        let end = logs.map(|finding| finding.span.end).max().unwrap_or(0);
        left.sort_by_key(|finding| finding.span.start);
        let word = |word| move |finding| Said { finding, word: Some(word) };
        let said = fixed.into_iter().map(word(FIXED));
        let said = said.chain(salvaged.map(word(SALVAGED)));
        let said = said.chain(left.into_iter().map(word(LEFT)));
        Rewritten { text, end, said: said.collect() }
    }

    fn unreadable(&self, finding: Finding) -> Vec<Said> {
        vec![Said { finding, word: Some(LEFT) }]
    }
}

impl Fixer<'_> {
    /// The game in its notation with a comment, if that is clean and nothing is lost.
    fn written(
        &self,
        game: &mut Game,
        comment: Option<String>,
        notation: &dyn Notation,
        span: &Range<usize>,
    ) -> Result<Option<String>, Finding> {
        let mut line = String::new();
        match (comment, notation.remark_sign()) {
            (Some(comment), Some(sign)) => line = format!("{sign}{comment}\n"),
            (Some(comment), None) => {
                let after = game.turns().len();
                game.add_remark(Remark { after, what: Aside::Comment(comment) });
            }
            (None, _) => {}
        }
        let text = line + &rewritten(game, notation, span)?;
        let source = Source::new("what was written", [notation.prologue(), &text].concat());
        let mut findings = Vec::new();
        for record in notation.read(&source) {
            match record {
                Ok(record) => {
                    let replayed = Replayer::new(self.options).replay(&record);
                    let found = [record.findings, replayed.findings].concat();
                    findings.extend(found.into_iter().chain(replayed.fault));
                }
                Err(finding) => findings.push(finding),
            }
        }
        let wrong = findings.into_iter().find(|finding| finding.severity > Severity::Note);
        match wrong {
            None => Ok(Some(text)),
            Some(wrong) => {
                let message = format!("it stays as it is: written anew, {}", wrong.message);
                Err(Finding::new(&finding::LOSS, span.start..span.start, message))
            }
        }
    }
}

/// Whether a finding tells what is certainly meant.
fn can_fix(finding: &Finding, game: &Game) -> bool {
    let is_certain = if finding.code == finding::RESULT_MISMATCH.name {
        // The board decides.
        game.ends_on_board()
    } else {
        is_any(FIXABLE, finding)
    };
    is_certain && finding.severity < Severity::Error
}

fn is_any(codes: &[&Code], finding: &Finding) -> bool {
    codes.iter().any(|code| code.name == finding.code)
}

/// What stands behind the legal part of a game, and why it is no part of it.
fn comment_of(fault: &Finding, rest: &str) -> String {
    let ply = fault.ply.unwrap_or_default();
    // Comments do not nest.
    let rest = rest.replace('{', "(").replace('}', ")");
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("ply {ply}: {} [{}]: {rest}", fault.message, fault.code)
}
