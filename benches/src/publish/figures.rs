//! The tables that compare pools with their peers: in the README, on the guide's page on strategies, and, at length, in
//! `docs/performance.md`.

use std::fmt::Write as _;

use super::Run;
use super::groups::Role;
use super::page::CLEAR;
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

const BRIEF_COLUMNS: [(&str, &str); 4] = [
    ("Box (system)", "glibc"),
    ("mimalloc", "mimalloc"),
    ("jemalloc", "jemalloc"),
    ("bumpalo (frees nothing)", "bumpalo, which frees nothing"),
];

/// The same of rosters, beside what else hands out keys.
const HANDLE_ROWS: [(&str, &str); 4] = [
    ("w3h/10000", "one dies, one is born, 10,000 live"),
    ("w6/get-10000", "look up 10,000 in any order"),
    ("w6e/10000-100%", "read all, no gaps"),
    ("w6e/10000-50%", "read all, every other slot vacant"),
];

const HANDLE_COLUMNS: [(&str, &str); 4] = [
    ("SlotMap", "SlotMap"),
    ("DenseSlotMap", "DenseSlotMap"),
    ("slab", "slab"),
    ("thunderdome", "thunderdome"),
];

/// How many losses the README shows.
const LARGEST: usize = 5;

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
fn processors(runs: &[Run]) -> String {
    let version = |rustc: &str| rustc.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let name = |run: &Run| format!("{} ({})", run.machine, version(&run.rustc));
    let names: Vec<_> = runs.iter().map(name).collect();
    format!("In each cell: {}.\n\n", names.join(" / "))
}

/// For `docs/performance.md`: times in multiples of ours.
pub(super) fn everybody(runs: &[Run]) -> String {
    let mut table = processors(runs);
    multiples(&mut table, "workload", ROWS.iter().chain(&OBJECT_ROWS), &COLUMNS, runs);
    table
}

/// For the README: what is made for pools, what is made for handles, and what is not.
pub(super) fn brief(runs: &[Run]) -> String {
    let mut table = processors(runs);
    multiples(&mut table, "boxes", &BRIEF_ROWS, &BRIEF_COLUMNS, runs);
    table.push('\n');
    multiples(&mut table, "by handles", &HANDLE_ROWS, &HANDLE_COLUMNS, runs);
    table.push_str("\n| where we lose most | typed-pool | the fastest |\n|---|--:|--:|\n");
    for Loss { name, rival, .. } in largest(runs) {
        let outcomes: Vec<_> = runs.iter().map(|run| run.outcome(name)).collect();
        let what = outcomes.iter().flatten().next().map_or("", |outcome| &*outcome.what);
        let ours = cell(&outcomes, |outcome| Some(format!("{:.1}", outcome.of(OURS)?.value)));
        let times = cell(&outcomes, |outcome| Some(format!("{:.2}", outcome.of(rival)?.times)));
        let rival = COLUMNS.iter().find(|named| named.0 == rival).map_or(rival, |named| named.1);
        let _ =
            writeln!(table, "| `{name}`: {what} | {ours} {} | {rival} {times} |", unit(&outcomes));
    }
    table
}

/// A table, and the peer that is fastest there.
struct Loss<'r> {
    name: &'r str,
    rival: &'r str,
    /// Its time as a part of ours, on all processors together.
    times: f64,
}

/// The largest losses: of each group of tables the largest, so that one that has many does not hide the others.
fn largest(runs: &[Run]) -> Vec<Loss<'_>> {
    let mut all: Vec<_> = runs
        .iter()
        .flat_map(|run| &run.outcomes)
        .filter(|outcome| outcome.is_ours())
        .flat_map(|outcome| outcome.standings.iter().map(|peer| (&*outcome.table, peer)))
        .filter(|(_, peer)| Role::of(&peer.contestant) == Role::Peer)
        .map(|(name, peer)| {
            let rival = &*peer.contestant;
            let each = runs.iter().filter_map(|run| Some(run.outcome(name)?.of(rival)?.times));
            let each: Vec<_> = each.collect();
            let product: f64 = each.iter().product();
            Loss { name, rival, times: product.powf(1.0 / each.len() as f64) }
        })
        .collect();
    all.sort_by(|one, other| one.times.total_cmp(&other.times));
    let mut groups = Vec::new();
    all.retain(|loss| {
        let group = loss.name.split(['/', '-']).next();
        let is_new = loss.times < CLEAR && !groups.contains(&group);
        groups.extend(is_new.then_some(group));
        is_new
    });
    all.truncate(LARGEST);
    all
}

/// A row for each workload: our time, and the times of these contestants in multiples of it.
fn multiples<'n>(
    table: &mut String,
    head: &str,
    names: impl IntoIterator<Item = &'n (&'static str, &'static str)>,
    columns: &[(&str, &str)],
    runs: &[Run],
) {
    let _ = write!(table, "| {head} | typed-pool |");
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
}

/// For the guide: both strategies, and the fastest of the others.
pub(super) fn strategies(runs: &[Run]) -> String {
    let mut table = processors(runs);
    table
        .push_str("| workload | `free_list` | `pointer_stack` | best other |\n|---|--:|--:|--:|\n");
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
    table
}

/// For the guide: the derived pool, and those by layout.
pub(super) fn by_layout(runs: &[Run]) -> String {
    let mut table = processors(runs);
    table.push_str(
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
    table
}
