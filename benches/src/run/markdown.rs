//! Tables for the documents, in Markdown, to be pasted.

use std::fmt::Write as _;

use super::Run;
use super::processor::label;
use crate::race::{OURS, Outcome, Standing};
use crate::tables::all;

/// Ratios nearer to 1 than this are chance.
const CLEAR: f64 = 0.97;

/// A row or a column: the name in a run, and the words for it.
type Named = (&'static str, &'static str);

/// Workloads of boxes.
const BOXES: [Named; 16] = [
    ("w1/16", "pair, 16 bytes"),
    ("w1/64", "pair, 64 bytes"),
    ("w1/256", "pair, 256 bytes"),
    ("w1/1024", "pair, 1,024 bytes"),
    ("w2/1000-same", "burst of 1,000, freed in the same order"),
    ("w2/1000-reverse", "burst of 1,000, freed in reverse"),
    ("w2/1000-shuffled", "burst of 1,000, freed at random"),
    ("w2/100000-same", "burst of 100,000, freed in the same order"),
    ("w2/100000-shuffled", "burst of 100,000, freed at random"),
    ("w3/10000", "a death and a birth, 10,000 live"),
    ("w3/1000000", "a death and a birth, 1,000,000 live"),
    ("w5/frame", "quad-tree frame, 10,000 points"),
    ("w8/trees", "binary trees, a node"),
    ("w10/pair", "trait object made, called, freed"),
    ("w10/mixed", "10,000 trait objects of ten types"),
    ("w9/1000000", "first million objects of a process"),
];

const RIVALS: [Named; 10] = [
    ("typed-pool, pointer_stack", "with `pointer_stack`"),
    ("typed-pool, any::Box", "`any::Box`"),
    ("Box (system)", "glibc"),
    ("mimalloc", "mimalloc"),
    ("jemalloc", "jemalloc"),
    ("slab (keys)", "slab"),
    ("shared_arena Pool", "shared_arena"),
    ("plurality MultiPool", "plurality"),
    ("bumpalo (frees nothing)", "bumpalo, which frees nothing"),
    ("limit: plain list", "free list by hand, unsafe"),
];

/// Workloads of handles.
const HANDLES: [Named; 14] = [
    ("w3h/10000", "a death and a birth, 10,000 live"),
    ("w3h/1000000", "a death and a birth, 1,000,000 live"),
    ("w4/10000", "bullets: a frame of 10,000, each"),
    ("w4/100000", "bullets: a frame of 100,000, each"),
    ("w6/insert-10000", "insert 10,000"),
    ("w6/take-10000", "remove 10,000 at random"),
    ("w6/get-10000", "look up 10,000 at random"),
    ("w6/get-100000", "look up 100,000 at random"),
    ("w6/get-cold-10000", "look up 10,000 at random, cold caches"),
    ("w6/get-cold-100000", "look up 100,000 at random, cold caches"),
    ("w6e/10000-100%", "read 10,000, no gaps"),
    ("w6e/10000-50%", "read 5,000 of 10,000 slots"),
    ("w6e/100000-10%", "read 10,000 of 100,000 slots"),
    ("w6e/1000000-10%", "read 100,000 of 1,000,000 slots"),
];

const CONTAINERS: [Named; 5] = [
    ("SlotMap", "SlotMap"),
    ("HopSlotMap", "HopSlotMap"),
    ("DenseSlotMap", "DenseSlotMap"),
    ("slab", "slab"),
    ("thunderdome", "thunderdome"),
];

/// Workloads of pools and rosters that threads share.
const THREADS: [Named; 8] = [
    ("w7/own-pair", "pairs, two threads"),
    ("w7/own-burst", "bursts of 1,000, two threads"),
    ("w7/hand-off-read", "one thread allocates, the other reads and frees"),
    ("w7/larson", "two crowds of 1,000 that change threads"),
    ("w12/one", "roster: look up 10,000 at random, one thread"),
    ("w12/two", "roster: look up 10,000 at random, two threads"),
    ("w12/churn", "roster: a death and a birth, two threads"),
    ("w2-static/100000-shuffled", "burst of 100,000, freed at random, one thread"),
];

const SHARED: [Named; 9] = [
    ("Box (system)", "glibc"),
    ("mimalloc", "mimalloc"),
    ("jemalloc", "jemalloc"),
    ("snmalloc", "snmalloc"),
    ("RwLock<SlotMap>", "`RwLock<SlotMap>`"),
    ("Mutex<SlotMap>", "`Mutex<SlotMap>`"),
    ("DashMap", "DashMap"),
    ("sharded-slab", "sharded-slab"),
    ("concurrent-slotmap", "concurrent-slotmap"),
];

/// Workloads of frame stacks.
const FRAMES: [Named; 1] = [("frames/reset-all", "an object of 10,000 in a frame, and a reset")];

const ARENAS: [Named; 5] = [
    ("typed-pool, FrameStack", "`FrameStack`"),
    ("bumpalo", "bumpalo"),
    ("bump-scope", "bump-scope"),
    ("multitude", "multitude"),
    ("Box (system)", "glibc"),
];

