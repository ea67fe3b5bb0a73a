//! Ten thousand moving bodies, and a quad-tree of them that is built, queried and dropped every
//! frame: thousands of small nodes that live for a millisecond, which is what pools are for.
//!
//! ```text
//! cargo run --release --example quadtree
//! cargo run --release --example quadtree -- --help
//! ```
//!
//! The same frames run with the nodes in a typed pool, in `Box` and in mimalloc. `tree.rs` is the
//! file to read first.

#[path = "quadtree/heaps.rs"]
mod heaps;
#[path = "quadtree/options.rs"]
mod options;
#[path = "quadtree/race.rs"]
mod race;
#[path = "quadtree/report.rs"]
mod report;
#[path = "quadtree/tree.rs"]
mod tree;
#[path = "quadtree/world.rs"]
mod world;

use std::io::{self, Write};
use std::process::ExitCode;

use options::{Command, Options};
use world::World;

fn main() -> ExitCode {
    let outcome = match options::parse(std::env::args_os().skip(1)) {
        Ok(Command::Help) => print(options::HELP),
        Ok(Command::Run(options)) => run(&options),
        Err(error) => {
            eprintln!("quadtree: {error}\nTry --help.");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quadtree: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let points = match &options.points {
        Some(file) => world::read_points(file)?,
        None => world::cities(),
    };
    let world = World::new(&points, options.bodies, options.seed);
    let results = race::run(world, options.frames)?;
    print(&if options.json {
        report::json(options, &results)
    } else {
        report::table(options, &results)
    })
}

/// `print!` would panic when the reader of a pipe goes away.
fn print(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        // Whoever reads has seen enough, `head` for one.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| format!("cannot write: {error}")),
    }
}
