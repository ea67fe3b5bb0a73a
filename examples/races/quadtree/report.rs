//! Prints the results, for people and for programs.

use hdrhistogram::Histogram;
use serde_json::{Map, Value, json};

use super::common::report::{checksum, figures};
use super::options::Options;
use super::race::{Contestant, PHASES, Results};

/// A table of median and 99th percentile, and the pool's figures.
pub(crate) fn table(options: &Options, results: &Results) -> String {
    let Options { bodies, frames, seed, .. } = options;
    let mut text = format!("bodies: {bodies}, frames: {frames}, seed: {seed}; microseconds\n");
    if cfg!(debug_assertions) {
        text += "This is a debug build, whose times mean little: run it with --release.\n";
    }
    text += "\n";
    text += &row("", PHASES.map(String::from));
    text += &row("", PHASES.map(|_| format!("{:>9} {:>9}", "median", "p99")));
    for Contestant { name, times, .. } in &results.contestants {
        text += &row(
            name,
            times.each_ref().map(|times| {
                let [median, p99] = percentiles(times);
                format!("{median:>9.1} {p99:>9.1}")
            }),
        );
    }
    let found = &results.collisions;
    text += &format!("\n{} collisions, checksum {}", found.pairs, checksum(found.checksum));
    text + &format!(": the same for all\n{}\n", results.pool)
}

fn row(name: &str, cells: [String; PHASES.len()]) -> String {
    let [build, query, teardown, frame] = cells;
    format!("{name:<12} {build:>21} {query:>21} {teardown:>21} {frame:>21}\n")
}

/// One JSON object, with times in microseconds.
pub(crate) fn json(options: &Options, results: &Results) -> String {
    let contestants = results.contestants.iter().map(|contestant| {
        let Contestant { name, times, collisions, .. } = contestant;
        let phases: Map<_, _> = PHASES
            .into_iter()
            .zip(times)
            .map(|(phase, times)| {
                let [median, p99] = percentiles(times);
                (phase.to_owned(), json!({ "median": median, "p99": p99 }))
            })
            .collect();
        json!({ "name": name, "checksum": checksum(collisions.checksum), "microseconds": phases })
    });
    let object = json!({
        "bodies": options.bodies,
        "frames": options.frames,
        "seed": options.seed,
        "pairs": results.collisions.pairs,
        "checksum": checksum(results.collisions.checksum),
        "contestants": contestants.collect::<Value>(),
        "pool": figures(&results.pool),
    });
    format!("{object:#}\n")
}

/// Median and 99th percentile, in microseconds.
fn percentiles(nanoseconds: &Histogram<u64>) -> [f64; 2] {
    [0.5, 0.99].map(|quantile| nanoseconds.value_at_quantile(quantile) as f64 / 1000.0)
}
