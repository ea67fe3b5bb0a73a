//! `docs/performance.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Run;
use super::figures;
use super::groups::{self, Group, Role, Shape};
use super::processor::label;
use crate::race::{self, Outcome, Standing};

/// Below this a difference is no more than chance.
pub(super) const CLEAR: f64 = 0.97;

pub(super) fn page(runs: &[Run]) -> String {
    let mut page = String::from(
        "# Performance\n\nMade by `benches/publish.sh`, from one run on each processor. Every table is a process of its \
         own in which all contestants take turns, round by round; ratios are medians over the rounds. Times drift \
         from run to run, ratios by about a tenth. Code that is compiled for each contestant is compiled for four places \
         in a cache line, which take turns too; `w3h` and `w5/frame` run one copy of the workload for all.\n\n\
         Ratios are *times typed-pool*: above 1 we are faster, below 1 we lose. A figure with a unit is measured, one \
         without is a ratio to the measured one of its row. In the charts our own bars are orange; \
         pale ones are limits (unsafe, unchecked, by hand) and contestants that do less. \
         [benches/README.md](../benches/README.md) says what each workload does.\n\n\
         The runs:\n\n",
    );
    for run in runs {
        let _ = writeln!(page, "- {}, {}", run.machine, run.rustc);
    }
    let versions: BTreeSet<_> =
        runs.iter().flat_map(|run| &run.versions).map(String::as_str).collect();
    let versions: Vec<_> = versions.into_iter().collect();
    let _ = writeln!(page, "\nThe contestants of one run or more: {}.", versions.join(", "));
    page.push_str(
        "\n## In short\n\nA pair is one object made and dropped; a burst is many made, and then all dropped. Objects of 64 bytes, unless \
         a size is given. The first column of figures is a time; all others are \
         times typed-pool. An empty cell: the contestant does not do that job.\n\n",
    );
    page.push_str(&figures::everybody(runs));
    page.push_str(
        "\n\\* an arena that frees nothing, reset after each burst or frame; \\** a plain free list by hand, unsafe and \
         unchecked.\n",
    );
    losses(&mut page, runs);
    targets(&mut page, runs);
    for group in groups::ALL {
        if runs.iter().any(|run| run.group(group.name).next().is_some()) {
            section(&mut page, runs, &group);
        }
    }
    page
}

/// Where a peer was faster than we.
fn losses(page: &mut String, runs: &[Run]) {
    page.push_str(
        "\n## Where we lose\n\nEvery peer that was faster, on any processor, and by how much: its time as a part of ours.\n\n",
    );
    heads(page, "table", runs, "---");
    for table in tables(runs, |_| true) {
        let losses = runs.iter().map(|run| {
            let compared = run.outcome(table).filter(|outcome| outcome.is_ours());
            compared.map_or(String::new(), faster)
        });
        let losses: Vec<_> = losses.collect();
        if losses.iter().all(String::is_empty) {
            continue;
        }
        let what = runs.iter().find_map(|run| run.outcome(table)).map_or("", |found| &found.what);
        let _ = writeln!(page, "| {table}: {what} | {} |", losses.join(" | "));
    }
}

/// The peers that were faster in a table.
fn faster(outcome: &Outcome) -> String {
    let is_faster = |standing: &&Standing| {
        Role::of(&standing.contestant) == Role::Peer && standing.times < CLEAR
    };
    let named = |Standing { contestant, times, .. }: &Standing| format!("{contestant} {times:.2}");
    outcome.standings.iter().filter(is_faster).map(named).collect::<Vec<_>>().join(", ")
}

