//! Times of a build without optimisation, by a crate that is built so: one turn is a run of it.

use std::env;
use std::process::Command;

use crate::race::{Lane, OURS, Turn};

/// A pair of boxes.
pub(in crate::race) fn pairs() -> Vec<Lane> {
    vec![
        lane(OURS, "PoolBox"),
        lane("typed-pool, any::Box", "any::Box"),
        lane("Box (system)", "Box"),
    ]
}

/// A look-up. A `Vec` has no generations, but an `Option` in each place.
pub(in crate::race) fn look_ups() -> Vec<Lane> {
    vec![lane(OURS, "Roster::get"), lane("limit: Vec of Option", "Vec::get")]
}

fn lane(name: &'static str, operation: &'static str) -> Lane {
    Lane::new(name, move |_| Turn { cost: nanos(operation), checksum: 0 })
}

fn nanos(operation: &str) -> f64 {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/unoptimised/Cargo.toml");
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--manifest-path", manifest, "--", operation])
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.trim().parse().expect("the program prints a number")
}
