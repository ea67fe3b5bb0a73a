//! The parts of `bullet_hell`.

use crate::bullet_hell::game::Tally;
use crate::bullet_hell::options::{Command, HELP, Options, parse};
use crate::bullet_hell::race::{PHASES, Results, run};
use crate::bullet_hell::report;

fn small(seed: u64) -> Options {
    Options { bullets: 400, monsters: 20, frames: 300, seed, json: false }
}

/// That all containers agree is checked by the race itself.
fn results(seed: u64) -> Results {
    run(&small(seed)).unwrap()
}

#[test]
fn hit_kill_and_lose_their_targets() {
    let Tally { shots, hits, kills, stale, .. } = results(1).tally;
    assert!(kills > 10, "{kills} kills");
    assert!(kills < hits && hits < shots, "{kills} kills, {hits} hits, {shots} shots");
    assert!(stale > 0, "nobody's target died");
}

#[test]
fn do_the_same_for_the_same_seed() {
    assert_eq!(results(1).tally, results(1).tally);
    assert_ne!(results(1).tally, results(2).tally);
}

#[test]
fn leave_as_many_monsters_as_there_were() {
    let pool = results(1).pool;
    assert_eq!((pool.live, pool.high_water), (20, 20));
}

#[test]
fn are_reported_as_one_json_object() {
    let results = results(1);
    let json: serde_json::Value = serde_json::from_str(&report::json(&small(1), &results)).unwrap();
    assert_eq!(json["bullets"], 400);
    assert_eq!(json["monsters"], 20);
    assert_eq!(json["frames"], 300);
    assert_eq!(json["seed"], 1);
    assert_eq!(json["kills"], results.tally.kills);
    assert_eq!(json["pool"]["live"], 20);
    let contestants = json["contestants"].as_array().unwrap();
    assert_eq!(contestants.len(), 5);
    for contestant in contestants {
        for phase in PHASES {
            let [median, p99] = ["median", "p99"]
                .map(|value| contestant["microseconds"][phase][value].as_f64().unwrap());
            // A phase may take less than the clock can tell, most of the time.
            assert!(median <= p99 && 0.0 < p99, "{contestant}");
        }
    }
}

#[test]
fn are_reported_as_a_table() {
    let table = report::table(&small(1), &results(1));
    for name in ["typed-pool", "DenseSlotMap", "slab", "Box (system)", "p99", "Checksum"] {
        assert!(table.contains(name), "{table}");
    }
}

#[test]
fn have_a_command_line() {
    let parse = |arguments: &str| {
        parse(arguments.split_whitespace().map(Into::into)).map_err(|error| error.to_string())
    };
    assert_eq!(parse(""), Ok(Command::Run(Options::default())));
    assert_eq!(
        parse("--bullets 400 --monsters=20 --frames 300 --seed 1"),
        Ok(Command::Run(small(1)))
    );
    assert_eq!(parse("--json --help"), Ok(Command::Help));
    let Options { bullets, monsters, frames, seed, .. } = Options::default();
    for default in [bullets.to_string(), monsters.to_string(), frames.to_string()] {
        assert!(HELP.contains(&format!("[{default}]")), "{default}");
    }
    assert!(HELP.contains(&format!("[{seed}]")));
    for (arguments, message) in [
        ("--bullets 0", "--bullets takes a whole number from 1 to 10000000, not \"0\""),
        ("--monsters many", "--monsters takes a whole number"),
        ("--frames", "missing argument for option '--frames'"),
        ("--bodies 5", "invalid option '--bodies'"),
    ] {
        let error = parse(arguments).unwrap_err();
        assert!(error.starts_with(message), "{arguments}: {error}");
    }
}
