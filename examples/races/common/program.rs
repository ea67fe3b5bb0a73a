//! What every example's `main` does.

use std::io::{self, Write};
use std::process::ExitCode;

use super::common::options::Command;

/// Runs what was asked for, prints the result, and says whether it succeeded.
pub(crate) fn run<O>(
    name: &str,
    help: &str,
    asked: Result<Command<O>, lexopt::Error>,
    run: impl FnOnce(&O) -> Result<String, String>,
) -> ExitCode {
    let outcome = match asked {
        Ok(Command::Help) => print(help),
        Ok(Command::Run(options)) => run(&options).and_then(|text| print(&text)),
        Err(error) => {
            eprintln!("{name}: {error}\nTry --help.");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `print!` would panic when the reader of a pipe goes away.
fn print(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        // The reader has seen enough, as `head` has.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| format!("cannot write: {error}")),
    }
}
