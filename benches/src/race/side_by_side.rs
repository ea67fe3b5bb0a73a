//! The program: all contestants of a table side by side, and how the targets were met.
//!
//! ```sh
//! cargo run --profile measured --manifest-path benches/Cargo.toml -- [w1|w2|..|all].. [--rounds 31] \
//!     [--costs] [--save FILE | --append FILE]
//! ```
//!
//! Names select all tables that begin with one of them. Each table gets a process of its own: memory that one
//! leaves scattered would slow the next. Nothing is asserted about times, and the exit code is always 0; a contestant that
//! computes something wrong panics.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use super::solo::{SOLO, run_errand};
use super::{Outcome, Table, all, run as race};
use crate::run::Run;

/// Fewer leave the median to chance.
const ROUNDS: &str = "31";

/// Tells a child which table is its own.
const ONE_TABLE: &str = "--table";

/// Runs the tables that the program's arguments name.
///
/// # Panics
///
/// With `--test`, if a table fails.
pub fn side_by_side() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    if let [SOLO, errand, bytes, name] =
        arguments.iter().map(String::as_str).collect::<Vec<_>>()[..]
    {
        run_errand(errand, bytes, name);
        return;
    }
    let after = |flag| {
        let flag = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(flag + 1).map(String::as_str)
    };
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let rounds = after("--rounds").unwrap_or(if is_test { "1" } else { ROUNDS });
    if let Some(name) = after(ONE_TABLE) {
        let rounds: usize = rounds.parse().expect("--rounds takes a number");
        run(all().iter().find(|table| table.name == name).expect("a table"), rounds);
        return;
    }
    let mut wanted: Vec<_> =
        arguments.iter().map(String::as_str).take_while(|name| !name.starts_with("--")).collect();
    if wanted.is_empty() {
        wanted.push("all");
    }
    let tables = all();
    let is_wanted = |table: &&Table| {
        // Each turn of these is a build, which the checks do besides.
        !(is_test && table.name.starts_with("compile"))
            && wanted.iter().any(|&wanted| wanted == "all" || table.name.starts_with(wanted))
    };
    let selected: Vec<_> = tables.iter().filter(is_wanted).collect();
    if selected.is_empty() {
        let names: Vec<_> = tables.iter().map(|table| table.name).collect();
        println!("no table begins so; there are: {}, all", names.join(", "));
    }
    let mut outcomes = Vec::new();
    let mut verdicts = Vec::new();
    for table in selected {
        let Some(outcome) = run_in_child(table.name, rounds) else {
            assert!(!is_test, "{} failed", table.name);
            println!("\n### {}: failed, see above", table.name);
            continue;
        };
        println!("\n{outcome}");
        verdicts
            .extend(table.verdicts(&outcome).map(|verdict| format!("- {}: {verdict}", table.name)));
        outcomes.push(outcome);
    }
    if !verdicts.is_empty() {
        println!("\n## Targets\n\n{}", verdicts.join("\n"));
    }
    if let Some(file) = after("--save") {
        Run::of(outcomes).save(Path::new(file));
    } else if let Some(file) = after("--append") {
        let mut run = Run::load(Path::new(file));
        run.replace(outcomes);
        run.save(Path::new(file));
    }
}

/// Prints what came of it, for [`run_in_child`].
fn run(table: &Table, rounds: usize) {
    let rounds = (table.rounds * rounds as f64).ceil() as usize;
    let tracks = race((table.lanes)(), rounds);
    if env::args().any(|argument| argument == "--costs") {
        for track in &tracks {
            eprintln!("{}: {:.2?}", track.name, track.costs);
        }
    }
    let outcome = serde_json::to_string(&Outcome::new(table, &tracks));
    println!("{}", outcome.expect("an outcome is plain data"));
}

/// Returns the outcome of a table; `None` if it failed, and said why.
fn run_in_child(table: &str, rounds: &str) -> Option<Outcome> {
    let program = env::current_exe().expect("the path of this program");
    let output = Command::new(program)
        .args([ONE_TABLE, table, "--rounds", rounds])
        .args(env::args().find(|argument| argument == "--costs"))
        .stderr(Stdio::inherit())
        .output()
        .expect("a child process");
    serde_json::from_slice(&output.stdout).ok()
}
