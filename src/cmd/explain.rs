//! What a code means, and why a turn is legal or not.
use super::{
    Failure, Io, Verdict,
    address::{Address, Loaded, Stopped},
    args::{Color, From, Rules},
    check,
    moves::opening_to_go_on,
    remarks::{remarks, renderer},
};
use crate::{
    explain::{
        Explanation,
        pages::{self, Example, Kind, Page},
    },
    finding::{Finding, NO_SUCH_TURN},
    notation::{self, move_string::MoveString},
    position::diagram::{Marks, draw_marked},
    record::Record,
    replay::Replayer,
    rules::{OpeningRule, Position, Turn},
    source::Source,
};
use annotate_snippets::Level;
use std::io::Write;

/// Explain a code of findings, or why a turn is not legal
///
/// Of a CODE it tells what it means and why, with a record in which it is found, one in which it is not, and how to leave it out. Of a GAME@PLY it
/// tells whether that ply is legal, and if it is not, what stands against it. With --why-not it tells so of a turn in the position of a game
/// after a ply, or in any other position; the turn is written as UHP writes it. Exits with 0 if the turn is legal, with 1 if it is not.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit explain one-hive
  hivekit explain game.sgf@17
  hivekit explain --why-not 'wA1 bQ-' game.pgn@12
  hivekit explain --why-not 'wQ wS1' Base.w.wQwSbSbQ")]
pub(super) struct Args {
    /// A code, as `hivekit codes` lists them, or FILE[#GAME]@PLY; with --why-not a position: FILE[#GAME][@PLY], a game string, a position
    /// in any form, or `-` for standard input
    #[arg(value_name = "CODE|GAME@PLY", allow_hyphen_values = true)]
    what: String,
    /// A turn, such as `wA1 bQ-`
    #[arg(long, value_name = "TURN", allow_hyphen_values = true)]
    why_not: Option<String>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    color: Color,
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    if let Some(turn) = &args.why_not {
        return args.explain_turn(turn, io.out);
    }
    match pages::of(&args.what) {
        Some(page) => args.explain_code(&page, io.out),
        None => args.explain_ply(io.out),
    }
}

impl Args {
    fn explain_code(&self, page: &Page, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let Kind { code, severity, is_leniency, about, rule } = page.kind;
        let what = if rule.is_some() { ", a law of the game" } else { "" };
        writeln!(out, "{code}: {severity}{what}\n\n{about}\n\n{}", page.text)?;
        if let Some(example) = &page.wrong {
            writeln!(out, "\nIt is found here{}:\n", how(example))?;
            if example.is_of_check() {
                out.write_all(check::told(example, code, self.color)?.as_bytes())?;
            } else {
                write_indented(&example.text(), out)?;
            }
        }
        if let Some(example) = &page.right {
            writeln!(out, "\nAnd not here:\n")?;
            write_indented(&example.text(), out)?;
        }
        if !page.wrong.as_ref().is_some_and(Example::is_of_check) {
            return Ok(Verdict::Clean);
        }
        writeln!(
            out,
            "\n`hivekit check --allow {code}` leaves it out, with `--warn` it is a warning, with `--deny` an error. In a file\n`.hivekit.toml` that is `allow = [\"{code}\"]` and so on, under `[check]`."
        )?;
        if is_leniency {
            writeln!(out, "With `--strict` it is an error.")?;
        }
        Ok(Verdict::Clean)
    }

    /// Explains the ply that leads to the place that is named.
    fn explain_ply(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let what = &self.what;
        let input = |message: String| Err(Failure::Input(message));
        let is_word = !what.is_empty() && what.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        let address = match Address::of(what) {
            Err(_) if is_word => {
                return input(format!("`{what}` is no code: `hivekit codes` lists them"));
            }
            address => address?,
        };
        let options = self.rules.options(OpeningRule::Any);
        let ply = match address.ply_after() {
            Some(ply) => ply,
            None if address.has_ply() => address.load(&self.from, options)?.ply,
            None => {
                return input(format!(
                    "which ply? Say `{what}@PLY`, or give a turn with --why-not"
                ));
            }
        };
        let Some(before) = ply.checked_sub(1) else {
            return input("ply 0 is the table before the first".to_owned());
        };
        let loaded = address.after(before).load(&self.from, options)?;
        let Some(game) = &loaded.game else {
            return input(format!("`{what}` is a position: it has no plies"));
        };
        if let Some(&turn) = game.turns().get(before) {
            return told_legal(&mut game.position(before), turn, out);
        }
        let Some(stopped) = loaded.stopped else {
            return input(format!("the game has {before} plies"));
        };
        let Stopped { record, attempt, finding, quote } = *stopped;
        let mut replayer = Replayer::new(options);
        replayer.replay(&record);
        let explanation = Explanation::of(&mut replayer, &record, &attempt);
        writeln!(out, "{}", self.told(&quote, &finding, &explanation))?;
        Ok(Verdict::Findings)
    }

