//! The tables that compare pools with their peers: in the README, on the guide's page on strategies, and, at length, in
//! `docs/performance.md`.

use std::fmt::Write as _;

use super::Run;
use super::groups::Role;
use crate::race::{OURS, Outcome, Standing};

/// What stands in a document before its tables, and before the tables of pools by layout.
pub(super) const ALL: &str = "<!-- figures: written by benches/publish.sh -->\n";
pub(super) const ANY: &str = "<!-- figures of any: written by benches/publish.sh -->\n";
const END: &str = "<!-- figures end -->\n";

/// The tables that are shown, and their names there.
const ROWS: [(&str, &str); 15] = [
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
    ("w9/thread", "the first object of a thread"),
];

/// What the README shows.
const BRIEF_ROWS: [(&str, &str); 5] = [
    ("w1/64", "make one, drop it"),
    ("w2/1000-shuffled", "make 1,000, drop them in any order"),
    ("w3/10000", "one dies, one is born, 10,000 live"),
    ("w5/frame", "quad-tree frame, 10,000 real points"),
    ("w8/trees", "binary trees, a node"),
];

const BRIEF_COLUMNS: [(&str, &str); 5] = [
    ("Box (system)", "glibc"),
    ("mimalloc", "mimalloc"),
    ("jemalloc", "jemalloc"),
    ("slab (keys)", "slab"),
    ("bumpalo (frees nothing)", "bumpalo, which frees nothing"),
];

/// What the README shows of what we lose, and to which peer.
const LOSSES: [(&str, &str, &str); 2] = [
    ("w6/take-100000", "take 100,000 elements out of a `Roster` by their handles", "slab"),
    ("w9/thread", "the first object of a new thread", "Box (system)"),
];

/// Further tables of the long one.
const OBJECT_ROWS: [(&str, &str); 3] = [
    ("w10/pair", "a trait object made, called, freed"),
    ("w10/mixed", "... ten thousand of ten types"),
    ("w11/churn", "generic map: a key removed, another inserted"),
];

/// The tables that compare pools by layout with derived ones.
const ANY_ROWS: [(&str, &str); 8] = [
    ("w1/16", "pair, 16 B"),
    ("w1/64", "pair, 64 B"),
    ("w2/1000-shuffled", "burst of 1,000, freed in shuffled order"),
    ("w3/10000", "a death and a birth, 10,000 live"),
    ("w5/frame", "quad-tree frame, 10,000 real points"),
    ("w8/trees", "binary trees, a node"),
    ("w10/mixed", "trait objects of ten types made, called, freed"),
    ("w11/churn", "generic map: a key removed, another inserted"),
];

/// The contestants that are shown, by how their names begin, and their names there.
const COLUMNS: [(&str, &str); 9] = [
    (STACK, "with `pointer_stack`"),
    (BY_LAYOUT, "`any::Box`"),
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
/// For any type.
const BY_LAYOUT: &str = "typed-pool, any::Box";

/// `document` with `table` between this mark and the next end.
///
/// # Panics
///
/// If there are no marks.
pub(super) fn replaced(document: &str, begin: &str, table: &str) -> String {
    let (before, rest) = document.split_once(begin).expect("a mark where the figures begin");
    let (_, after) = rest.split_once(END).expect("a mark where the figures end");
    format!("{before}{begin}{table}{END}{after}")
}

/// The rows that any run has, with what came of them in each.
fn rows<'n, 'r>(
    rows: impl IntoIterator<Item = &'n (&'static str, &'static str)>,
    runs: &'r [Run],
) -> impl Iterator<Item = (&'static str, Vec<Option<&'r Outcome>>)> {
    rows.into_iter().filter_map(|&(name, row)| {
        let outcomes: Vec<_> = runs.iter().map(|run| run.outcome(name)).collect();
        outcomes.iter().any(Option::is_some).then_some((row, outcomes))
    })
}

/// A cell with a figure for each processor. Empty where none has one.
fn cell(outcomes: &[Option<&Outcome>], figure: impl Fn(&Outcome) -> Option<String>) -> String {
    let figures: Vec<_> = outcomes.iter().map(|outcome| outcome.and_then(&figure)).collect();
    if figures.iter().all(Option::is_none) {
        return String::new();
    }
    let shown: Vec<_> =
        figures.into_iter().map(|figure| figure.unwrap_or_else(|| "\u{2013}".to_owned())).collect();
    shown.join(" / ")
}

fn unit(outcomes: &[Option<&Outcome>]) -> &'static str {
    outcomes.iter().flatten().next().map_or("", |outcome| outcome.unit.name())
}

