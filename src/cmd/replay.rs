use super::{
    Failure, Io, Verdict,
    address::Address,
    args::{From, Rules},
    moves::opening_to_go_on,
    rows::Output,
};
use crate::{
    game::Game,
    notation::move_string::MoveString,
    position::diagram,
    report::{Cell, Row},
    rules::{Color, OpeningRule, Position, Turn},
};

/// Play a game ply by ply
///
/// Prints a row for each ply: its number, the turn, the move, how it was made, how many turns were
/// legal, and how many sides of each queen are taken after it. With `--draw` each position is drawn. How the game
/// ended is told on standard error.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit replay game.pgn
  hivekit replay games.uhp#3@20 --draw
  hivekit replay game.sgf --format csv > plies.csv")]
pub(super) struct Args {
    /// FILE[#GAME][@PLY], a game string, or `-` for standard input; up to PLY, if there is one
    #[arg(value_name = "GAME", default_value = "-", allow_hyphen_values = true)]
    game: String,
    /// Draw the position after each ply
    #[arg(long, conflicts_with = "format")]
    draw: bool,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
}

/// One ply.
struct Step {
    ply: u64,
    turn: String,
    r#move: String,
    kind: &'static str,
    turns: u64,
    around: [Option<u32>; 2],
}

impl Row for Step {
    const COLUMNS: &'static [&'static str] =
        &["ply", "turn", "move", "kind", "legal_turns", "around_white_queen", "around_black_queen"];

    fn cells(&self) -> Vec<Cell> {
        let count = |around: Option<u32>| around.map_or(Cell::Missing, |n| Cell::Count(n.into()));
        vec![
            Cell::Count(self.ply),
            Cell::Text(self.turn.clone()),
            Cell::Text(self.r#move.clone()),
            Cell::Text(self.kind.to_owned()),
            Cell::Count(self.turns),
            count(self.around[0]),
            count(self.around[1]),
        ]
    }
}

impl Step {
    /// Plays one turn and tells about it.
    fn play(position: &mut Position, turn: Turn) -> Step {
        let text = MoveString::new(position, turn).to_string();
        let turns = position.count_turns();
        let name = format!("{}[{}]", position.to_move(), position.turn_number());
        position.make(turn);
        Step {
            ply: position.ply().into(),
            turn: name,
            r#move: text,
            kind: turn.kind(),
            turns,
            around: Color::BOTH.map(|color| position.around_queen(color)),
        }
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let options = args.rules.options(OpeningRule::Any);
    let loaded = Address::of(&args.game)?.load(&args.from, options)?;
    let Some(game) = loaded.game else {
        return Err(Failure::Input("a position has no plies to replay".to_owned()));
    };
    let opening = opening_to_go_on(Some(&game), args.rules.opening);
    let mut position = Position::new(game.game_type(), opening);
    let turns = &game.turns()[..loaded.ply];
    if args.draw {
        draw_all(&mut position, turns, io)?;
    } else {
        let steps = turns.iter().map(|&turn| Step::play(&mut position, turn));
        args.output.write(steps, io.out)?;
    }
    tell_end(&game, loaded.ply, loaded.fault, io)
}

fn draw_all(position: &mut Position, turns: &[Turn], io: &mut Io<'_>) -> Result<(), Failure> {
    for &turn in turns {
        let text = MoveString::new(position, turn).to_string();
        position.make(turn);
        writeln!(io.out, "{}. {text}\n\n{}", position.ply(), diagram::draw(position))?;
    }
    Ok(())
}

/// Tells on standard error how the game ended, or why it could not go on.
fn tell_end(
    game: &Game,
    ply: usize,
    fault: Option<String>,
    io: &mut Io<'_>,
) -> Result<Verdict, Failure> {
    io.out.flush()?;
    if let Some(fault) = fault {
        writeln!(io.err, "hivekit: {fault}")?;
        return Ok(Verdict::Findings);
    }
    if let Some(outcome) = game.outcome().filter(|_| ply == game.turns().len()) {
        writeln!(io.err, "{outcome}")?;
    }
    Ok(Verdict::Clean)
}
