use super::{
    Failure, Io, Verdict,
    archive::{self, Archive},
    args::{From, Jobs, Rules},
    check::code,
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
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = code)]
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

/// What leaves a doubt about the game, or what a game does not hold: such a record is not written anew.
const DOUBTS: &[&Code] = &[
    &finding::DUPLICATE_TAG,
    &finding::RESULT_MISMATCH,
    &finding::ILLEGAL_VARIATION,
    &finding::UNCONFIRMED,
    &finding::UNKNOWN_EVENT,
    &finding::TWO_SIDED_SPOT,
    &finding::OTHER_COLORS,
    &finding::REFERENCE_MISMATCH,
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
    let archive = Archive::of_games(&args.inputs, &args.from, args.jobs);
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
        let Replayed { mut game, fault, findings, attempt } = replayed;
        let mut found = [record.findings, findings].concat();
        found.extend(
            archive::repaired(source).filter(|found| record.span.contains(&found.span.start)),
        );
        found.retain(|finding| !is_any(FACTS, finding));
        let is_fixable = |finding: &Finding| can_fix(finding, &game);
        let (fixed, mut left): (Vec<Finding>, Vec<Finding>) =
            found.into_iter().partition(is_fixable);
        let doubt = left.iter().find(|finding| is_any(DOUBTS, finding)).map(|finding| finding.code);
        let (salvaged, fault) = match doubt {
            None if self.salvages => (fault, None),
            Some(code) if self.salvages => (None, fault.map(|fault| not_salvaged(fault, code))),
            _ => (None, fault),
        };
        left.extend(fault);
        let comment = salvaged.as_ref().map(|fault| {
            // What stands behind the fault is in the comment.
            let at = attempt.map_or(0, |attempt| attempt.at);
            game.keep_remarks(record.remarks.iter().filter(|remark| remark.after <= at).count());
            comment_of(
                fault,
                source.text().get(fault.span.start..record.span.end).unwrap_or_default(),
            )
        });
        let mut plan = Plan { fixed, salvaged, left };
        let written = match plan.obstacle() {
            _ if !plan.is_asked(self.only) => Ok(None),
            Some(code) => Err(format!("[{code}] leaves a doubt")),
            None => self.written(&mut game, comment, notation, &record.span, &plan.left),
        };
        let text = written.unwrap_or_else(|why| {
            plan.give_up(&why);
            None
        });
        if text.is_none() {
            plan.forget();
        }
        plan.rewritten(text)
    }

    fn is_verbatim(&self) -> bool {
        true
    }

    fn unreadable(&self, finding: Finding) -> Vec<Said> {
        vec![Said { finding, word: Some(LEFT) }]
    }
}

/// What is found in a game, by what becomes of it.
struct Plan {
    fixed: Vec<Finding>,
    salvaged: Option<Finding>,
    left: Vec<Finding>,
}

impl Plan {
    /// The code of what forbids to write the game anew.
    fn obstacle(&self) -> Option<&'static str> {
        let forbids =
            |finding: &&Finding| is_any(DOUBTS, finding) || finding.severity == Severity::Error;
        self.left.iter().find(forbids).map(|finding| finding.code)
    }

    /// Whether something is to be done, of these codes if any are named.
    fn is_asked(&self, only: &[String]) -> bool {
        let is_named = |finding: &Finding| only.iter().any(|code| code == finding.code);
        match only {
            [] => !self.fixed.is_empty() || self.salvaged.is_some(),
            _ => self.fixed.iter().chain(&self.salvaged).any(is_named),
        }
    }

    /// Leaves everything, and says why.
    fn give_up(&mut self, why: &str) {
        let given_up = self.fixed.drain(..).chain(self.salvaged.take());
        self.left.extend(given_up.map(|finding| {
            let message = format!("{} (not fixed, since {why})", finding.message);
            Finding { message, ..finding }
        }));
    }

    /// Says nothing of what was not asked for; a game that is not legal is told in any case.
    fn forget(&mut self) {
        self.fixed.clear();
        self.left.extend(self.salvaged.take());
    }

    fn rewritten(self, text: Option<String>) -> Rewritten {
        let Plan { fixed, salvaged, mut left } = self;
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
}

impl Fixer<'_> {
    /// The game in its notation with a comment, if that is clean but for what is left, and nothing is lost.
    fn written(
        &self,
        game: &mut Game,
        comment: Option<String>,
        notation: &dyn Notation,
        span: &Range<usize>,
        left: &[Finding],
    ) -> Result<Option<String>, String> {
        let mut line = String::new();
        match (comment, notation.remark_sign()) {
            (Some(comment), Some(sign)) => line = format!("{sign}{comment}\n"),
            (Some(comment), None) => {
                let after = game.turns().len();
                game.add_remark(Remark { after, what: Aside::Comment(comment) });
            }
            (None, _) => {}
        }
        let text = rewritten(game, notation, span).map_err(|loss| loss.message)?;
        let text = line + &text;
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
        let is_known = |finding: &Finding| {
            is_any(FACTS, finding) || left.iter().any(|left| left.code == finding.code)
        };
        match findings.into_iter().find(|finding| !is_known(finding)) {
            None => Ok(Some(text)),
            Some(wrong) => Err(format!("written anew it would say: {}", wrong.message)),
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

/// The fault of a game that is not salvaged for a doubt.
fn not_salvaged(fault: Finding, code: &str) -> Finding {
    let message = format!("{} (not salvaged, since [{code}] leaves a doubt)", fault.message);
    Finding { message, ..fault }
}

/// What stands behind the legal part of a game, and why it is no part of it.
fn comment_of(fault: &Finding, rest: &str) -> String {
    let ply = fault.ply.unwrap_or_default();
    // Comments do not nest.
    let rest = rest.replace('{', "(").replace('}', ")");
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("ply {ply}: {} [{}]: {rest}", fault.message, fault.code)
}
