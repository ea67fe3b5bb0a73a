//! Twenty thousand bullets follow monsters that may die before they are hit: objects that refer to one
//! another and come and go all the time, which is what handles are for.
//!
//! ```text
//! cargo run --release -p typed-pool-races --example bullet_hell
//! cargo run --release -p typed-pool-races --example bullet_hell -- --help
//! ```
//!
//! The same frames run with everything in rosters, in two of slotmap's maps, in slabs and in boxes.
//! Read `game.rs` first, and then `backends.rs` for how each container does it.

#[path = "bullet_hell/backends.rs"]
mod backends;
#[path = "common/mod.rs"]
mod common;
#[path = "bullet_hell/game.rs"]
mod game;
#[path = "bullet_hell/options.rs"]
mod options;
#[path = "common/program.rs"]
mod program;
#[path = "bullet_hell/race.rs"]
mod race;
#[path = "bullet_hell/report.rs"]
mod report;

use std::process::ExitCode;

use options::Options;

fn main() -> ExitCode {
    program::run("bullet_hell", options::HELP, options::parse(std::env::args_os().skip(1)), run)
}

fn run(options: &Options) -> Result<String, String> {
    let results = race::run(options)?;
    Ok(if options.json {
        report::json(options, &results)
    } else {
        report::table(options, &results)
    })
}
