//! The documents that are made from a run: `docs/performance.md`, its charts, and the tables of the README and
//! of the guide.

mod chart;
mod curve;
mod figures;
mod groups;
mod page;

use std::fs;
use std::path::Path;
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
        Self { machine: machine(), rustc: rustc(), versions: versions(), outcomes }
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

    /// Writes everything, below the workspace's folder `root`.
    ///
    /// # Errors
    ///
    /// Those of the files.
    pub fn publish(&self, root: &Path) -> std::io::Result<()> {
        let charts = root.join("docs/charts");
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
        fs::write(root.join("docs/performance.md"), page::page(self))?;
        for (document, table) in [
            ("README.md", figures::everybody(self)),
            ("src/guide/choosing.md", figures::strategies(self)),
        ] {
            let path = root.join(document);
            let old = fs::read_to_string(&path)?;
            fs::write(path, figures::replaced(&old, &table))?;
        }
        Ok(())
    }
}

/// What a program prints; nothing if it cannot be run.
fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    output.unwrap_or_default()
}

fn machine() -> String {
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split(": ").nth(1)).unwrap_or("an unknown processor");
    let cores = processors.lines().filter(|line| line.starts_with("processor")).count();
    format!("{model}, {cores} cores")
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
    tree.lines().skip(1).filter(is_contestant).map(str::to_owned).collect()
}
