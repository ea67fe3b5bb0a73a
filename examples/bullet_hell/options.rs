//! The command line.

use core::fmt::Display;
use core::ops::RangeInclusive;
use core::str::FromStr;
use std::ffi::OsString;

use lexopt::{Arg, Error, Parser};

pub(crate) const HELP: &str = "\
Bullets that follow monsters: rosters, slotmap, slab and boxes side by side.

Usage: bullet_hell [OPTIONS]

  --bullets N   bullets in the air [20000]
  --monsters N  monsters on the ground [2000]
  --frames N    frames to run [500]
  --seed S      seed of who is born where [1]
  --json        print one JSON object instead of a table
  --help        print this
";

/// Memory has an end.
const MOST: usize = 10_000_000;

#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Run(Options),
    Help,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) bullets: usize,
    pub(crate) monsters: usize,
    pub(crate) frames: u32,
    pub(crate) seed: u64,
    pub(crate) json: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { bullets: 20_000, monsters: 2_000, frames: 500, seed: 1, json: false }
    }
}

/// Parses the arguments after the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Error> {
    let mut options = Options::default();
    let mut parser = Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("bullets") => options.bullets = number(&mut parser, "--bullets", 1..=MOST)?,
            Arg::Long("monsters") => {
                options.monsters = number(&mut parser, "--monsters", 1..=MOST)?;
            }
            Arg::Long("frames") => options.frames = number(&mut parser, "--frames", 1..=u32::MAX)?,
            Arg::Long("seed") => options.seed = number(&mut parser, "--seed", 0..=u64::MAX)?,
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
