mod output;
mod readback;
mod total;

use super::{
    Failure, Io, Verdict,
    archive::{self, Archive, Part},
    args::{Dialect, From, Jobs, Progress, Reference, Rules},
    input::{Input, Inputs, Unreadable},
    placed::Placed,
};
use crate::{
    finding::{self, Finding, Severity},
    game::Game,
    notation::{self, Notation, Part as GamePart, Style, Unproven, offset_in},
    record::{Origin, Record},
    replay::{Replayed, Replayer},
    rules::OpeningRule,
    source::Source,
};
use clap::builder::PossibleValuesParser;
use output::{Output, Wishes};
use readback::{difference, lost_tags};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};
use total::{Total, is_told};

/// Write games in another notation
///
/// Every game is proven before it is written: one that cannot be read or is not legal is told on standard
/// error, the others follow, and the exit code is 1; only `ndjson` keeps it, as it stands. What is doubtful about a game is told as a warning, and what the
/// notation cannot say is told once. Archives of any size are read piece by piece, and the games come out in
/// their order.
#[derive(clap::Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = "Examples:
  hivekit convert --to uhp archive/*.sgf > archive.uhp
  hivekit convert --to pgn game.uhp
  hivekit convert archive/ -o archive.ndjson
  hivekit convert archive/ --to pgn --dialect mzinga -o pgn/
  cat game.pgn | hivekit convert --to uhp")]
pub(super) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    /// The notation to write [default: the one that the name of the file after -o ends with]
    #[arg(long, value_name = "NOTATION", value_parser = PossibleValuesParser::new(notation::names()))]
    to: Option<String>,
    /// The program whose PGN is imitated; it does not choose the neighbours: see --reference
    #[arg(long, value_enum, value_name = "PROGRAM")]
    dialect: Option<Dialect>,
    /// By which neighbour the place of a piece is told in move strings
    #[arg(long, value_enum, value_name = "CHOICE", default_value = "hivekit")]
    reference: Reference,
    /// Write to a file; or to a folder, if it is one or the name ends with `/`: then each input gets a file of
    /// its own there, in the same tree
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// Write a file for each game into the folder of -o
    #[arg(long)]
    split: bool,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
    /// What to do where the notation cannot say a part of a game
    #[arg(long, value_enum, value_name = "WHAT", default_value = "warn")]
    loss: OnLoss,
    /// Read each game back and compare it, turn by turn
    #[arg(long)]
    verify: bool,
    /// Keep with each game where it stood: its file and its lines; for `ndjson` alone
    #[arg(long)]
    origin: bool,
    /// Let nothing pass: what `check --strict` calls an error keeps a game out
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    progress: Progress,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum OnLoss {
    /// Leave the game out, and say why
    Error,
    /// Say it once for all games
    Warn,
    /// Say nothing
    Allow,
}

impl Args {
    /// The notation to write.
    fn notation(&self) -> Result<&'static dyn Notation, Failure> {
        let extension = self.output.as_deref().and_then(Path::extension).and_then(OsStr::to_str);
        if let Some(packing) = extension.filter(|name| ["gz", "zst", "zip"].contains(name)) {
            let message =
                format!("nothing is written packed: leave `.{packing}` away, and pack the file");
            return Err(Failure::Input(message));
        }
        let is_of = |to: &&&dyn Notation| extension == Some(to.extension());
        let mut of_extension = notation::ALL.iter().filter(is_of);
        // Some share an extension: then it says nothing.
        let only = of_extension.next().filter(|_| of_extension.next().is_none()).copied();
        let named = self.to.as_deref().or(extension).and_then(notation::named);
        let to = named.or(only.filter(|_| self.to.is_none())).ok_or_else(|| {
            let names = notation::names().collect::<Vec<_>>().join(", ");
            Failure::Input(format!("say which notation to write, with --to: {names}"))
        })?;
        if self.dialect.is_some() && to.name() != "pgn" {
            return Err(Failure::Input("--dialect is for --to pgn".to_owned()));
        }
        if self.origin && !to.holds().contains(&GamePart::Origin) {
            return Err(Failure::Input("--origin is for --to ndjson".to_owned()));
        }
        Ok(to)
    }

    fn style(&self) -> Style {
        Style {
            reference: self.reference.choice(),
            dialect: self.dialect.map(Dialect::choice).unwrap_or_default(),
        }
    }
}

/// What came of a part.
enum Done {
    Converted(Converted),
    Skipped,
    Unreadable(Unreadable),
}

/// The games of a part, written anew.
#[derive(Default)]
struct Converted {
    file: String,
    input: Arc<Input>,
    is_first: bool,
    /// Whether games that are kept as they stand tell where they stood.
    keeps_origin: bool,
    /// How many games were read.
    games: usize,
    /// The games that can be written: the number of each in the part, from 1, and where its text ends.
    ends: Vec<(usize, usize)>,
    text: Vec<u8>,
    /// What there is to say about them.
    findings: Vec<Placed>,
    lost: BTreeMap<GamePart, usize>,
    lost_tags: BTreeSet<String>,
    /// How many games were not proven, and are kept as they stand.
    kept: usize,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let to = args.notation()?;
    let wishes = Wishes {
        path: args.output.as_deref(),
        split: args.split,
        force: args.force,
        extension: to.extension(),
        prologue: to.prologue(),
        separator: to.separator(),
    };
    let mut output = Output::open(wishes, &mut *io.out)?;
    let archive = Archive::of_games(&args.inputs, &args.from, args.jobs);
    let mut total = Total::default();
    let bar = args.progress.bar();
    let opening = if args.strict { OpeningRule::Tournament } else { OpeningRule::Any };
    archive.each(
        || Replayer::new(args.rules.options(opening)),
        |replayer, part| work(args, to, replayer, part),
        |done| {
            match done {
                Done::Skipped => {}
                Done::Unreadable(unreadable) => {
                    total.verdict = Verdict::Incomplete;
                    bar.suspend(|| writeln!(io.err, "hivekit: {unreadable}"))?;
                }
                Done::Converted(converted) => {
                    if converted.is_first {
                        total.begin_file();
                    }
                    if converted.findings.iter().any(|placed| is_told(placed, quiet)) {
                        bar.suspend(|| total.tell(&converted, quiet, io.err))?;
                    }
                    bar.suspend_for_output(|| total.add(converted, &mut output, io.err))?;
                }
            }
            bar.tell(total.files, total.games);
            Ok(())
        },
    )?;
    bar.clear();
    output.finish()?;
    if !quiet {
        total.finish(args, to, io.err)?;
    }
    Ok(total.verdict)
}

/// Writes the games of one part anew.
fn work(args: &Args, to: &'static dyn Notation, replayer: &mut Replayer, part: Part) -> Done {
    match part {
        Part::Skipped(_) => Done::Skipped,
        Part::Unreadable(unreadable) => Done::Unreadable(unreadable),
        Part::Unknown(source) | Part::Positions { source, .. } => {
            let findings = vec![Placed::new(&source, None, archive::unknown(&source))];
            let file = source.name().to_owned();
            Done::Converted(Converted { file, is_first: true, findings, ..Converted::default() })
        }
        Part::Games { source, notation, is_first, input, .. } => {
            let file = source.name().to_owned();
            let mut converted = Converted {
                file,
                input,
                is_first,
                keeps_origin: args.origin,
                ..Converted::default()
            };
            if let Some(mut found) = archive::repaired(&source) {
                if args.strict {
                    found.severity = Severity::Error;
                }
                converted.findings.push(Placed::new(&source, None, found));
            }
            let mut broken: Vec<(usize, Finding)> = Vec::new();
            let mut done = 0;
            for record in notation.read(&source) {
                let end = record.as_ref().map_or(done, |record| record.span.end);
                let start = record.as_ref().map_or(done, |record| record.span.start);
                // Where a game begins that cannot be read, and where it ends, only the others around it tell.
                let text = source.text().get(done..start).unwrap_or_default();
                if record.is_ok() {
                    converted.keep(to, notation, &source, text, &std::mem::take(&mut broken));
                }
                converted.games += 1;
                let fault = converted.add(args, to, replayer, &source, record);
                done = end;
                match fault {
                    Some(fault) if end > start => {
                        let text = source.text().get(start..end).unwrap_or_default();
                        converted.keep(to, notation, &source, text, &[(converted.games, fault)]);
                    }
                    Some(fault) => broken.push((converted.games, fault)),
                    None => {}
                }
            }
            let text = source.text().get(done..).unwrap_or_default();
            converted.keep(to, notation, &source, text, &broken);
            Done::Converted(converted)
        }
    }
}

impl Converted {
    /// Writes one game, unless it cannot be read or is not legal.
    fn add(
        &mut self,
        args: &Args,
        to: &dyn Notation,
        replayer: &mut Replayer,
        source: &Source,
        record: Result<Record, Finding>,
    ) -> Option<Finding> {
        let mut findings = Vec::new();
        let written = record.and_then(|mut record| {
            if args.origin {
                record.origin.get_or_insert_with(|| origin(source, &record.span));
            }
            let Replayed { game, fault, findings: about, .. } = replayer.replay(&record);
            let span = record.span.clone();
            findings = [record.findings, about].concat();
            if let Some(fault) = fault {
                return Err(fault);
            }
            if args.strict && findings.iter().any(|finding| finding.is_leniency) {
                findings.iter_mut().filter(|finding| finding.is_leniency).for_each(|finding| {
                    finding.severity = Severity::Error;
                });
                return Ok(());
            }
            match self.write(args, to, &game) {
                Ok(lost) if args.loss == OnLoss::Warn && lost.contains(&GamePart::Numbers) => {
                    findings.extend(renumbered(&game, span));
                    Ok(())
                }
                Ok(_) => Ok(()),
                Err((code, message)) => Err(Finding::new(code, span, message)),
            }
        });
        findings.retain(|finding| finding.severity > Severity::Note);
        let fault = written.err();
        findings.extend(fault.clone());
        findings.sort_by_key(|finding| finding.span.start);
        let games = self.games;
        self.findings
            .extend(findings.into_iter().map(|found| Placed::new(source, Some(games), found)));
        fault
    }

    /// Keeps the text of games that are not proven, if the notation to write has a place for such.
    fn keep(
        &mut self,
        to: &dyn Notation,
        from: &dyn Notation,
        source: &Source,
        text: &str,
        broken: &[(usize, Finding)],
    ) {
        if broken.is_empty() || !to.keeps_unproven() {
            return;
        }
        let pieces = if broken.len() > 1 { pieces(from, text) } else { Vec::new() };
        // Where it is not certain which text belongs to which game, all of it belongs to the first.
        let texts = if pieces.len() == broken.len() { pieces } else { vec![text.trim()] };
        for (text, (number, fault)) in texts.into_iter().zip(broken) {
            let start = offset_in(source.text(), text);
            let origin = self.keeps_origin.then(|| origin(source, &(start..start + text.len())));
            let origin = origin.as_ref();
            let unproven = Unproven { notation: from.name(), text, fault, origin };
            let Ok(()) = to.write_unproven(&unproven, &mut self.text) else {
                unreachable!("memory takes whatever is written")
            };
            self.ends.push((*number, self.text.len()));
            self.kept += 1;
        }
    }

    /// Writes a game behind the others.
    fn write(
        &mut self,
        args: &Args,
        to: &dyn Notation,
        game: &Game,
    ) -> Result<Vec<GamePart>, (&'static finding::Code, String)> {
        if let Some(why) = to.why_not(game) {
            return Err((&finding::LOSS, why));
        }
        let start = self.text.len();
        let Ok(lost) = to.write(game, args.style(), &mut self.text) else {
            unreachable!("memory takes whatever is written")
        };
        let parts = || lost.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let wrong = if args.loss == OnLoss::Error && !lost.is_empty() {
            Some((&finding::LOSS, format!("{} cannot say: {}", to.name(), parts())))
        } else if args.verify {
            let text = String::from_utf8_lossy(&self.text[start..]);
            difference(game, to, &lost, &text).map(|message| (&finding::NOT_THE_SAME, message))
        } else {
            None
        };
        if let Some(wrong) = wrong {
            self.text.truncate(start);
            return Err(wrong);
        }
        self.ends.push((self.games, self.text.len()));
        if args.loss == OnLoss::Warn && lost.contains(&GamePart::Tags) {
            let text = String::from_utf8_lossy(&self.text[start..]);
            self.lost_tags.extend(lost_tags(game, to, &text));
        }
        for &part in &lost {
            *self.lost.entry(part).or_default() += 1;
        }
        Ok(lost)
    }
}

/// Where a game stands.
fn origin(source: &Source, span: &Range<usize>) -> Origin {
    let text = source.text().get(span.clone()).unwrap_or_default();
    let end = span.start + text.trim_end().len();
    let lines = [span.start, end].map(|at| source.place(at).line);
    Origin { file: source.name().to_owned(), lines }
}

/// Which pieces are written under another name.
fn renumbered(game: &Game, span: Range<usize>) -> Option<Finding> {
    let lines = (0..game.variations().len()).map(|at| game.line(at).numbering());
    let mut each: Vec<String> = Vec::new();
    for numbering in std::iter::once(game.numbering()).chain(lines) {
        for (piece, name) in numbering.renamed() {
            let text = format!("`{piece}` is written `{name}`");
            if !each.contains(&text) {
                each.push(text);
            }
        }
    }
    let all = each.join(", ");
    (!all.is_empty()).then(|| Finding::new(&finding::RENUMBERED, span.start..span.start, all))
}

/// A text cut wherever a game certainly begins.
fn pieces<'t>(notation: &dyn Notation, text: &'t str) -> Vec<&'t str> {
    // Without the end of its last line, at which no piece begins.
    let mut rest = text.trim_end();
    let mut pieces = Vec::new();
    while let Some((before, piece)) =
        notation.last_cut(rest.as_bytes()).and_then(|cut| rest.split_at_checked(cut))
    {
        pieces.push(piece.trim());
        rest = before.trim_end();
    }
    pieces.push(rest.trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces.reverse();
    pieces
}
