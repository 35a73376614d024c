use super::{
    Failure, Io, Verdict,
    address::name_of,
    content::Content,
    games::{Candidate, Reading, Run},
    records::{Records, Text, To, Written},
};
use crate::{game::Game, notation::Notation};

/// Put the games of several files into one
///
/// Prints all games in one notation: that of --to, else that of the first file. Games that are in it already stay as they stand,
/// others are converted, and what of them the notation cannot say is told on standard error, as is every game that
/// cannot be read or is not legal, which makes the exit code 1. Games that are there twice are left out by `dedup`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit merge club.pgn server/ bga.zip > all.pgn
  hivekit merge --to ndjson archive/ > all.ndjson
  hivekit merge a.pgn b.sgf | hivekit dedup - | hivekit sort --by date - > clean.pgn")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    to: To,
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let Io { out, err } = io;
    let to = match args.to.notation() {
        Some(to) => to,
        None => args.first()?,
    };
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut records = Records::to(Some(to));
    run.each_game(
        |game, candidate| Some(text(game, candidate, to)),
        |batch| {
            let mut texts = batch.results.into_iter();
            texts.try_for_each(|(number, text)| {
                let address = || name_of(&batch.file, number, None);
                records.write(&text, batch.content, address, *out)
            })
        },
    )?;
    let told = records.tell(quiet, run.err)?;
    Ok(run.verdict_of_all().max(told))
}

/// The game as it stands, if it is in the notation, else in its words.
fn text(game: &Game, candidate: &Candidate<'_>, to: &dyn Notation) -> Text {
    if candidate.content.name() == to.name() && to.can_rewrite() {
        Ok(Written::as_it_stands(candidate))
    } else {
        Written::in_notation(game, to)
    }
}

impl Args {
    /// The notation of the first file with games.
    fn first(&self) -> Result<&'static dyn Notation, Failure> {
        let Reading { inputs, from, .. } = &self.reading;
        if inputs.has_stdin() {
            let message =
                "of standard input nobody knows yet what it is: name a notation with --to";
            return Err(Failure::Input(message.to_owned()));
        }
        let mut found = None;
        inputs.each(&mut |_, stream| {
            if let Ok(mut chunks) = stream
                && let Ok(Some(Content::Games(notation))) = Content::of(from, &mut chunks)
            {
                found = Some(notation);
            }
            found.is_none()
        });
        found.ok_or_else(|| Failure::Input("no file holds games".to_owned()))
    }
}
