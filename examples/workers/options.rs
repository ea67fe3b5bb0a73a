//! The command line.

use core::fmt::Display;
use core::ops::RangeInclusive;
use core::str::FromStr;
use std::ffi::OsString;

use lexopt::{Arg, Error, Parser};

pub(crate) const HELP: &str = "\
Jobs that one thread makes, and others do and free: a pool that all threads share.

Usage: workers [OPTIONS]

  --jobs N     tiles of a picture to draw [50000]
  --workers N  threads that draw them [4]
  --json       print one JSON object instead of text
  --help       print this
";

/// The system has an end.
const MOST: usize = 1_000;

#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Run(Options),
    Help,
}

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

fn number<T>(parser: &mut Parser, option: &str, range: RangeInclusive<T>) -> Result<T, Error>
where
    T: FromStr + PartialOrd + Display,
{
    let value = parser.value()?;
    match value.to_str().and_then(|text| text.parse().ok()) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => {
            let (least, most) = range.into_inner();
            Err(format!("{option} takes a whole number from {least} to {most}, not {value:?}")
                .into())
        }
    }
}
