use super::{Cli, Failure, Io, Verdict, drafts};
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use std::{fs, io::Write, path::PathBuf};

/// Write manual pages
///
/// Prints the page of the program, or of one of its commands, in the language of `man`; with --dir writes the pages of all.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit man | man -l -
  hivekit man stats players | man -l -
  hivekit man --dir ~/.local/share/man/man1")]
pub(super) struct Args {
    /// The command
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    command: Vec<String>,
    /// Write the pages of the program and of all its commands into this folder, over those that are there
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let mut root = Cli::command();
    root.build();
    if let Some(dir) = &args.dir {
        fs::create_dir_all(dir)
            .map_err(|error| Failure::Input(format!("{}: {error}", dir.display())))?;
        write_all(&root, "hivekit", dir)?;
        return Ok(Verdict::Clean);
    }
    let (mut command, mut name) = (&root, "hivekit".to_owned());
    for word in &args.command {
        command = command.find_subcommand(word).ok_or_else(|| {
            Failure::Input(format!("`{name}` has no command `{word}`: see `{name} --help`"))
        })?;
        name = format!("{name} {word}");
    }
    page(command, &name).render(&mut io.out)?;
    Ok(Verdict::Clean)
}

/// The page of a command, which is called by its whole name.
fn page(command: &Command, name: &str) -> Man {
    Man::new(command.clone()).title(name.replace(' ', "-"))
}

fn write_all(command: &Command, name: &str, dir: &std::path::Path) -> Result<(), Failure> {
    let path = dir.join(format!("{}.1", name.replace(' ', "-")));
    let mut text = Vec::new();
    page(command, name).render(&mut text)?;
    let mut draft = drafts::draft(&path)?;
    draft.write_all(&text)?;
    drafts::publish(&path, draft, true)?;
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    below
        .into_iter()
        .try_for_each(|below| write_all(below, &format!("{name} {}", below.get_name()), dir))
}