/// Which figure of a cell is from which processor.
fn processors(table: &mut String, runs: &[Run]) {
    let names: Vec<_> = runs.iter().map(|run| format!("{} ({})", run.machine, run.rustc)).collect();
    let _ = writeln!(table, "\nIn each cell: {}.", names.join(" / "));
}

/// For `docs/performance.md`: times in multiples of ours.
pub(super) fn everybody(runs: &[Run]) -> String {
    let mut table = multiples(ROWS.iter().chain(&OBJECT_ROWS), &COLUMNS, runs);
    processors(&mut table, runs);
    table
}

/// For the README: what is made for pools, and what is not.
pub(super) fn brief(runs: &[Run]) -> String {
    let mut table = multiples(&BRIEF_ROWS, &BRIEF_COLUMNS, runs);
    table.push_str("\n| where we lose | typed-pool | the fastest |\n|---|--:|--:|\n");
    for (name, row, rival) in LOSSES {
        for (row, outcomes) in rows(&[(name, row)], runs) {
            let ours = cell(&outcomes, |outcome| Some(format!("{:.1}", outcome.of(OURS)?.value)));
            let times = cell(&outcomes, |outcome| Some(format!("{:.2}", outcome.of(rival)?.times)));
            let rival =
                COLUMNS.iter().find(|(name, _)| *name == rival).map_or(rival, |named| named.1);
            let _ = writeln!(table, "| {row} | {ours} {} | {rival} {times} |", unit(&outcomes));
        }
    }
    processors(&mut table, runs);
    table
}

/// A row for each workload: our time, and the times of these contestants in multiples of it.
fn multiples<'n>(
    names: impl IntoIterator<Item = &'n (&'static str, &'static str)>,
    columns: &[(&str, &str)],
    runs: &[Run],
) -> String {
    let mut table = String::from("| workload | typed-pool |");
    for (_, column) in columns {
        let _ = write!(table, " {column} |");
    }
    let _ = writeln!(table, "\n|---|--:|{}", "--:|".repeat(columns.len()));
    for (row, outcomes) in rows(names, runs) {
        let ours = cell(&outcomes, |outcome| Some(format!("{:.1}", outcome.of(OURS)?.value)));
        let _ = write!(table, "| {row} | {ours} {} |", unit(&outcomes));
        for (name, _) in columns {
            let times = cell(&outcomes, |outcome| Some(format!("{:.2}", outcome.of(name)?.times)));
            table.push_str(if times.is_empty() { "" } else { " " });
            let _ = write!(table, "{times} |");
        }
        table.push('\n');
    }
    table
}

/// For the guide: both strategies, and the fastest of the others.
pub(super) fn strategies(runs: &[Run]) -> String {
    let mut table = String::from(
        "| workload | `free_list` | `pointer_stack` | best other |\n|---|--:|--:|--:|\n",
    );
    for (row, outcomes) in rows(&ROWS, runs) {
        let list = cell(&outcomes, |outcome| Some(format!("{:.1}", outcome.of(OURS)?.value)));
        let stack = cell(&outcomes, |outcome| {
            let stack = outcome.of(STACK)?;
            Some(format!("{:.1} ({:.2})", stack.value, stack.times))
        });
        let best = cell(&outcomes, |outcome| {
            let is_peer = |standing: &&Standing| Role::of(&standing.contestant) == Role::Peer;
            let peers = outcome.standings.iter().filter(is_peer);
            let best = peers.min_by(|one, other| one.value.total_cmp(&other.value))?;
            Some(format!("{} {:.1}", best.contestant, best.value))
        });
        let _ = writeln!(table, "| {row}, {} | {list} | {stack} | {best} |", unit(&outcomes));
    }
    processors(&mut table, runs);
    table
}

/// For the guide: the derived pool, and those by layout.
pub(super) fn by_layout(runs: &[Run]) -> String {
    let mut table = String::from(
        "| workload | derived | `any::Box` | `SharedByLayout` | mimalloc |\n|---|--:|--:|--:|--:|\n",
    );
    for (row, outcomes) in rows(&ANY_ROWS, runs) {
        let derived = cell(&outcomes, |outcome| Some(format!("{:.1}", outcome.of(OURS)?.value)));
        let _ = write!(table, "| {row}, {} | {derived} |", unit(&outcomes));
        for name in [BY_LAYOUT, "typed-pool, SharedByLayout", "mimalloc"] {
            let figure = |outcome: &Outcome| {
                let Standing { value, times, .. } = outcome.of(name)?;
                Some(format!("{value:.1} ({times:.2})"))
            };
            let _ = write!(table, " {} |", cell(&outcomes, figure));
        }
        table.push('\n');
    }
    processors(&mut table, runs);
    table
}
