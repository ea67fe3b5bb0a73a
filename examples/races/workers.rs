//! One thread makes jobs, others do and free them: objects that die on a different thread from the one
//! that made them, which is what static pools are for.
//!
//! ```text
//! cargo run --release -p typed-pool-races --example workers
//! cargo run --release -p typed-pool-races --example workers -- --help
//! ```
//!
//! Read `jobs.rs` first.

#[path = "common/mod.rs"]
mod common;
#[path = "workers/jobs.rs"]
mod jobs;
#[path = "workers/options.rs"]
mod options;
#[path = "common/program.rs"]
mod program;
#[path = "workers/report.rs"]
mod report;

use std::process::ExitCode;

use options::Options;

fn main() -> ExitCode {
    program::run("workers", options::HELP, options::parse(std::env::args_os().skip(1)), run)
}

fn run(options: &Options) -> Result<String, String> {
    let results = jobs::run(options.jobs, options.workers)?;
    Ok(if options.json { report::json(options, &results) } else { report::text(options, &results) })
}
