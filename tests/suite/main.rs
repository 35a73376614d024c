//! All tests that need more than one module, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may stop at once")]

/// Dice, grammars, a slow rules engine: for tests only.
mod support;

/// Trees, searches and selections, counted again in a slow way.
mod archive_questions;
/// Large files, read in pieces by several threads.
mod archives;
/// Games sorted, divided, sampled and put together.
mod arrange;
/// Commands as a user runs them: transcripts of stdout, stderr and exit code.
mod cli;
/// Every notation into every other and back.
mod conversion;
/// Everything that needs the public records named by `HIVEKIT_CORPUS`.
mod corpus;
/// Drawings with the destinations of a piece.
mod destinations;
/// README and the pages of `docs/`.
mod docs;
/// Archives as tables for other programs.
mod export;
/// Fan pieces against positions worked out by hand and a second definition.
mod fan;
mod findings;
/// One spelling, the same games.
mod fmt;
/// Grammars against parsers.
mod grammar;
/// Hostile input: nothing makes the library panic.
mod hostile;
/// What the compiler does not keep: layers, forbidden words, completeness of the test data.
mod house;
/// Packed input, archives, lists, ignore files, encodings; output to files and folders.
mod input;
/// Reading and writing: files in `testdata/notation` and `testdata/games`.
mod notation;
/// Counts of lines of play.
mod perft;
/// What other programs make of the output.
mod pipelines;
/// Positions as texts and as keys.
mod position;
/// The two definitions of legality against each other and against a slow third one.
mod properties;
/// Each rule refuses and allows what its cases say.
mod rules;
/// Other lines of play in every notation that holds them.
mod slips;
mod statistics;
mod variations;
