use super::{Cli, Failure, Io, Verdict};
use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

/// Write a script that completes commands in a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit completions bash > ~/.local/share/bash-completion/completions/hivekit
  hivekit completions zsh > ~/.zfunc/_hivekit
  hivekit completions fish > ~/.config/fish/completions/hivekit.fish")]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    // The generator panics where it cannot write.
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "hivekit", &mut script);
    io.out.write_all(&script)?;
    Ok(Verdict::Clean)
}
