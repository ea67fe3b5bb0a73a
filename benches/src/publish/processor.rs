//! What a run was made on.

use std::fs;
use std::path::PathBuf;

/// The processor of this machine and the number of its cores.
pub(super) fn this() -> String {
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split(": ").nth(1)).unwrap_or("an unknown processor");
    let cores = processors.lines().filter(|line| line.starts_with("processor")).count();
    format!("{model}, {cores} cores")
}

/// What its files are called.
pub(super) fn slug(machine: &str) -> String {
    let words: String =
        plain(machine).to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), " ");
    words.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Its name where there is little room.
pub(super) fn label(machine: &str) -> String {
    let model = plain(machine.split(',').next().unwrap_or(machine));
    let words: Vec<_> =
        model.split_whitespace().filter(|&word| word != "Processor" && word != "CPU").collect();
    words.join(" ")
}

/// The file of the run on this machine, below the workspace's folder.
pub(super) fn file() -> PathBuf {
    PathBuf::from(format!("docs/performance/{}.json", slug(&this())))
}

fn plain(name: &str) -> String {
    name.replace("(R)", "").replace("(TM)", "").replace("(tm)", "")
}
