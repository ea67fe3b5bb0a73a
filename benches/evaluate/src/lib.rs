//! Five small programs, each on std's pointers and on pools, over glibc's heap and over mimalloc.
//!
//! ```text
//! cargo build --release --manifest-path benches/evaluate/Cargo.toml
//! benches/evaluate/target/release/evaluate
//! ```
//!
//! Every run of a program is a process of its own, and contestants take turns, round by round. It prints medians of what was
//! measured within a round. `docs/evaluating.md` says what came of it.

#![allow(clippy::duplicate_mod, reason = "each program is compiled with either kind of pointers")]

mod clock;
mod heap;
mod pooled;
mod random;
mod report;

use std::env;
use std::process::{Command, ExitCode};

use clock::Phases;

/// Runs of each program by each contestant.
const ROUNDS: usize = 5;

/// A program on std's pointers, and on pools.
struct Program {
    name: &'static str,
    on_heap: fn() -> Phases,
    on_pools: fn() -> Phases,
}

const PROGRAMS: [Program; 5] = [
    Program { name: "dom", on_heap: heap::dom::run, on_pools: pooled::dom::run },
    Program { name: "ast", on_heap: heap::ast::run, on_pools: pooled::ast::run },
    Program { name: "lru", on_heap: heap::lru::run, on_pools: pooled::lru::run },
    Program { name: "executor", on_heap: heap::executor::run, on_pools: pooled::executor::run },
    Program { name: "timers", on_heap: heap::timers::run, on_pools: pooled::timers::run },
];

/// An allocator that serves a whole program.
#[derive(Clone, Copy)]
struct Contestant {
    name: &'static str,
    has_pools: bool,
    /// The program that is over its heap.
    binary: &'static str,
    /// A large block is freed once, before the program starts. glibc then keeps freed memory up to twice that size.
    frees_a_large_block_first: bool,
}

const GLIBC: Contestant = Contestant {
    name: "glibc",
    has_pools: false,
    binary: "evaluate",
    frees_a_large_block_first: false,
};

const CONTESTANTS: [Contestant; 5] = [
    GLIBC,
    Contestant {
        name: "glibc, a large block freed before",
        frees_a_large_block_first: true,
        ..GLIBC
    },
    Contestant { name: "mimalloc", binary: "over_mimalloc", ..GLIBC },
    Contestant { name: "typed-pool", has_pools: true, ..GLIBC },
    Contestant {
        name: "typed-pool over mimalloc",
        has_pools: true,
        binary: "over_mimalloc",
        ..GLIBC
    },
];

/// Measures, and prints the table.
pub fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    match &arguments[..] {
        [] => {
            print!("{}", report::table(&measured(&PROGRAMS)));
            ExitCode::SUCCESS
        }
        [program] => match PROGRAMS.iter().position(|known| known.name == program) {
            Some(at) => {
                print!("{}", report::table(&measured(&PROGRAMS[at..=at])));
                ExitCode::SUCCESS
            }
            None => {
                eprintln!("usage: evaluate [dom|ast|lru|executor|timers]");
                ExitCode::FAILURE
            }
        },
        // A process of one run.
        [program, contestant] => {
            let program = PROGRAMS.iter().find(|known| known.name == program).expect("a program");
            let contestant = CONTESTANTS.iter().find(|known| known.name == contestant);
            print!("{}", run(program, *contestant.expect("a contestant")));
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

fn run(program: &Program, contestant: Contestant) -> Phases {
    if contestant.frees_a_large_block_first {
        drop(std::hint::black_box(Vec::<u8>::with_capacity(30 << 20)));
    }
    if contestant.has_pools { (program.on_pools)() } else { (program.on_heap)() }
}

/// The phases of each run, by program, then by round, then by contestant.
fn measured(programs: &[Program]) -> Vec<(&'static str, Vec<Vec<Phases>>)> {
    let this = env::current_exe().expect("a program has a file");
    let process = |program: &Program, contestant: &Contestant| {
        let binary = this.with_file_name(contestant.binary);
        let output = Command::new(&binary).args([program.name, contestant.name]).output();
        let output = output.unwrap_or_else(|error| panic!("{}: {error}", binary.display()));
        assert!(output.status.success(), "{} failed: {output:?}", program.name);
        Phases::parse(&String::from_utf8_lossy(&output.stdout))
    };
    let round =
        |program| CONTESTANTS.iter().map(|contestant| process(program, contestant)).collect();
    let rounds = |program| (0..ROUNDS).map(|_| round(program)).collect();
    programs.iter().map(|program| (program.name, rounds(program))).collect()
}
