//! Ways to write positions down, each a file here.
pub mod diagram;
mod setup;

pub use setup::{Setup, SetupError};
