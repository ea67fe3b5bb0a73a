//! The command line.

use std::ffi::OsString;

use lexopt::{Arg, Error, Parser};

use super::common;
use super::common::options::number;

pub(crate) const HELP: &str = "\
Jobs that one thread makes, and others do and free: a pool that all threads share.

Usage: workers [OPTIONS]

  --jobs N     tiles of a picture to draw [50000]
  --workers N  threads that draw them [4]
  --json       print one JSON object instead of text
  --help       print this
";

/// Threads are finite.
const MOST: usize = 1_000;

pub(crate) type Command = common::options::Command<Options>;

#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) jobs: u64,
    pub(crate) workers: usize,
    pub(crate) json: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { jobs: 50_000, workers: 4, json: false }
    }
}

/// Parses the arguments after the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Error> {
    let mut options = Options::default();
    let mut parser = Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("jobs") => options.jobs = number(&mut parser, "--jobs", 1..=u64::MAX)?,
            Arg::Long("workers") => options.workers = number(&mut parser, "--workers", 1..=MOST)?,
            Arg::Long("json") => options.json = true,
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            unknown => return Err(unknown.unexpected()),
        }
    }
    Ok(Command::Run(options))
}
