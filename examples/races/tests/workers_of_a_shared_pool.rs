//! The parts of `workers`.

use crate::workers::jobs::{Results, Tile, run};
use crate::workers::options::{Command, HELP, Options, parse};
use crate::workers::report;

/// Jobs of a test. More than can wait at once, so that slots come back from other threads.
const JOBS: u64 = 12_000;

fn results(workers: usize) -> Results {
    run(JOBS, workers).unwrap()
}

fn small(json: bool) -> Options {
    Options { jobs: JOBS, workers: 3, json }
}

/// All in one, since the pool is the process's: no test may look while another draws.
#[test]
fn do_each_job_once_and_free_it() {
    let alone = (0..JOBS).fold(0_u64, |sum, number| {
        let mut tile = Tile::of(number);
        tile.draw();
        sum.wrapping_add(tile.checksum())
    });
    for workers in [1, 2, 5] {
        let Results { checksum, done, pool, .. } = results(workers);
        assert_eq!(checksum, alone, "{workers} workers");
        assert_eq!((done.len(), done.iter().sum()), (workers, JOBS));
        assert_eq!(pool.live, 0, "{workers} workers");
        // Those that wait, those being drawn, and what each thread keeps: far fewer than jobs, since
        // slots come back.
        assert!(pool.high_water < 1_000 + 1_280 * (workers + 1), "{pool}");
    }

    let results = results(3);
    let json: serde_json::Value =
        serde_json::from_str(&report::json(&small(true), &results)).unwrap();
    assert_eq!(json["jobs"], JOBS);
    assert_eq!(json["workers"], 3);
    assert_eq!(json["done"].as_array().unwrap().len(), 3);
    assert_eq!(json["checksum"], format!("{alone:016x}"));
    assert_eq!(json["pool"]["live"], 0);
    assert!(json["milliseconds"].as_f64().unwrap() > 0.0);
    let text = report::text(&small(false), &results);
    for part in ["jobs: 12000, workers: 3", "done by each: [", "jobs a second", "checksum"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn have_a_command_line() {
    let parse = |arguments: &str| {
        parse(arguments.split_whitespace().map(Into::into)).map_err(|error| error.to_string())
    };
    assert_eq!(parse(""), Ok(Command::Run(Options::default())));
    assert_eq!(parse("--jobs 12000 --workers=3 --json"), Ok(Command::Run(small(true))));
    assert_eq!(parse("--json --help"), Ok(Command::Help));
    let Options { jobs, workers, .. } = Options::default();
    for default in [jobs.to_string(), workers.to_string()] {
        assert!(HELP.contains(&format!("[{default}]")), "{default}");
    }
    for (arguments, message) in [
        ("--workers 0", "--workers takes a whole number from 1 to 1000, not \"0\""),
        ("--jobs many", "--jobs takes a whole number"),
        ("--jobs", "missing argument for option '--jobs'"),
        ("--job 5", "invalid option '--job'"),
    ] {
        let error = parse(arguments).unwrap_err();
        assert!(error.starts_with(message), "{arguments}: {error}");
    }
}
