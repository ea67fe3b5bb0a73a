//! Ten thousand moving bodies, and a quad-tree of them that is built, queried and dropped every
//! frame: thousands of small nodes that live for a millisecond, which is what pools are for.
//!
//! ```text
//! cargo run --release -p typed-pool-races --example quadtree
//! cargo run --release -p typed-pool-races --example quadtree -- --help
//! ```
//!
//! The same frames run with the nodes in a typed pool, in `Box` and in mimalloc. Read `tree.rs` first.

#[path = "common/mod.rs"]
mod common;
#[path = "quadtree/heaps.rs"]
mod heaps;
#[path = "quadtree/options.rs"]
mod options;
#[path = "common/program.rs"]
mod program;
#[path = "quadtree/race.rs"]
mod race;
#[path = "quadtree/report.rs"]
mod report;
#[path = "quadtree/tree.rs"]
mod tree;
#[path = "quadtree/world.rs"]
mod world;

use std::process::ExitCode;

use options::Options;
use world::World;

fn main() -> ExitCode {
    program::run("quadtree", options::HELP, options::parse(std::env::args_os().skip(1)), run)
}

fn run(options: &Options) -> Result<String, String> {
    let points = match &options.points {
        Some(file) => world::read_points(file)?,
        None => world::cities(),
    };
    let world = World::new(&points, options.bodies, options.seed);
    let results = race::run(world, options.frames)?;
    Ok(if options.json {
        report::json(options, &results)
    } else {
        report::table(options, &results)
    })
}
