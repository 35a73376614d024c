//! The subcommands, one file each. Only here are files, streams and exit codes known.
mod address;
mod archive;
mod args;
mod check;
mod chunks;
mod classify;
mod codes;
mod completions;
mod content;
mod convert;
mod criteria;
mod dedup;
mod diff;
mod drafts;
mod explain;
mod export;
mod filter;
mod find;
mod fix;
mod fmt;
mod games;
mod r#gen;
mod input;
mod man;
mod merge;
mod moves;
mod notations;
mod parallel;
mod perft;
mod placed;
mod position;
mod records;
mod remarks;
mod replay;
mod rewrite;
mod rows;
mod rules;
mod sample;
mod select;
mod show;
mod sort;
mod sorted;
mod split;
mod stats;
mod traces;
mod tree;
mod words;

use crate::source::harmless;
use std::{io, process::ExitCode};

/// What a run of a subcommand found. The exit code is part of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing to complain of: exit 0.
    #[default]
    Clean,
    /// The input was read, and something is wrong with it: exit 1.
    Findings,
    /// Part of the input could not be opened, and the rest was done: exit 2.
    Incomplete,
}

/// Why a subcommand could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The input could not be opened, or is not what the subcommand needs: exit 2.
    Input(String),
    /// The game that was asked for cannot be read, or is not legal: exit 1.
    Game(String),
    /// The output could not be written.
    Write(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        // What hivekit itself has to say is no matter of the output.
        let is_own = error.kind() == io::ErrorKind::Other && error.raw_os_error().is_none();
        if is_own { Failure::Input(error.to_string()) } else { Failure::Write(error) }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(sentence) | Failure::Game(sentence) => f.write_str(sentence),
            Failure::Write(error) => write!(f, "cannot write: {error}"),
        }
    }
}

/// What a subcommand may touch: nothing below this layer knows of streams or of the terminal.
#[expect(missing_debug_implementations, reason = "holds trait objects")]
pub struct Io<'a> {
    /// Results.
    pub out: &'a mut dyn io::Write,
    /// Words about the run itself.
    pub err: &'a mut dyn io::Write,
}

macro_rules! commands {
    ($($name:ident => $file:ident),* $(,)?) => {
        /// What the user asked for.
        #[derive(clap::Subcommand, Debug)]
        enum Command { $($name(Box<$file::Args>)),* }

        impl Command {
            fn dispatch(&self, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
                match self { $(Command::$name(args) => $file::run(args, quiet, io)),* }
            }
        }
    };
}

// To add a subcommand: a file beside this one, its `mod` line, and a line here.
commands! {
    Check => check,
    Explain => explain,
    Codes => codes,
    Show => show,
    Moves => moves,
    Position => position,
    Replay => replay,
    Find => find,
    Filter => filter,
    Tree => tree,
    Dedup => dedup,
    Diff => diff,
    Classify => classify,
    Stats => stats,
    Export => export,
    Sort => sort,
    Split => split,
    Sample => sample,
    Merge => merge,
    Convert => convert,
    Fmt => fmt,
    Fix => fix,
    Perft => perft,
    Gen => r#gen,
    Notations => notations,
    Rules => rules,
    Completions => completions,
    Man => man,
}

/// Check, convert, replay, draw and search records of Hive games
///
/// A record is a UHP game string, a PGN file, an SGF file of boardspace.net, or one of the other notations that
/// `hivekit notations` lists; which one it is, hivekit finds out by itself. Where a command takes a GAME, that is a game string in quotation marks, or
/// FILE[#GAME][@PLY]: the game with this number in a file (or in `-`, standard input), after this ply. Where it is about a
/// position, it can also be a position in any form that `hivekit position` writes.
#[derive(clap::Parser, Debug)]
#[command(name = "hivekit", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    command: Command,
    /// Print results and errors only: no warnings, notes and summary, except in JSON
    #[arg(short, long, global = true)]
    quiet: bool,
}

impl Cli {
    /// Runs the subcommand, tells on `io.err` why it could not do its work, and returns the exit code.
    pub fn run(&self, io: &mut Io<'_>) -> u8 {
        let result = self.command.dispatch(self.quiet, io);
        match result.and_then(|verdict| Ok(io.out.flush().map(|()| verdict)?)) {
            Ok(Verdict::Clean) => 0,
            Ok(Verdict::Findings) => 1,
            Ok(Verdict::Incomplete) => 2,
            // The reader of our output went away, as `head` does: no fault of ours.
            Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Err(failure) => {
                // Best effort: there is nowhere left to report to.
                let words = failure.to_string();
                let words: String =
                    words.chars().map(|c| if c == '\n' { c } else { harmless(c) }).collect();
                let _ = writeln!(io.err, "hivekit: {words}");
                if matches!(failure, Failure::Game(_)) { 1 } else { 2 }
            }
        }
    }
}

/// Runs the program with the arguments and streams of the process.
pub fn main() -> ExitCode {
    let cli = <Cli as clap::Parser>::parse();
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
    ExitCode::from(cli.run(&mut Io { out: &mut out, err: &mut Words }))
}

/// Standard error. What is said there is said as well as it can be: that nobody reads it is no reason to stop the
/// work, nor for another exit code.
struct Words;

impl io::Write for Words {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(io::stderr().write(bytes).unwrap_or(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = io::stderr().flush();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}
