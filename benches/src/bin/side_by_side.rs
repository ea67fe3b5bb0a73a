//! All contestants of a table side by side, and how the targets were met.
//!
//! ```sh
//! cargo run --profile measured -p typed-pool-benches -- [w1|w2|w3|w5|w7|w8|designs|all] [--rounds 31]
//! ```
//!
//! A name selects all tables that begin with it. Each table gets a process of its own: memory that
//! one leaves scattered would slow the next. Nothing is asserted about times, and
//! the exit code is always 0; a contestant that computes something wrong panics.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use typed_pool_benches::race::{self, TARGET_MARK, Table};

/// Fewer leave the median to chance.
const ROUNDS: &str = "31";

/// Tells a child which table is its own.
const ONE_TABLE: &str = "--table";

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let after = |flag| {
        let flag = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(flag + 1).map(String::as_str)
    };
    let rounds = after("--rounds").unwrap_or(ROUNDS);
    if let Some(name) = after(ONE_TABLE) {
        let rounds = rounds.parse().expect("--rounds takes a number");
        run(race::all().iter().find(|table| table.name == name).expect("a table"), rounds);
        return;
    }
    let wanted = arguments.first().filter(|name| !name.starts_with("--"));
    let wanted = wanted.map_or("all", String::as_str);
    let tables = race::all();
    let is_wanted = |table: &&Table| wanted == "all" || table.name.starts_with(wanted);
    let selected: Vec<_> = tables.iter().filter(is_wanted).collect();
    if selected.is_empty() {
        let names: Vec<_> = tables.iter().map(|table| table.name).collect();
        println!("no table begins with `{wanted}`; there are: {}, all", names.join(", "));
    }
    let targets: Vec<_> =
        selected.iter().flat_map(|table| run_in_child(table.name, rounds)).collect();
    if !targets.is_empty() {
        println!("\n## Targets\n\n{}", targets.join("\n"));
    }
}

fn run(table: &Table, rounds: usize) {
    let tracks = race::run((table.lanes)(), table.rounds * rounds);
    race::print(table, &tracks);
}

/// Passes a table's report on as it is printed, and returns the lines about its targets.
fn run_in_child(table: &str, rounds: &str) -> Vec<String> {
    let program = env::current_exe().expect("the path of this program");
    let mut child = Command::new(program)
        .args([ONE_TABLE, table, "--rounds", rounds])
        .stdout(Stdio::piped())
        .spawn()
        .expect("a child process");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut targets = Vec::new();
    for line in output.lines().map_while(Result::ok) {
        println!("{line}");
        if line.starts_with(TARGET_MARK) {
            targets.push(line);
        }
    }
    if !child.wait().is_ok_and(|status| status.success()) {
        println!("\n### {table}: failed, see above");
    }
    targets
}
