//! Prints the results, for people and for programs.

use hdrhistogram::Histogram;
use serde_json::{Map, Value, json};

use super::common::report::{checksum, figures};
use super::game::Tally;
use super::options::Options;
use super::race::{PHASES, Results};

/// A table of median and 99th percentile, and the roster's figures.
pub(crate) fn table(options: &Options, results: &Results) -> String {
    let Options { bullets, monsters, frames, seed, .. } = options;
    let mut text = format!(
        "bullets: {bullets}, monsters: {monsters}, frames: {frames}, seed: {seed}; microseconds\n"
    );
    if cfg!(debug_assertions) {
        text += "This is a debug build, whose times mean little: run it with --release.\n";
    }
    text += "\n";
    text += &row("", PHASES.map(String::from));
    text += &row("", PHASES.map(|_| format!("{:>9} {:>9}", "median", "p99")));
    for (name, times) in &results.contestants {
        text += &row(
            name,
            times.each_ref().map(|times| {
                let [median, p99] = percentiles(times);
                format!("{median:>9.1} {p99:>9.1}")
            }),
        );
    }
    let Tally { shots, hits, kills, stale, .. } = results.tally;
    text += &format!("\n{shots} shots, {hits} hits, {kills} kills; {stale} times a target was ");
    text += &format!("gone. Checksum {}: the same for all\n", checksum(results.tally.checksum));
    text + &format!("{}\n", results.pool)
}

fn row(name: &str, cells: [String; PHASES.len()]) -> String {
    let [bullets, monsters, spawn, frame] = cells;
    format!("{name:<12} {bullets:>21} {monsters:>21} {spawn:>21} {frame:>21}\n")
}

/// One JSON object, with times in microseconds.
pub(crate) fn json(options: &Options, results: &Results) -> String {
    let contestants = results.contestants.iter().map(|(name, times)| {
        let phases: Map<_, _> = PHASES
            .into_iter()
            .zip(times)
            .map(|(phase, times)| {
                let [median, p99] = percentiles(times);
                (phase.to_owned(), json!({ "median": median, "p99": p99 }))
            })
            .collect();
        json!({ "name": name, "microseconds": phases })
    });
    let Results { tally, .. } = results;
    let object = json!({
        "bullets": options.bullets,
        "monsters": options.monsters,
        "frames": options.frames,
        "seed": options.seed,
        "shots": tally.shots,
        "hits": tally.hits,
        "kills": tally.kills,
        "stale": tally.stale,
        "checksum": checksum(tally.checksum),
        "contestants": contestants.collect::<Value>(),
        "pool": figures(&results.pool),
    });
    format!("{object:#}\n")
}

/// Median and 99th percentile, in microseconds.
fn percentiles(nanoseconds: &Histogram<u64>) -> [f64; 2] {
    [0.5, 0.99].map(|quantile| nanoseconds.value_at_quantile(quantile) as f64 / 1000.0)
}
