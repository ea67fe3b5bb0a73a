//! The tables: each a workload and its contestants.

use crate::race::{Lane, Unit};

/// Makes a lane for each contestant: calls `lane::<T, Contestant>(arguments)`, or `lane::<Contestant>(arguments)`.
macro_rules! lanes {
    ($lane:ident[] $arguments:tt: $($Contestant:ty),* $(,)?) => {
        vec![$($lane::<$Contestant> $arguments),*]
    };
    ($lane:ident[$T:ty] $arguments:tt: $($Contestant:ty),* $(,)?) => {
        vec![$($lane::<$T, $Contestant> $arguments),*]
    };
}

mod boxes;
pub mod cold;
mod frames;
mod handles;
mod threads;

/// One race.
pub struct Table {
    /// The workload, a slash, and its size.
    pub name: String,
    /// The workload in a few words.
    pub what: &'static str,
    /// The unit of its times.
    pub unit: Unit,
    /// How many rounds make up for one: short turns take more of them, long ones fewer.
    pub rounds: f64,
    /// Prepares the contestants.
    pub lanes: Box<dyn Fn() -> Vec<Lane>>,
}

impl Table {
    fn new(
        name: impl Into<String>,
        what: &'static str,
        lanes: impl Fn() -> Vec<Lane> + 'static,
    ) -> Self {
        Self { name: name.into(), what, unit: Unit::Nanos, rounds: 1.0, lanes: Box::new(lanes) }
    }

    fn rounds(self, rounds: f64) -> Self {
        Self { rounds, ..self }
    }

    fn unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }
}

/// Returns all of them.
pub fn all() -> Vec<Table> {
    let mut tables = boxes::tables();
    tables.extend(handles::tables());
    tables.extend(threads::tables());
    tables.extend(cold::tables());
    tables.extend(frames::tables());
    tables
}
