//! The README's blocks that need a feature run with `cargo test`, too, which has the default ones.

#![cfg(not(all(feature = "serde", feature = "rayon")))]

use std::process::Command;

#[test]
fn blocks_that_need_features_run() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "test",
        "--package",
        "typed-pool",
        "--features",
        "serde,rayon",
        "--test",
        "readme",
    ]);
    let output = cargo.output().expect("cargo runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    for block in ["save", "rayon"] {
        assert!(told.contains(&format!("with_features::{block} ... ok")), "{told}");
    }
}
