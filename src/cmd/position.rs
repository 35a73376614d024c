use super::{
    Failure, Io, Verdict,
    address::{Address, Loaded},
    args::{From, Rules},
};
use crate::{
    position::{self, canonical},
    rules::{OpeningRule, Position},
};

/// Write positions: as a line of text, as a key, as JSON, as a drawing
///
/// Prints the position after the last ply of each game, or after another one, in the position notation (see
/// `docs/position-notation.md`). Reads games in any notation, and positions in any form: the position notation, JSON,
/// drawings, boards of lihive and of hivegame.com's tests. Which one it is, hivekit finds out by itself; of forms that take
/// a line, a file can hold many. A game that cannot be read or is not legal is told on standard error, the others follow,
/// and the exit code is 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit position game.pgn@20
  hivekit position 'Base;InProgress;White[2];wS1;bG1 wS1-' --form canonical
  hivekit position game.sgf --every --form key | sort | uniq -c
  hivekit position Base.w.wQbQ --form ascii
  hivekit position archive.uhp --form canonical | hivekit position --form json -")]
pub(super) struct Args {
    /// FILE[#GAME][@PLY], a game string, a position in any form, or `-` for standard input; without #GAME all games of
    /// the file
    #[arg(value_name = "GAME", default_value = "-")]
    games: Vec<String>,
    /// How to write a position
    #[arg(long, value_enum, default_value = "exact")]
    form: Form,
    /// Write each position of a game, from the one before its first ply on
    #[arg(long)]
    every: bool,
    /// Positions that are the same but for exchanged colours have one canonical text and one key
    #[arg(long)]
    swap_colours: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
}

/// How a position is written.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// In a line, with numbers of pieces and of the turn, and the place on the plane
    Exact,
    /// In a line that is the same however the board is turned, mirrored, shifted, and equal pieces are numbered
    Canonical,
    /// As 32 hexadecimal digits that are the same for the same canonical text; the first 16 are the short key
    Key,
    /// As a JSON object in a line
    Json,
    /// As a drawing
    Ascii,
    /// As a board of hivegame.com's tests
    Dsl,
    /// As a board of lihive
    LihiveBoard,
}

impl Form {
    /// The form of the library; none where the text is not one that can be read.
    fn form(self) -> Option<&'static dyn position::Form> {
        let name = match self {
            Form::Exact | Form::Canonical => "position",
            Form::Key => return None,
            Form::Json => "json",
            Form::Ascii => "ascii",
            Form::Dsl => "dsl",
            Form::LihiveBoard => "lihive-board",
        };
        position::named(name)
    }

    /// The text of a position, with the end of its last line.
    ///
    /// # Errors
    ///
    /// Fails where the form of another program cannot say it.
    pub(super) fn text(
        self,
        position: &mut Position,
        swaps_colors: bool,
    ) -> Result<String, String> {
        match (self, self.form()) {
            (Form::Canonical, _) => Ok(canonical(position, swaps_colors) + "\n"),
            (_, None) if swaps_colors => Ok(format!("{:#}\n", position.key_of_either_color())),
            (_, None) => Ok(format!("{:#}\n", position.key())),
            (_, Some(form)) => form.why_not(position).map_or_else(|| Ok(form.write(position)), Err),
        }
    }

    /// What stands between two texts.
    pub(super) fn separator(self) -> &'static str {
        self.form().map_or("", position::Form::separator)
    }
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let forms_of_either = matches!(args.form, Form::Canonical | Form::Key);
    if args.swap_colours && !forms_of_either {
        let message = "--swap-colours is for --form canonical and --form key";
        return Err(Failure::Input(message.to_owned()));
    }
    let mut writer = Writer { args, is_first: true, verdict: Verdict::Clean };
    let options = args.rules.options(OpeningRule::Any);
    for name in &args.games {
        let mut written = Ok(());
        let address = match Address::of(name) {
            Ok(address) => address,
            Err(failure) => {
                writer.fail(&failure, io)?;
                continue;
            }
        };
        address.each(&args.from, options, &mut |found| {
            written = writer.write(found, io);
            written.is_ok()
        });
        written?;
    }
    Ok(writer.verdict)
}

struct Writer<'a> {
    args: &'a Args,
    /// Whether nothing was written yet.
    is_first: bool,
    verdict: Verdict,
}

impl Writer<'_> {
    /// Writes what was found, or tells why there is nothing.
    fn write(&mut self, found: Result<Loaded, Failure>, io: &mut Io<'_>) -> Result<(), Failure> {
        let (mut loaded, fault) = match found {
            Ok(mut loaded) => {
                let fault = loaded.fault.take();
                (loaded, fault)
            }
            Err(Failure::Game(message)) => return self.tell(&message, io),
            Err(failure @ Failure::Input(_)) => return self.fail(&failure, io),
            Err(failure) => return Err(failure),
        };
        match &loaded.game {
            Some(game) if self.args.every => {
                let mut position = game.position(0);
                self.write_one(&mut position, io)?;
                for &turn in &game.turns()[..loaded.ply] {
                    position.make(turn);
                    self.write_one(&mut position, io)?;
                }
            }
            Some(_) | None => self.write_one(&mut loaded.position, io)?,
        }
        fault.map_or(Ok(()), |message| self.tell(&message, io))
    }

    /// Tells what could not be opened; the rest follows.
    fn fail(&mut self, failure: &Failure, io: &mut Io<'_>) -> Result<(), Failure> {
        self.tell(&failure.to_string(), io)?;
        self.verdict = Verdict::Incomplete;
        Ok(())
    }

    fn tell(&mut self, message: &str, io: &mut Io<'_>) -> Result<(), Failure> {
        self.verdict = self.verdict.max(Verdict::Findings);
        io.out.flush()?;
        Ok(writeln!(io.err, "hivekit: {message}")?)
    }

    fn write_one(&mut self, position: &mut Position, io: &mut Io<'_>) -> Result<(), Failure> {
        let form = self.args.form;
        let text = match form.text(position, self.args.swap_colours) {
            Ok(text) => text,
            Err(why) => return self.tell(&why, io),
        };
        if !std::mem::replace(&mut self.is_first, false) {
            io.out.write_all(form.separator().as_bytes())?;
        }
        Ok(io.out.write_all(text.as_bytes())?)
    }
}
