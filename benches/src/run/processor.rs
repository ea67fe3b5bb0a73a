//! The processor of a run.

use std::fs;

/// The processor of this machine and the number of its cores.
pub(super) fn this() -> String {
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let fields = || processors.lines().filter_map(|line| line.split_once(':'));
    let first =
        |name: &str| fields().find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim());
    let number = |name| first(name).and_then(|value| value.parse().ok()).unwrap_or(0);
    let model = first("model name").unwrap_or("an unknown processor");
    let generation = generation(number("cpu family"), number("model"));
    let cores = fields().filter(|(key, _)| key.trim() == "processor").count();
    format!("{model}{generation}, {cores} cores")
}

/// Names the generation of a processor: a virtual machine may tell no more than "AMD EPYC".
fn generation(family: u32, model: u32) -> &'static str {
    match (family, model) {
        (6, 143) => " (Sapphire Rapids)",
        (6, 173) => " (Granite Rapids)",
        (6, 207) => " (Emerald Rapids)",
        (25, 16..=31 | 96..=175) => " (Zen 4)",
        (25, _) => " (Zen 3)",
        (26, 0..=79 | 96..=127) => " (Zen 5)",
        _ => "",
    }
}

/// Its name where there is little room.
pub(super) fn label(machine: &str) -> String {
    let model = plain(machine.split(',').next().unwrap_or(machine));
    let words: Vec<_> =
        model.split_whitespace().filter(|&word| word != "Processor" && word != "CPU").collect();
    words.join(" ")
}

fn plain(name: &str) -> String {
    name.replace("(R)", "").replace("(TM)", "").replace("(tm)", "")
}
