//! The times of a program's phases.

use std::fmt;
use std::fs;
use std::time::Instant;

/// Times of the phases, in nanoseconds an operation, and the most memory that the process had.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phases {
    pub(crate) times: Vec<(String, f64)>,
    pub(crate) peak_kib: f64,
}

/// Notes the times of a program's phases.
///
/// It has its memory before the program begins: a block of ours above the program's would keep glibc from giving memory back.
#[derive(Debug)]
pub(crate) struct Clock {
    laps: Vec<(&'static str, f64)>,
}

impl Clock {
    /// Before the first phase.
    pub(crate) fn start() -> Self {
        Self { laps: Vec::with_capacity(1000) }
    }

    /// Runs a phase that does this number of operations, and notes how long one took.
    pub(crate) fn phase<R>(
        &mut self,
        name: &'static str,
        operations: usize,
        f: impl FnOnce() -> R,
    ) -> R {
        let start = Instant::now();
        let result = f();
        self.laps.push((name, start.elapsed().as_nanos() as f64 / operations as f64));
        result
    }

    /// The medians.
    pub(crate) fn stop(self) -> Phases {
        let mut times: Vec<(String, f64)> = Vec::new();
        for &(name, _) in &self.laps {
            if times.iter().all(|(known, _)| known != name) {
                let laps = self.laps.iter().filter(|lap| lap.0 == name).map(|lap| lap.1);
                times.push((name.to_owned(), median(laps.collect())));
            }
        }
        Phases { times, peak_kib: peak_kib() }
    }
}

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// The most memory that was resident; 0 where the system does not say.
fn peak_kib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0.0)
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.peak_kib)?;
        self.times.iter().try_for_each(|(name, time)| writeln!(f, "{time} {name}"))
    }
}

impl Phases {
    /// Reads a displayed value back.
    pub(crate) fn parse(text: &str) -> Self {
        let (peak, times) = text.split_once('\n').expect("a first line");
        let times = times.lines().map(|line| {
            let (time, name) = line.split_once(' ').expect("a time and a name");
            (name.to_owned(), time.parse().expect("a time"))
        });
        Self { times: times.collect(), peak_kib: peak.parse().expect("a number") }
    }
}
