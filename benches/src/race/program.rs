//! The program: all contestants of a table side by side. Each table gets a process of its own: memory that one leaves scattered would
//! slow the next.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::Outcome;
use crate::run::{Run, chart, markdown};
use crate::tables::{Table, all, cold};

/// Fewer leave the median to chance.
const ROUNDS: &str = "31";

/// Tells a child which table is its own.
const ONE_TABLE: &str = "--table";

/// Runs the tables that the program's arguments name.
pub fn run() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    if let [cold::SOLO, errand, name] = arguments.iter().map(String::as_str).collect::<Vec<_>>()[..]
    {
        cold::run_errand(errand, name);
        return;
    }
    if let Some((command, files)) = arguments.split_first()
        && command == "tables"
    {
        print_tables(files);
        return;
    }
    let after = |flag| {
        let flag = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(flag + 1).map(String::as_str)
    };
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let rounds = after("--rounds").unwrap_or(if is_test { "1" } else { ROUNDS });
    let tables = all();
    if let Some(name) = after(ONE_TABLE) {
        let rounds: f64 = rounds.parse().expect("--rounds takes a number");
        race(tables.iter().find(|table| table.name == name).expect("a table"), rounds);
        return;
    }
    let wanted: Vec<_> = arguments.iter().take_while(|name| !name.starts_with("--")).collect();
    let is_wanted = |table: &&Table| {
        wanted.is_empty()
            || wanted.iter().any(|&name| name == "all" || table.name.starts_with(name))
    };
    let selected: Vec<_> = tables.iter().filter(is_wanted).collect();
    if selected.is_empty() {
        let names: Vec<_> = tables.iter().map(|table| &*table.name).collect();
        println!("no table begins so; there are: {}, all", names.join(", "));
    }
    let mut outcomes = Vec::new();
    for Table { name, what, .. } in selected {
        let begun = Instant::now();
        let Some(outcome) = race_in_child(name, rounds) else {
            assert!(!is_test, "{name} failed");
            println!("\n### {name}: failed, see above");
            continue;
        };
        let spent = begun.elapsed().as_secs_f64();
        println!("\n### {name}: {what} ({} rounds, {spent:.1} s)\n\n{outcome}", outcome.rounds);
        outcomes.push(outcome);
    }
    if let Some(file) = after("--save") {
        Run::of(outcomes).save(Path::new(file));
    } else if let Some(file) = after("--append") {
        let mut run = Run::load(Path::new(file));
        run.replace(outcomes);
        run.save(Path::new(file));
    }
}

/// Prints what came of it, for [`race_in_child`].
fn race(table: &Table, rounds: f64) {
    let tracks = super::run((table.lanes)(), (table.rounds * rounds).ceil() as usize);
    print!("{}", Outcome::new(&table.name, table.unit, &tracks).line());
}

/// Returns the outcome of a table; `None` if it failed, and said why.
fn race_in_child(table: &str, rounds: &str) -> Option<Outcome> {
    let program = env::current_exe().expect("the path of this program");
    let output = Command::new(program)
        .args([ONE_TABLE, table, "--rounds", rounds])
        .stderr(Stdio::inherit())
        .output()
        .expect("a child process");
    Outcome::parse(&String::from_utf8_lossy(&output.stdout))
}

/// Prints the tables and losses of saved runs, or a chart of the first.
fn print_tables(arguments: &[String]) {
    let files = arguments.iter().take_while(|argument| !argument.starts_with("--"));
    let runs: Vec<_> = files.map(|file| Run::load(Path::new(file))).collect();
    if let [.., flag, group] = arguments
        && flag == "--chart"
    {
        let known = all();
        let known = known.iter().filter(|table| table.name.starts_with(group));
        let wanted: Vec<_> =
            known.filter_map(|table| Some((runs[0].outcome(&table.name)?, table.what))).collect();
        print!("{}", chart::of(&wanted));
        return;
    }
    for run in &runs {
        println!("{}", markdown::of(run));
    }
    println!("### Losses\n\n{}", markdown::losses(&runs));
}
