//! All tables of one run, in a file: a line each.

pub mod chart;
pub mod markdown;
mod processor;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::race::Outcome;

/// All tables of one run, and where it ran.
#[derive(Clone, Debug)]
pub struct Run {
    /// The processor, and the number of its cores.
    pub machine: String,
    pub rustc: String,
    /// The contestants and their versions.
    pub versions: String,
    /// The result of each table.
    pub outcomes: Vec<Outcome>,
}

/// The first lines of a file: their names stand before the fields of [`Run`].
const HEADS: [&str; 3] = ["# processor: ", "# compiler: ", "# contestants: "];

impl Run {
    /// A run on this machine.
    pub fn of(outcomes: Vec<Outcome>) -> Self {
        let rustc = said_by("rustc", &["-V"]).trim().to_owned();
        Self { machine: processor::this(), rustc, versions: versions(), outcomes }
    }

    /// Reads a run that was saved.
    pub fn load(file: &Path) -> Self {
        let text = fs::read_to_string(file);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut lines = text.lines();
        let [machine, rustc, versions] = HEADS.map(|head| {
            let line = lines.next().and_then(|line| line.strip_prefix(head));
            line.unwrap_or_else(|| panic!("{}: no `{head}`", file.display())).to_owned()
        });
        let outcome = |line| Outcome::parse(line).unwrap_or_else(|| panic!("not a table: {line}"));
        Self { machine, rustc, versions, outcomes: lines.map(outcome).collect() }
    }

    /// Saves it: a table a line.
    pub fn save(&self, file: &Path) {
        let heads = HEADS.iter().zip([&self.machine, &self.rustc, &self.versions]);
        let heads = heads.map(|(head, value)| format!("{head}{value}\n"));
        let text: String = heads.chain(self.outcomes.iter().map(Outcome::line)).collect();
        fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }

    /// Returns the outcome of a table.
    pub fn outcome(&self, table: &str) -> Option<&Outcome> {
        self.outcomes.iter().find(|outcome| outcome.table == table)
    }

    /// Replaces tables by those of a later run on the same machine.
    pub fn replace(&mut self, newer: Vec<Outcome>) {
        self.outcomes.retain(|old| newer.iter().all(|new| new.table != old.table));
        self.outcomes.extend(newer);
    }
}

/// The output of a program; nothing if it cannot be run.
fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    output.unwrap_or_default()
}

fn versions() -> String {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let shape = ["--depth", "1", "--edges", "normal", "--prefix", "none"];
    let tree = said_by("cargo", &[&["tree", "--manifest-path", manifest], &shape[..]].concat());
    let is_contestant = |line: &&str| !line.contains('/');
    let named = |line: &str| match line.split_once(' ') {
        Some(("mimalloc", _)) => format!("{line} ({})", mimalloc()),
        _ => line.to_owned(),
    };
    tree.lines().skip(1).filter(is_contestant).map(named).collect::<Vec<_>>().join(", ")
}

/// The version of mimalloc that its crate was built with, which differs from the crate's.
fn mimalloc() -> String {
    unsafe extern "C" {
        safe fn mi_version() -> core::ffi::c_int;
    }
    let version = mi_version();
    format!("mimalloc {}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}
