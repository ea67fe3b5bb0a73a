//! Twenty thousand bullets that follow monsters, which die under them: objects that refer to one
//! another and come and go all the time, which is what handles are for.
//!
//! ```text
//! cargo run --release --example bullet_hell
//! cargo run --release --example bullet_hell -- --help
//! ```
//!
//! The same frames run with everything in rosters, in two of slotmap's maps, in slabs and in boxes.
//! `game.rs` is the file to read first, and then `homes.rs` for what each container makes of it.

#[path = "bullet_hell/game.rs"]
mod game;
#[path = "bullet_hell/homes.rs"]
mod homes;
#[path = "bullet_hell/options.rs"]
mod options;
#[path = "bullet_hell/race.rs"]
mod race;
#[path = "bullet_hell/report.rs"]
mod report;

use std::io::{self, Write};
use std::process::ExitCode;

use options::{Command, Options};

fn main() -> ExitCode {
    let outcome = match options::parse(std::env::args_os().skip(1)) {
        Ok(Command::Help) => print(options::HELP),
        Ok(Command::Run(options)) => run(&options),
        Err(error) => {
            eprintln!("bullet_hell: {error}\nTry --help.");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bullet_hell: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let results = race::run(options)?;
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
