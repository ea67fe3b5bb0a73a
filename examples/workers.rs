//! One thread makes jobs, others do and free them: objects that die on another thread than they were
//! born on, which is what static pools are for.
//!
//! ```text
//! cargo run --release --example workers
//! cargo run --release --example workers -- --help
//! ```
//!
//! `jobs.rs` is the file to read first.

#[path = "workers/jobs.rs"]
mod jobs;
#[path = "workers/options.rs"]
mod options;
#[path = "workers/report.rs"]
mod report;

use std::io::{self, Write};
use std::process::ExitCode;

use options::{Command, Options};

fn main() -> ExitCode {
    let outcome = match options::parse(std::env::args_os().skip(1)) {
        Ok(Command::Help) => print(options::HELP),
        Ok(Command::Run(options)) => run(&options),
        Err(error) => {
            eprintln!("workers: {error}\nTry --help.");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("workers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let results = jobs::run(options.jobs, options.workers)?;
    print(&if options.json {
        report::json(options, &results)
    } else {
        report::text(options, &results)
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
