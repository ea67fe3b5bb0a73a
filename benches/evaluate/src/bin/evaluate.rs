//! Over the system's heap. This program starts the other one, too.

use std::process::ExitCode;

fn main() -> ExitCode {
    typed_pool_evaluate::main()
}