/// What was asked for and is missed.
fn targets(page: &mut String, runs: &[Run]) {
    let mut missed = vec![(0, 0); runs.len()];
    let mut rows = String::new();
    for table in race::all() {
        for target in table.targets.iter().filter(|target| !target.is_stretch) {
            let verdicts: Vec<_> = runs
                .iter()
                .map(|run| run.outcome(table.name).and_then(|outcome| target.judge(outcome)))
                .collect();
            let Some(asked) = verdicts.iter().flatten().map(race::Verdict::asked).next() else {
                continue;
            };
            for (verdict, (misses, all)) in verdicts.iter().zip(&mut missed) {
                *all += u32::from(verdict.is_some());
                *misses += u32::from(verdict.as_ref().is_some_and(|verdict| !verdict.is_met()));
            }
            if verdicts.iter().flatten().all(race::Verdict::is_met) {
                continue;
            }
            let _ = write!(rows, "| {} | {asked} |", table.name);
            for verdict in &verdicts {
                let Some(verdict) = verdict else {
                    rows.push_str(" |");
                    continue;
                };
                // The best peer may be another one here.
                let whom = if verdict.asked() == asked { "" } else { &verdict.rival };
                let answer = format!("{} {whom}", verdict.answer());
                let mark = if verdict.is_met() { "" } else { "**" };
                let _ = write!(rows, " {mark}{}{mark} |", answer.trim());
            }
            rows.push('\n');
        }
    }
    page.push_str(
        "\n## Targets that are missed\n\nThey were set before the work began and before its later rounds, as ratios to \
         the fastest peer, to one of them or to a limit by hand. Here are those that are missed (bold) on a processor.\n\n",
    );
    heads(page, "table | asked", runs, "--:");
    page.push_str(&rows);
    page.push('\n');
    for (run, (misses, all)) in runs.iter().zip(missed) {
        let _ = writeln!(page, "- {}: {misses} of {all} missed", label(&run.machine));
    }
}

/// A table's head, with a column for each processor at its end.
fn heads(page: &mut String, first: &str, runs: &[Run], rule: &str) {
    let labels: Vec<_> = runs.iter().map(|run| label(&run.machine)).collect();
    let columns = first.split('|').count();
    let rules = format!("{}{}", "---|".repeat(columns), format!("{rule}|").repeat(runs.len()));
    let _ = writeln!(page, "| {first} | {} |\n|{rules}", labels.join(" | "));
}

/// The tables that begin so, as they come in the runs.
fn tables(runs: &[Run], is_wanted: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for outcome in runs.iter().flat_map(|run| &run.outcomes) {
        if is_wanted(&outcome.table) && !names.contains(&outcome.table.as_str()) {
            names.push(&outcome.table);
        }
    }
    // As they are listed: a table may be new in one of the runs.
    let all = race::all();
    let place = |name: &str| all.iter().position(|table| table.name == name);
    names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
    names
}

/// One table for a group: a row for each of its tables and each processor, a column for each contestant.
fn section(page: &mut String, runs: &[Run], group: &Group) {
    let _ = writeln!(page, "\n## {}\n\n{}", group.title, group.words);
    let kinds: &[&str] = match group.shape {
        Shape::Bars => &[""],
        Shape::Curves => &["-burst", "-churn"],
    };
    for run in runs.iter().filter(|run| run.group(group.name).next().is_some()) {
        for kind in kinds {
            let _ = writeln!(
                page,
                "\n![{}{kind} on {}]({}/{}{kind}.svg)",
                group.title,
                label(&run.machine),
                run.charts(),
                group.name
            );
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for standing in
        runs.iter().flat_map(|run| run.group(group.name)).flat_map(|table| &table.standings)
    {
        if !names.contains(&standing.contestant.as_str()) {
            names.push(&standing.contestant);
        }
    }
    let _ =
        writeln!(page, "\n| | | {} |\n|---|---|{}", names.join(" | "), "--:|".repeat(names.len()));
    let prefix = format!("{}/", group.name);
    for name in tables(runs, |name| name.starts_with(&prefix)) {
        for run in runs {
            let Some(table) = run.outcome(name) else { continue };
            let reference = table.reference().map_or("", |reference| &reference.contestant);
            let is_value = |contestant: &str| !table.has_ratios() || contestant == reference;
            let _ = write!(page, "| {name} | {} |", label(&run.machine));
            for contestant in &names {
                match table.of(contestant) {
                    Some(Standing { value, .. }) if is_value(contestant) => {
                        let _ = write!(page, " {value:.2} {} |", table.unit.name());
                    }
                    Some(Standing { times, .. }) => {
                        let _ = write!(page, " {times:.2} |");
                    }
                    None => page.push_str(" |"),
                }
            }
            page.push('\n');
        }
    }
}
