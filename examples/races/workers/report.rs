//! Prints the results, for people and for programs.

use serde_json::json;

use super::common::report::{checksum, figures};
use super::jobs::Results;
use super::options::Options;

/// What each worker did, and the pool's figures.
pub(crate) fn text(options: &Options, results: &Results) -> String {
    let Options { jobs, workers, .. } = options;
    let Results { done, time, pool, .. } = results;
    let mut text = format!("jobs: {jobs}, workers: {workers}; {:.1} ms\n", milliseconds(results));
    if cfg!(debug_assertions) {
        text += "This is a debug build, whose times mean little: run it with --release.\n";
    }
    text += &format!("done by each: {done:?}\n");
    text += &format!("{:.0} jobs a second\n", *jobs as f64 / time.as_secs_f64());
    text + &format!(
        "checksum {}: the same for any number of workers\n{pool}\n",
        checksum(results.checksum)
    )
}

/// One JSON object.
pub(crate) fn json(options: &Options, results: &Results) -> String {
    let Results { done, .. } = results;
    let object = json!({
        "jobs": options.jobs,
        "workers": options.workers,
        "done": done,
        "checksum": checksum(results.checksum),
        "milliseconds": milliseconds(results),
        "pool": figures(&results.pool),
    });
    format!("{object:#}\n")
}

fn milliseconds(results: &Results) -> f64 {
    results.time.as_secs_f64() * 1e3
}
