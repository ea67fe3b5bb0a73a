//! Over mimalloc, as the program's global allocator.

use std::process::ExitCode;

use mimalloc::MiMalloc;

#[global_allocator]
static HEAP: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    typed_pool_evaluate::main()
}
