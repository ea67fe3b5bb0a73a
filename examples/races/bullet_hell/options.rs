//! The command line.

use std::ffi::OsString;

use lexopt::{Arg, Error, Parser};

use super::common;
use super::common::options::number;

pub(crate) const HELP: &str = "\
Bullets that follow monsters: rosters, slotmap, slab and boxes side by side.

Usage: bullet_hell [OPTIONS]

  --bullets N   bullets in the air [20000]
  --monsters N  monsters on the ground [2000]
  --frames N    frames to run [500]
  --seed S      seed of all random numbers [1]
  --json        print one JSON object instead of a table
  --help        print this
";

/// Memory is finite.
const MOST: usize = 10_000_000;

pub(crate) type Command = common::options::Command<Options>;

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
