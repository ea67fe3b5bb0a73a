//! The tables that stand in other documents: the README's, and that of the guide's page on strategies.

use std::fmt::Write as _;

use super::Run;
use super::groups::Role;
use crate::race::{OURS, Outcome, Standing};

const BEGIN: &str = "<!-- figures: written by benches/publish.sh -->\n";
const END: &str = "<!-- figures end -->\n";

/// The tables that are shown, and their names there.
const ROWS: [(&str, &str); 14] = [
    ("w1/16", "pair, 16 B"),
    ("w1/64", "pair, 64 B"),
    ("w1/256", "pair, 256 B"),
    ("w1/1024", "pair, 1024 B"),
    ("w2/1000-same", "burst of 1,000, freed in the same order"),
    ("w2/1000-reverse", "... in reverse"),
    ("w2/1000-shuffled", "... shuffled"),
    ("w2/100000-same", "burst of 100,000, same order"),
    ("w2/100000-shuffled", "... shuffled"),
    ("w3/10000", "a death and a birth, 10,000 live"),
    ("w3/1000000", "... 1,000,000 live"),
    ("w5/frame", "quad-tree frame, 10,000 real points"),
    ("w8/trees", "binary trees, a node"),
    ("w9/1000000", "the first million objects of a process"),
];

/// The contestants that are shown, by how their names begin, and their names there.
const COLUMNS: [(&str, &str); 8] = [
    (STACK, "with `pointer_stack`"),
    ("Box (system)", "glibc"),
    ("mimalloc", "mimalloc"),
    ("jemalloc", "jemalloc"),
    ("slab (keys)", "slab"),
    ("shared_arena Pool", "shared_arena"),
    ("bumpalo (frees nothing)", "bumpalo*"),
    ("limit: plain list", "limit**"),
];

/// The other strategy.
const STACK: &str = "typed-pool, pointer_stack";

/// `document` with `table` between the marks.
///
/// # Panics
///
/// If there are no marks.
pub(super) fn replaced(document: &str, table: &str) -> String {
    let (before, rest) = document.split_once(BEGIN).expect("a mark where the figures begin");
    let (_, after) = rest.split_once(END).expect("a mark where the figures end");
    format!("{before}{BEGIN}{table}{END}{after}")
}

/// The rows that were run, with what came of them.
fn rows(run: &Run) -> impl Iterator<Item = (&'static str, &Outcome)> {
    ROWS.into_iter().filter_map(|(name, row)| Some((row, run.outcome(name)?)))
}

/// For the README: times in multiples of ours.
pub(super) fn everybody(run: &Run) -> String {
    let mut table = String::from("| workload | typed-pool |");
    for (_, column) in COLUMNS {
        let _ = write!(table, " {column} |");
    }
    let _ = writeln!(table, "\n|---|--:|{}", "--:|".repeat(COLUMNS.len()));
    for (row, outcome) in rows(run) {
        let ours = outcome.of(OURS).map_or(f64::NAN, |ours| ours.value);
        let _ = write!(table, "| {row} | {ours:.1} {} |", outcome.unit.name());
        for (name, _) in COLUMNS {
            match outcome.of(name) {
                Some(standing) => {
                    let _ = write!(table, " {:.2} |", standing.times);
                }
                None => table.push_str(" |"),
            }
        }
        table.push('\n');
    }
    let _ = writeln!(table, "\n{}, {}.", run.machine, run.rustc);
    table
}

/// For the guide: both strategies, and the fastest of the others.
pub(super) fn strategies(run: &Run) -> String {
    let mut table = String::from(
        "| workload | `free_list` | `pointer_stack` | best other |\n|---|--:|--:|--:|\n",
    );
    for (row, outcome) in rows(run) {
        let is_peer = |standing: &&Standing| Role::of(&standing.contestant) == Role::Peer;
        let peers = outcome.standings.iter().filter(is_peer);
        let best = peers.min_by(|one, other| one.value.total_cmp(&other.value));
        let (Some(list), Some(stack), Some(best)) = (outcome.of(OURS), outcome.of(STACK), best)
        else {
            continue;
        };
        let _ = writeln!(
            table,
            "| {row}, {} | {:.1} | {:.1} ({:.2}) | {} {:.1} |",
            outcome.unit.name(),
            list.value,
            stack.value,
            stack.times,
            best.contestant,
            best.value
        );
    }
    table
}
