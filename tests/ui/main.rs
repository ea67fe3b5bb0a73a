//! What does not compile, and what the compiler says: one misuse a file, a folder for each class.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the messages down. Read every one that changed.

use std::process::Command;

use trybuild::TestCases;

mod guide;

/// What `cargo check` refuses. Without a case that passes, trybuild checks all of them at once.
#[test]
fn checked() {
    let Some(cases) = cases() else { return };
    for class in [
        "attribute",
        "generics",
        "handles",
        "hidden",
        "init",
        "layout",
        "ownership",
        "shape",
        "static",
    ] {
        cases.compile_fail(format!("tests/ui/{class}/*.rs"));
    }
}

/// What only `cargo build` refuses, and what runs: one after the other.
#[test]
fn built() {
    let Some(cases) = cases() else { return };
    cases.compile_fail("tests/ui/hidden/built/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}

fn cases() -> Option<TestCases> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("a compiler").stdout;
    if String::from_utf8_lossy(&version).contains("nightly") {
        eprintln!("skipped: the messages are those of the stable compiler");
        return None;
    }
    Some(TestCases::new())
}
