//! The outcome of a race, to be printed and to be saved.

use core::fmt;

use serde::{Deserialize, Serialize};

use super::{OURS, Table, Track, Unit};

/// A table with all results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The table's name.
    pub table: String,
    /// The workload, in a few words.
    pub what: String,
    /// The unit of the values.
    pub unit: Unit,
    /// How many there were.
    pub rounds: usize,
    /// In the order in which they were entered: typed-pool is the first, as a rule.
    pub standings: Vec<Standing>,
}

/// One contestant's result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Its name.
    pub contestant: String,
    /// The median, in the table's unit.
    pub value: f64,
    /// A multiple of the time of typed-pool, or of the first contestant where typed-pool does not take part: the
    /// median over the rounds.
    pub times: f64,
}

impl Outcome {
    /// Sums a race up.
    #[must_use]
    pub fn new(table: &Table, tracks: &[Track]) -> Self {
        // As in `reference`.
        let reference = tracks.iter().find(|track| track.name == OURS).or(tracks.first());
        let standing = |track: &Track| Standing {
            contestant: track.name.to_owned(),
            value: track.median() / table.unit.base(),
            times: reference.map_or(f64::NAN, |reference| track.times(reference)),
        };
        Self {
            table: table.name.to_owned(),
            what: table.what.to_owned(),
            unit: table.unit,
            rounds: tracks.first().map_or(0, |track| track.costs.len()),
            standings: tracks.iter().map(standing).collect(),
        }
    }

    /// The result of one by name.
    #[must_use]
    pub fn of(&self, contestant: &str) -> Option<&Standing> {
        self.standings.iter().find(|standing| standing.contestant == contestant)
    }

    /// The contestant that all ratios refer to.
    #[must_use]
    pub fn reference(&self) -> Option<&Standing> {
        self.of(OURS).or(self.standings.first())
    }

    /// Whether ratios say something: not to less than a byte an object, which is chance.
    #[must_use]
    pub fn has_ratios(&self) -> bool {
        let is_some = |reference: &Standing| reference.value >= 1.0;
        !matches!(self.unit, Unit::Bytes) || self.reference().is_some_and(is_some)
    }

    /// Whether it has ratios, and they are to us.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.has_ratios() && self.reference().is_some_and(|standing| standing.contestant == OURS)
    }
}

/// In Markdown.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, what, rounds, .. } = self;
        writeln!(f, "### {table}: {what} ({rounds} rounds)\n")?;
        let unit = self.unit.name();
        let reference = self.reference().map_or("", |reference| &reference.contestant);
        writeln!(f, "| contestant | {unit} | times {reference} |\n|---|---:|---:|")?;
        for Standing { contestant, value, times } in &self.standings {
            if self.has_ratios() {
                writeln!(f, "| {contestant} | {value:.2} | {times:.2} |")?;
            } else {
                writeln!(f, "| {contestant} | {value:.2} | |")?;
            }
        }
        Ok(())
    }
}
