//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::{Arg, Error, Parser};

use super::common;
use super::common::options::number;

pub(crate) const HELP: &str = "\
A quad-tree of moving bodies, rebuilt every frame: a typed pool, Box and mimalloc side by side.

Usage: quadtree [OPTIONS]

  --bodies N     moving bodies [10000]
  --frames N     frames to run [500]
  --seed S       seed of the bodies' velocities [1]
  --points FILE  where the bodies start: lines of `x,y`, below an optional header line. If
                 there are fewer points than bodies, they are reused [20,000 places of the world]
  --json         print one JSON object instead of a table
  --help         print this
";

/// Item numbers are `u32`, and memory is finite.
const MAX_BODIES: u32 = 10_000_000;

pub(crate) type Command = common::options::Command<Options>;

#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) bodies: u32,
    pub(crate) frames: u32,
    pub(crate) seed: u64,
    pub(crate) points: Option<PathBuf>,
    pub(crate) json: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { bodies: 10_000, frames: 500, seed: 1, points: None, json: false }
    }
}

/// Parses the arguments after the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Error> {
    let mut options = Options::default();
    let mut parser = Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("bodies") => {
                options.bodies = number(&mut parser, "--bodies", 1..=MAX_BODIES)?;
            }
            Arg::Long("frames") => options.frames = number(&mut parser, "--frames", 1..=u32::MAX)?,
            Arg::Long("seed") => options.seed = number(&mut parser, "--seed", 0..=u64::MAX)?,
            Arg::Long("points") => options.points = Some(parser.value()?.into()),
            Arg::Long("json") => options.json = true,
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            unknown => return Err(unknown.unexpected()),
        }
    }
    Ok(Command::Run(options))
}