/// First objects.
const COLD: [Named; 5] = [
    ("w9/1", "the first object of a process"),
    ("w9/thread", "the first object of its second thread"),
    ("w9/later-thread", "of a thread that takes over from others"),
    ("w9/1000", "the first thousand of a process, each"),
    ("w9/1000000", "the first million, each"),
];

const MEMORY: [Named; 3] = [
    ("memory/16-live", "resident bytes for each of a million objects of 16 bytes"),
    ("memory/64-live", "... of 64 bytes"),
    ("memory/64-freed", "... after all were freed, and the pool was trimmed"),
];

const FIRST: [Named; 5] = [
    (OURS, "typed-pool"),
    ("typed-pool, static", "`static`"),
    ("Box (system)", "glibc"),
    ("mimalloc", "mimalloc"),
    ("jemalloc", "jemalloc"),
];

/// The figures in the cells of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cells {
    Ratios,
    Values,
}

/// All tables of a run: our time, and the times of others in multiples of it.
pub fn of(run: &Run) -> String {
    let mut text = format!("### {}, {}\n", run.machine, run.rustc);
    table(&mut text, run, "boxes", &BOXES, &RIVALS, Cells::Ratios);
    table(&mut text, run, "handles", &HANDLES, &CONTAINERS, Cells::Ratios);
    table(&mut text, run, "threads", &THREADS, &SHARED, Cells::Ratios);
    table(&mut text, run, "frame stacks", &FRAMES, &ARENAS, Cells::Ratios);
    table(&mut text, run, "nanoseconds", &COLD, &FIRST, Cells::Values);
    table(&mut text, run, "bytes", &MEMORY, &FIRST, Cells::Values);
    text
}

/// Ratios to our time, or values where ratios would hide how small or large they are. Rows and columns without a result are left out.
fn table(
    text: &mut String,
    run: &Run,
    head: &str,
    rows: &[Named],
    columns: &[Named],
    shows: Cells,
) {
    let row = |(name, words): &Named| Some((run.outcome(name)?, *words));
    let rows: Vec<_> = rows.iter().filter_map(row).collect();
    if rows.is_empty() {
        return;
    }
    let has_results = |(name, _): &&Named| rows.iter().any(|(row, _)| row.of(name).is_some());
    let columns: Vec<_> = columns.iter().filter(has_results).collect();
    let first = if shows == Cells::Ratios { " typed-pool |" } else { "" };
    let names: String = columns.iter().map(|(_, name)| format!(" {name} |")).collect();
    let rules = "--:|".repeat(columns.len() + usize::from(!first.is_empty()));
    let _ = writeln!(text, "\n| {head} |{first}{names}\n|---|{rules}");
    for (outcome, words) in rows {
        let ours = figures(outcome.reference().value);
        let first = match shows {
            Cells::Ratios => format!(" {ours} {} |", outcome.unit.name()),
            Cells::Values => String::new(),
        };
        let cell = |(name, _): &&Named| match (outcome.of(name), shows) {
            (Some(standing), Cells::Ratios) => format!(" {} |", figures(standing.times)),
            (Some(standing), Cells::Values) => format!(" {} |", figures(standing.value)),
            (None, _) => " |".to_owned(),
        };
        let cells: String = columns.iter().map(cell).collect();
        let _ = writeln!(text, "| {words} |{first}{cells}");
    }
}

/// Two digits that count, whatever the size.
fn figures(value: f64) -> String {
    if value < 0.01 {
        return "under 0.01".to_owned();
    }
    let digits = (1.0 - value.log10().floor()).clamp(0.0, 6.0);
    format!("{value:.*}", digits as usize)
}

/// Lists the peers that were faster in one run or more, with their times as parts of ours.
pub fn losses(runs: &[Run]) -> String {
    let labels: Vec<_> = runs.iter().map(|run| label(&run.machine)).collect();
    let rules = "---|".repeat(runs.len() + 1);
    let mut text = format!("| workload | {} |\n|{rules}\n", labels.join(" | "));
    for known in all() {
        let lost = runs.iter().map(|run| run.outcome(&known.name).map_or(String::new(), faster));
        let lost: Vec<_> = lost.collect();
        if lost.iter().any(|lost| !lost.is_empty()) {
            let _ = writeln!(text, "| {} (`{}`) | {} |", known.what, known.name, lost.join(" | "));
        }
    }
    text
}

fn faster(outcome: &Outcome) -> String {
    if !outcome.has_ratios() || !is_ours(&outcome.reference().contestant) {
        return String::new();
    }
    let is_faster = |standing: &&Standing| is_peer(&standing.contestant) && standing.times < CLEAR;
    let named =
        |standing: &Standing| format!("{} {}", standing.contestant, figures(standing.times));
    outcome.standings.iter().filter(is_faster).map(named).collect::<Vec<_>>().join(", ")
}

/// Whether a contestant does the same job and is neither part of this project nor written by hand.
pub(super) fn is_peer(contestant: &str) -> bool {
    !is_ours(contestant)
        && !contestant.contains("limit:")
        && !contestant.contains("(frees nothing)")
}

pub(super) fn is_ours(contestant: &str) -> bool {
    contestant.starts_with("typed-pool") || contestant.contains("of typed-pool")
}
