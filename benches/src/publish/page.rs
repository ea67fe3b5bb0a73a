//! `docs/performance.md`.

use std::fmt::Write as _;

use super::Run;
use super::groups::{self, Role, Shape};
use crate::race::{OURS, Outcome, Standing};

/// Below this a difference is no more than chance.
const CLEAR: f64 = 0.97;

pub(super) fn page(run: &Run) -> String {
    let mut page = format!(
        "# Performance\n\nMade by `benches/publish.sh` from one run: {}, {}. Every table is a process of its own \
         in which all contestants take turns, round by round; ratios are medians over the rounds. Times drift \
         from run to run, ratios by about a tenth. The contestants: {}.\n\nRatios are *times typed-pool*: above 1 \
         we are faster, below 1 we lose. In the charts our own bars are orange; pale ones are limits (unsafe, \
         unchecked, by hand) and contestants that do less. [benches/README.md](../benches/README.md) says what each \
         workload does.\n",
        run.machine,
        run.rustc,
        run.versions.join(", "),
    );
    losses(&mut page, run);
    targets(&mut page, run);
    for group in groups::ALL {
        let tables: Vec<_> = run.group(group.name).collect();
        if tables.is_empty() {
            continue;
        }
        let _ = writeln!(page, "\n## {}\n\n{}", group.title, group.words);
        match group.shape {
            Shape::Bars => {
                let _ = writeln!(page, "\n![{}](charts/{}.svg)", group.title, group.name);
            }
            Shape::Curves => {
                for kind in ["burst", "churn"] {
                    let _ = writeln!(page, "\n![{kind}](charts/{}-{kind}.svg)", group.name);
                }
            }
        }
        wide(&mut page, &tables);
    }
    page
}

/// Where a peer was faster than we.
fn losses(page: &mut String, run: &Run) {
    page.push_str(
        "\n## Where we lose\n\nEvery peer that was faster in this run, and by how much.\n\n",
    );
    page.push_str("| table | faster than typed-pool (its time as a part of ours) |\n|---|---|\n");
    let is_compared = |outcome: &&Outcome| {
        let is_ours = outcome.reference().is_some_and(|reference| reference.contestant == OURS);
        is_ours && outcome.has_ratios()
    };
    for outcome in run.outcomes.iter().filter(is_compared) {
        let faster: Vec<_> = outcome
            .standings
            .iter()
            .filter(|standing| {
                Role::of(&standing.contestant) == Role::Peer && standing.times < CLEAR
            })
            .map(|Standing { contestant, times, .. }| format!("{contestant} {times:.2}"))
            .collect();
        if !faster.is_empty() {
            let _ =
                writeln!(page, "| {}: {} | {} |", outcome.table, outcome.what, faster.join(", "));
        }
    }
}

/// What was asked for before the work began, and what was reached.
fn targets(page: &mut String, run: &Run) {
    page.push_str(
        "\n## Targets\n\nSet before the work began, as ratios to the fastest peer or to a limit by hand.\n\n\
         | table | asked | reached | |\n|---|---|--:|---|\n",
    );
    for outcome in &run.outcomes {
        for verdict in &outcome.verdicts {
            let best = if verdict.is_best_peer { "best peer, " } else { "" };
            let mark = if verdict.is_met() { "" } else { "**missed**" };
            let _ = writeln!(
                page,
                "| {} | {} at most {:.2} times {best}{} | {:.2} | {mark} |",
                outcome.table, verdict.who, verdict.at_most, verdict.rival, verdict.reached
            );
        }
    }
}

/// One table for a group: a row for each of its tables, a column for each contestant.
fn wide(page: &mut String, tables: &[&Outcome]) {
    let mut names: Vec<&str> = Vec::new();
    for standing in tables.iter().flat_map(|table| &table.standings) {
        if !names.contains(&standing.contestant.as_str()) {
            names.push(&standing.contestant);
        }
    }
    let _ = writeln!(page, "\n| | {} |\n|---|{}", names.join(" | "), "--:|".repeat(names.len()));
    for table in tables {
        let _ = write!(page, "| {}, {} |", table.table, table.unit.name());
        for name in &names {
            match table.of(name) {
                Some(Standing { value, .. }) if !table.has_ratios() => {
                    let _ = write!(page, " {value:.2} |");
                }
                Some(Standing { value, times, .. }) => {
                    let _ = write!(page, " {value:.2} ({times:.2}) |");
                }
                None => page.push_str(" |"),
            }
        }
        page.push('\n');
    }
}
