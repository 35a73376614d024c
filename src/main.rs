//! The `hivekit` command.
use std::process::ExitCode;

fn main() -> ExitCode {
    hivekit::cmd::main()
}
