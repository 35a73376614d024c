//! hivekit: records of games of Hive.
pub mod cmd;
mod date;
pub mod explain;
pub mod finding;
pub mod game;
pub mod guide;
pub mod hex;
pub mod notation;
pub mod opening;
pub mod parse;
pub mod position;
pub mod query;
pub mod record;
pub mod replay;
pub mod report;
pub mod rules;
pub mod sketch;
pub mod source;
