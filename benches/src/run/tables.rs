//! Tables for the documents, in Markdown, to be pasted.

use std::fmt::Write as _;

use super::Run;
use super::processor::label;
use crate::race::{OURS, Outcome, Standing, all};

/// Ratios nearer to 1 than this are chance.
const CLEAR: f64 = 0.97;

/// A row or a column: the name in a run, and the words for it.
type Named = (&'static str, &'static str);

/// Workloads of boxes.
pub const BOXES: [Named; 17] = [
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
    ("w11/churn", "generic map: a key removed, another inserted"),
    ("w9/1000000", "first million objects of a process"),
];

const RIVALS: [Named; 9] = [
    ("typed-pool, pointer_stack", "with `pointer_stack`"),
    ("typed-pool, any::Box", "`any::Box`"),
    ("Box (system)", "glibc"),
    ("mimalloc", "mimalloc"),
    ("jemalloc", "jemalloc"),
    ("slab (keys)", "slab"),
    ("shared_arena Pool", "shared_arena"),
    ("bumpalo (frees nothing)", "bumpalo, which frees nothing"),
    ("limit: plain list", "free list by hand, unsafe"),
];

/// Workloads of handles.
pub const HANDLES: [Named; 12] = [
    ("w3h/10000", "a death and a birth, 10,000 live"),
    ("w3h/1000000", "a death and a birth, 1,000,000 live"),
    ("w4/10000", "bullets: a frame of 10,000, each"),
    ("w4/100000", "bullets: a frame of 100,000, each"),
    ("w6/insert-10000", "insert 10,000"),
    ("w6/take-10000", "remove 10,000 at random"),
    ("w6/get-10000", "look up 10,000 at random"),
    ("w6/get-100000", "look up 100,000 at random"),
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
pub const THREADS: [Named; 8] = [
    ("w7/own-pair", "pairs, two threads"),
    ("w7/own-burst", "bursts of 1,000, two threads"),
    ("w7/hand-off-read", "one thread allocates, the other reads and frees"),
    ("w7/larson", "two crowds of 1,000 that change threads"),
    ("w12/one", "roster: look up 10,000 at random, one thread"),
    ("w12/two", "roster: look up 10,000 at random, two threads"),
    ("w12/churn", "roster: a death and a birth, two threads"),
    ("w2-static/100000-shuffled", "burst of 100,000, freed at random, one thread"),
];

const SHARED: [Named; 8] = [
    ("Box (system)", "glibc"),
    ("mimalloc", "mimalloc"),
    ("jemalloc", "jemalloc"),
    ("snmalloc", "snmalloc"),
    ("RwLock<SlotMap>", "`RwLock<SlotMap>`"),
    ("Mutex<SlotMap>", "`Mutex<SlotMap>`"),
    ("DashMap", "DashMap"),
    ("sharded-slab", "sharded-slab"),
];

/// All tables of a run: our time, and the times of others in multiples of it.
#[must_use]
pub fn of(run: &Run) -> String {
    let mut text = format!("### {}, {}\n", run.machine, run.rustc);
    table(&mut text, run, "boxes", &BOXES, &RIVALS);
    table(&mut text, run, "handles", &HANDLES, &CONTAINERS);
    table(&mut text, run, "threads", &THREADS, &SHARED);
    text
}

fn table(text: &mut String, run: &Run, head: &str, rows: &[Named], columns: &[Named]) {
    let names: Vec<_> = columns.iter().map(|(_, name)| *name).collect();
    let _ = writeln!(text, "\n| {head} | typed-pool | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|--:|{}", "--:|".repeat(columns.len()));
    for (name, words) in rows {
        let Some(outcome) = run.outcome(name) else { continue };
        let Some(ours) = outcome.of(OURS) else { continue };
        let _ = write!(text, "| {words} | {} {} |", figures(ours.value), outcome.unit.name());
        for (name, _) in columns {
            match outcome.of(name) {
                Some(rival) => {
                    let _ = write!(text, " {} |", figures(rival.times));
                }
                None => text.push_str(" |"),
            }
        }
        text.push('\n');
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
#[must_use]
pub fn losses(runs: &[Run]) -> String {
    let labels: Vec<_> = runs.iter().map(|run| label(&run.machine)).collect();
    let rules = "---|".repeat(runs.len() + 1);
    let mut text = format!("| workload | {} |\n|{rules}\n", labels.join(" | "));
    for known in all() {
        let lost = runs.iter().map(|run| run.outcome(known.name).map_or(String::new(), faster));
        let lost: Vec<_> = lost.collect();
        if lost.iter().any(|lost| !lost.is_empty()) {
            let _ = writeln!(text, "| {} (`{}`) | {} |", known.what, known.name, lost.join(" | "));
        }
    }
    text
}

fn faster(outcome: &Outcome) -> String {
    if !outcome.is_ours() {
        return String::new();
    }
    let is_faster = |standing: &&Standing| is_peer(&standing.contestant) && standing.times < CLEAR;
    let named =
        |standing: &Standing| format!("{} {}", standing.contestant, figures(standing.times));
    outcome.standings.iter().filter(is_faster).map(named).collect::<Vec<_>>().join(", ")
}

/// Whether a contestant does the same job and is neither part of this project nor written by hand.
pub(crate) fn is_peer(contestant: &str) -> bool {
    !is_ours(contestant)
        && !contestant.contains("limit:")
        && !contestant.contains("(frees nothing)")
        && !contestant.contains("(moves)")
}

pub(super) fn is_ours(contestant: &str) -> bool {
    contestant.starts_with("typed-pool") || contestant.contains("of typed-pool")
}
