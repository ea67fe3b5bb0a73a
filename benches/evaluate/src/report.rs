//! The table.

use std::fmt::Write as _;

use crate::CONTESTANTS;
use crate::clock::{Phases, median};

/// A row for each phase: the first contestant's time, and the others' as parts of it. Then the same of the peaks of memory.
pub(crate) fn table(programs: &[(&str, Vec<Vec<Phases>>)]) -> String {
    let mut table = String::from("| |");
    for contestant in CONTESTANTS {
        let _ = write!(table, " {} |", contestant.name);
    }
    let _ = writeln!(table, "\n|---|{}", "--:|".repeat(CONTESTANTS.len()));
    for (_, rounds) in programs {
        for (phase, (name, _)) in rounds[0][0].times.iter().enumerate() {
            row(&mut table, name, "ns", rounds, |phases| phases.times[phase].1);
        }
    }
    for (name, rounds) in programs {
        row(&mut table, &format!("{name}: peak of memory"), "MiB", rounds, |phases| {
            phases.peak_kib / 1024.0
        });
    }
    table
}

fn row(
    table: &mut String,
    name: &str,
    unit: &str,
    rounds: &[Vec<Phases>],
    figure: impl Fn(&Phases) -> f64,
) {
    let over_rounds =
        |of: &dyn Fn(&[Phases]) -> f64| median(rounds.iter().map(|round| of(round)).collect());
    let _ = write!(table, "| {name} | {:.1} {unit} |", over_rounds(&|round| figure(&round[0])));
    for contestant in 1..CONTESTANTS.len() {
        let part = over_rounds(&|round| figure(&round[contestant]) / figure(&round[0]));
        let _ = write!(table, " {part:.2} |");
    }
    table.push('\n');
}
