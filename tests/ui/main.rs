//! What does not compile, and what the compiler says: one misuse a file, a folder for each class.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the messages down. Read every one that changed.

use std::process::Command;

mod guide;

#[test]
fn ui() {
    if !is_stable() {
        eprintln!("skipped: the messages are those of the stable compiler");
        return;
    }
    let cases = trybuild::TestCases::new();
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
    cases.pass("tests/ui/pass/*.rs");
}

fn is_stable() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("a compiler").stdout;
    !String::from_utf8_lossy(&version).contains("nightly")
}