    /// Explains a turn in a position.
    fn explain_turn(&self, turn: &str, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let record = read_turn(turn)?;
        let options = self.rules.options(OpeningRule::Any);
        let Loaded { mut position, game, fault, .. } =
            Address::of(&self.what)?.load(&self.from, options)?;
        if let Some(fault) = fault {
            return Err(Failure::Game(fault));
        }
        position.set_opening(opening_to_go_on(game.as_ref(), self.rules.opening));
        let mut replayer = Replayer::new(options);
        replayer.go_to(position);
        let ply = &record.plies[0];
        match replayer.meant(&record, ply) {
            Ok(turn) => told_legal(replayer.position(), turn, out),
            Err(attempt) => {
                let finding = attempt.rule.map(|rule| replayer.fault(ply, rule));
                let finding = finding.unwrap_or_else(|| {
                    Finding::new(&NO_SUCH_TURN, 0..0, "no legal turn is like this")
                });
                let explanation = Explanation::of(&mut replayer, &record, &attempt);
                writeln!(out, "{}", self.told(turn.trim(), &finding, &explanation))?;
                Ok(Verdict::Findings)
            }
        }
    }

    /// Why a turn is not legal, as a finding of `check` would tell it.
    fn told(&self, turn: &str, finding: &Finding, explanation: &Explanation) -> String {
        let title = format!("`{turn}`: {}", finding.message);
        let guess = explanation.guess.as_ref().map(ToString::to_string);
        let remarks = remarks(&explanation.notes, &explanation.drawing, guess);
        let title = Level::ERROR.primary_title(title).id(finding.code);
        renderer(self.color).render(&[title.elements(remarks)])
    }
}

/// How an example is found, if not by `check`.
fn how(example: &Example) -> String {
    match example.command.as_str() {
        "check" => String::new(),
        command => format!(" by `hivekit {command}`"),
    }
}

fn write_indented(text: &str, out: &mut dyn Write) -> std::io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "  {line}"))
}

/// A turn as a record of it alone.
fn read_turn(text: &str) -> Result<Record, Failure> {
    let wrong = |why: &str| Failure::Input(format!("`{text}` is no turn: {why}"));
    let source = Source::new("turn", text.trim());
    let uhp = notation::named("uhp").ok_or_else(|| wrong("there is no UHP"))?;
    let record = uhp.read(&source).next().ok_or_else(|| wrong("nothing is in it"))?;
    let record = record.map_err(|finding| wrong(&finding.message))?;
    match record.plies.len() {
        1 => Ok(record),
        _ => Err(wrong("expected one turn, such as `wA1 bQ-`")),
    }
}

/// Tells of a turn that is legal which one it is.
fn told_legal(
    position: &mut Position,
    turn: Turn,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let text = MoveString::new(position, turn).to_string();
    let side = position.to_move();
    let others = position.turns().len() - 1;
    let others = match others {
        0 => "its only turn".to_owned(),
        1 => "one of its two turns".to_owned(),
        others => format!("one of its {} turns", others + 1),
    };
    writeln!(out, "`{text}` is legal: {side}'s turn {}, {others}", position.turn_number())?;
    if let Some((piece, to)) = turn.goes() {
        let marks =
            Marks { mover: position.hive().cell_of(piece), sent: Some(to), ..Marks::default() };
        if !position.hive().is_empty() {
            let drawing = draw_marked(position, marks).to_string();
            write_indented(drawing.trim_end(), out)?;
        }
    }
    Ok(Verdict::Clean)
}
