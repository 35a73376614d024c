use super::{
    Failure, Io, Verdict,
    address::Address,
    args::{From, Opening, Rules},
};
use crate::{
    game::Game,
    notation::{
        move_string::{self, MoveString},
        told::{Landing, Told},
    },
    rules::{OpeningRule, Piece, Position, Rule, Turn},
};
use serde::Serialize;

/// List the legal turns of a position
///
/// Prints one move a line and nothing else, so that the lines can be counted or chosen from. A side that can
/// do nothing has the single turn `pass`; a finished game has none. The queen is not offered as a first
/// piece unless the game itself began with one or `--opening any` is given.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit moves game.pgn@20
  hivekit moves 'Base+MLP;NotStarted;White[1]'
  hivekit moves game.uhp --piece wA1 --format json")]
pub(super) struct Args {
    /// FILE[#GAME][@PLY], a game string, or `-` for standard input
    #[arg(value_name = "GAME", default_value = "-", allow_hyphen_values = true)]
    game: String,
    /// Only turns with this piece: where it acts, and where it is thrown
    #[arg(long, value_name = "PIECE", value_parser = move_string::read_piece)]
    piece: Option<Piece>,
    /// How to write the turns
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// One move a line
    Text,
    /// An array of objects
    Json,
}

/// A turn for programs.
#[derive(Debug, Serialize)]
struct Listed {
    r#move: String,
    actor: Option<String>,
    piece: Option<String>,
    kind: &'static str,
    to: Option<Landing>,
    action: String,
}

impl Listed {
    fn of(position: &mut Position, turn: Turn) -> Listed {
        let text = MoveString::new(position, turn).to_string();
        let told = Told::of(position, turn);
        let name = |piece: Piece| position.game_type().name(piece.whole()).to_string();
        Listed {
            r#move: text,
            actor: turn.actor().map(name),
            piece: told.piece.map(name),
            kind: turn.kind(),
            to: told.to,
            action: told.action,
        }
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    // A game is read by any opening; only the turns to come are held to the tournament's.
    let options = args.rules.options(OpeningRule::Any);
    let mut loaded = Address::of(&args.game)?.load(&args.from, options)?;
    if let Some(fault) = loaded.fault {
        return Err(Failure::Game(fault));
    }
    let opening = opening_to_go_on(loaded.game.as_ref(), args.rules.opening);
    let position = &mut loaded.position;
    position.set_opening(opening);
    let mut turns = position.turns();
    if let Some(piece) = args.piece {
        if !position.game_type().has(piece) {
            return Err(Failure::Input(format!("`{piece}`: {}", Rule::NotInGame)));
        }
        turns.retain(|turn| {
            turn.actor() == Some(piece) || turn.goes().is_some_and(|(moved, _)| moved == piece)
        });
    }
    match args.format {
        Format::Text => {
            for &turn in &turns {
                writeln!(io.out, "{}", MoveString::new(position, turn))?;
            }
        }
        Format::Json => {
            let listed: Vec<Listed> =
                turns.iter().map(|&turn| Listed::of(&mut *position, turn)).collect();
            write_array(&listed, io)?;
        }
    }
    Ok(Verdict::Clean)
}

/// Writes an array with an element a line.
fn write_array(listed: &[Listed], io: &mut Io<'_>) -> Result<(), Failure> {
    write!(io.out, "[")?;
    for (at, turn) in listed.iter().enumerate() {
        let before = if at == 0 { "\n" } else { ",\n" };
        write!(io.out, "{before}")?;
        serde_json::to_writer(&mut *io.out, turn).map_err(std::io::Error::from)?;
    }
    let after = if listed.is_empty() { "]" } else { "\n]" };
    Ok(writeln!(io.out, "{after}")?)
}

/// The opening rule for the turns to come: what was asked for, else the tournament's, unless the game itself opens
/// with a queen.
pub(super) fn opening_to_go_on(game: Option<&Game>, asked: Option<Opening>) -> OpeningRule {
    match asked {
        Some(opening) => opening.rule(),
        None if game.is_some_and(Game::opens_with_queen) => OpeningRule::Any,
        None => OpeningRule::Tournament,
    }
}
