//! The documents that are made from the runs on all processors: `docs/performance.md`, its charts, and the tables
//! of the README and of the guide.

mod chart;
mod curve;
mod figures;
mod groups;
mod page;
mod processor;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::race::Outcome;
use groups::Shape;

/// All tables of one run, and where it ran.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The processor.
    pub machine: String,
    /// The compiler.
    pub rustc: String,
    /// The contestants and their versions.
    pub versions: Vec<String>,
    /// What came of each table.
    pub outcomes: Vec<Outcome>,
}

impl Run {
    /// A run on this machine.
    #[must_use]
    pub fn of(outcomes: Vec<Outcome>) -> Self {
        Self { machine: processor::this(), rustc: rustc(), versions: versions(), outcomes }
    }

    /// A run that was saved.
    ///
    /// # Panics
    ///
    /// If the file is not there, or is no run.
    #[must_use]
    pub fn load(file: &Path) -> Self {
        let run = fs::read_to_string(file);
        let run = run.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        serde_json::from_str(&run).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }

    /// The outcome of a table.
    #[must_use]
    pub fn outcome(&self, table: &str) -> Option<&Outcome> {
        self.outcomes.iter().find(|outcome| outcome.table == table)
    }

    /// The outcomes of all tables that begin so.
    pub fn group<'r>(&'r self, name: &str) -> impl Iterator<Item = &'r Outcome> + Clone {
        let prefix = format!("{name}/");
        self.outcomes.iter().filter(move |outcome| outcome.table.starts_with(&prefix))
    }

    /// The same for tables that were run later, on the same machine.
    pub fn replace(&mut self, newer: Vec<Outcome>) {
        self.outcomes.retain(|old| newer.iter().all(|new| new.table != old.table));
        self.outcomes.extend(newer);
    }

    /// Where the processor's charts are, below `docs`.
    fn charts(&self) -> String {
        format!("charts/{}", processor::slug(&self.machine))
    }

    /// Draws its charts, below the folder `docs`.
    fn draw(&self, docs: &Path) -> io::Result<()> {
        let charts = docs.join(self.charts());
        fs::create_dir_all(&charts)?;
        for group in groups::ALL {
            let tables: Vec<_> = self.group(group.name).collect();
            if tables.is_empty() {
                continue;
            }
            match group.shape {
                Shape::Bars => {
                    chart::save(&tables, &charts.join(format!("{}.svg", group.name)))?;
                }
                Shape::Curves => {
                    for kind in ["burst", "churn"] {
                        let path = charts.join(format!("{}-{kind}.svg", group.name));
                        curve::save(&tables, kind, &path)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The file of this machine's run.
#[must_use]
pub fn file_of_this_machine(root: &Path) -> PathBuf {
    root.join(processor::file())
}

/// Writes everything, below the workspace's folder `root`, from all runs that are saved there.
///
/// # Errors
///
/// Those of the files.
pub fn publish(root: &Path) -> io::Result<()> {
    let docs = root.join("docs");
    let mut files = Vec::new();
    for entry in fs::read_dir(docs.join("performance"))? {
        files.push(entry?.path());
    }
    files.sort();
    let runs: Vec<_> = files.iter().map(|file| Run::load(file)).collect();
    for run in &runs {
        run.draw(&docs)?;
    }
    fs::write(docs.join("performance.md"), page::page(&runs))?;
    for (document, mark, table) in [
        ("README.md", figures::ALL, figures::brief(&runs)),
        ("src/guide/choosing.md", figures::ALL, figures::strategies(&runs)),
        ("src/guide/choosing.md", figures::ANY, figures::by_layout(&runs)),
    ] {
        let path = root.join(document);
        let old = fs::read_to_string(&path)?;
        fs::write(path, figures::replaced(&old, mark, &table))?;
    }
    Ok(())
}

/// What a program prints; nothing if it cannot be run.
fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    output.unwrap_or_default()
}

fn rustc() -> String {
    said_by("rustc", &["-V"]).trim().to_owned()
}

fn versions() -> Vec<String> {
    let tree = said_by(
        "cargo",
        &[
            "tree",
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            "--depth",
            "1",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ],
    );
    let is_contestant = |line: &&str| {
        !line.contains('/')
            && !["serde ", "serde_json ", "svg "].iter().any(|tool| line.starts_with(tool))
    };
    let named = |line: &str| match line.split_once(' ') {
        Some(("mimalloc", _)) => format!("{line} ({})", mimalloc()),
        _ => line.to_owned(),
    };
    tree.lines().skip(1).filter(is_contestant).map(named).collect()
}

/// The version of mimalloc that its crate was built with, which is not the crate's.
fn mimalloc() -> String {
    unsafe extern "C" {
        safe fn mi_version() -> core::ffi::c_int;
    }
    let version = mi_version();
    format!("mimalloc {}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}
