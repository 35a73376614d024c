use super::{Failure, Io, Verdict, rows::Output};
use crate::{
    guide,
    report::{Cell, Row},
    rules::{Bug, Choice, Options, Rule},
};

/// Tell the rules: of a piece, or all that a turn can break
///
/// With a piece, by its code or its English name, its rule is told, with drawings in which `o` marks where the piece
/// can go. Without one the rules are listed that a turn can break; each has a code, which names it in the findings of
/// `check`, and of several broken rules the first of the list is named. With `--pieces` the pieces are listed, each with its walk: S is a
/// step along the ground, U up, T across the top, D down, J a jump over a row, J1 over one piece, Ray straight across the top and down, N
/// beneath the hive, Fly to the piece that the enemy used last; `{3}` is three times, `+` once or more, `*` any number of times, `|` or, `[own]` over
/// friends only, `distinct` to different cells, `end1` to a piece that stands alone, `-> swap` in exchange for that. With
/// `--options` the rules for fan pieces are listed between whose values a game can choose, the usual one first.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit rules Fl
  hivekit rules 'dung beetle'
  hivekit rules --pieces
  hivekit rules --options")]
pub(super) struct Args {
    /// A piece, such as `Fl`, `flea` or `dung beetle`
    #[arg(value_name = "PIECE", conflicts_with_all = ["pieces", "options", "format"])]
    piece: Vec<String>,
    /// List the pieces instead
    #[arg(long, conflicts_with = "options")]
    pieces: bool,
    /// List the rules between whose values a game with fan pieces can choose
    #[arg(long)]
    options: bool,
    #[command(flatten)]
    output: Output,
}

/// The kind with this code or name.
fn kind(text: &str) -> Result<Bug, String> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_', ' '], "");
    let is_named =
        |bug: &&Bug| bug.code().eq_ignore_ascii_case(text) || plain(bug.name()) == plain(text);
    let codes: Vec<&str> = Bug::ALL.iter().map(|bug| bug.code()).collect();
    let found = Bug::ALL.iter().find(is_named).copied();
    found.ok_or_else(|| format!("expected one of {}, or its name", codes.join(", ")))
}

struct Value(Choice, usize);

impl Row for Value {
    const COLUMNS: &'static [&'static str] = &["rule", "value", "about", "meaning"];

    fn cells(&self) -> Vec<Cell> {
        let Value(choice, at) = *self;
        vec![
            Cell::Text(choice.name.to_owned()),
            Cell::Text(choice.values[at].to_owned()),
            Cell::Text(choice.about.trim().to_owned()),
            Cell::Text(choice.meanings[at].trim().to_owned()),
        ]
    }
}

struct Law(Rule);

impl Row for Law {
    const COLUMNS: &'static [&'static str] = &["code", "rule"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::Text(self.0.code().to_owned()), Cell::Text(self.0.about().trim().to_owned())]
    }
}

struct Kind(Bug);

impl Row for Kind {
    const COLUMNS: &'static [&'static str] = &["piece", "code", "count", "walk", "about"];

    fn cells(&self) -> Vec<Cell> {
        let bug = self.0;
        let walk = match bug.walk() {
            "" => Cell::Missing,
            walk => Cell::Text(walk.to_owned()),
        };
        vec![
            Cell::Text(bug.name().to_owned()),
            Cell::Text(bug.code().to_owned()),
            Cell::Count(bug.count().into()),
            walk,
            Cell::Text(bug.about().trim().to_owned()),
        ]
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    if !args.piece.is_empty() {
        let name = args.piece.join(" ");
        let bug =
            kind(&name).map_err(|expected| Failure::Input(format!("`{name}`: {expected}")))?;
        if let Some(entry) = guide::of(bug) {
            write!(io.out, "{entry}")?;
        }
    } else if args.options {
        let values = Options::CHOICES
            .iter()
            .flat_map(|&choice| (0..choice.values.len()).map(move |at| Value(choice, at)));
        args.output.write(values, io.out)?;
    } else if args.pieces {
        args.output.write(Bug::ALL.iter().map(|&bug| Kind(bug)), io.out)?;
    } else {
        args.output.write(Rule::ALL.iter().map(|&rule| Law(rule)), io.out)?;
    }
    Ok(Verdict::Clean)
}
