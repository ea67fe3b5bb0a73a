//! The outcome of a race: printed in Markdown, and saved as a line.

use core::fmt;

use super::{OURS, Track};

/// The unit of a table's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds for each operation.
    Nanos,
    /// Microseconds for each frame.
    Micros,
    /// Bytes for each object.
    Bytes,
}

impl Unit {
    const ALL: [Self; 3] = [Self::Nanos, Self::Micros, Self::Bytes];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Nanos => "ns",
            Self::Micros => "us",
            Self::Bytes => "bytes",
        }
    }
}

/// A table with all results.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub table: String,
    /// The unit of the values.
    pub unit: Unit,
    pub rounds: usize,
    /// In the order in which they were entered: typed-pool is the first.
    pub standings: Vec<Standing>,
}

/// One contestant's result.
#[derive(Clone, Debug)]
pub struct Standing {
    pub contestant: String,
    /// The median, in the table's unit.
    pub value: f64,
    /// A multiple of the time of the reference: the median over the rounds.
    pub times: f64,
}

impl Outcome {
    /// Sums a race up.
    pub fn new(table: &str, unit: Unit, tracks: &[Track]) -> Self {
        let base = if unit == Unit::Micros { 1e3 } else { 1.0 };
        // As in `reference`.
        let reference = tracks.iter().find(|track| track.name == OURS).unwrap_or(&tracks[0]);
        let standing = |track: &Track| Standing {
            contestant: track.name.to_owned(),
            value: track.median() / base,
            times: track.times(reference),
        };
        Self {
            table: table.to_owned(),
            unit,
            rounds: tracks[0].costs.len(),
            standings: tracks.iter().map(standing).collect(),
        }
    }

    /// Returns the result of one by name.
    pub fn of(&self, contestant: &str) -> Option<&Standing> {
        self.standings.iter().find(|standing| standing.contestant == contestant)
    }

    /// Returns the contestant that all ratios refer to.
    pub fn reference(&self) -> &Standing {
        self.of(OURS).unwrap_or(&self.standings[0])
    }

    /// Whether ratios say something: not to less than a byte an object, which is chance.
    pub fn has_ratios(&self) -> bool {
        self.unit != Unit::Bytes || self.reference().value >= 1.0
    }

    /// Reads a line that [`line`](Self::line) made.
    pub fn parse(line: &str) -> Option<Self> {
        let fields: Vec<_> = line.trim_end().split(';').collect();
        let [table, unit, rounds, standings @ ..] = &fields[..] else { return None };
        let standing = |fields: &[&str]| {
            let [contestant, value, times] = fields else { return None };
            let (value, times) = (value.parse().ok()?, times.parse().ok()?);
            Some(Standing { contestant: (*contestant).to_owned(), value, times })
        };
        Some(Self {
            table: (*table).to_owned(),
            unit: Unit::ALL.into_iter().find(|known| known.name() == *unit)?,
            rounds: rounds.parse().ok()?,
            standings: standings.chunks(3).map(standing).collect::<Option<_>>()?,
        })
    }

    /// Returns `table;unit;rounds`, and for each contestant `;name;median;ratio`.
    pub fn line(&self) -> String {
        let Self { table, unit, rounds, standings } = self;
        let standing = |Standing { contestant, value, times }: &Standing| {
            format!(";{contestant};{value:.3};{times:.3}")
        };
        let standings: String = standings.iter().map(standing).collect();
        format!("{table};{};{rounds}{standings}\n", unit.name())
    }
}

/// In Markdown.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, reference) = (self.unit.name(), &self.reference().contestant);
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
