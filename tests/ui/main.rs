//! Programs that do not compile, and the compiler's messages: a misuse or several of a kind a file, a folder for each class.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the messages down. Read every one that changed.

use std::process::Command;
use std::sync::{Once, OnceLock};

use trybuild::TestCases;

mod guide;

/// Programs that `cargo check` refuses. Without a case that passes, trybuild checks all of them at once.
#[test]
fn checked() {
    let Some(cases) = cases() else { return };
    for class in [
        "attribute",
        "frames",
        "generics",
        "handles",
        "hidden",
        "init",
        "layout",
        "objects",
        "ownership",
        "shape",
        "static",
    ] {
        cases.compile_fail(format!("tests/ui/{class}/*.rs"));
    }
}

/// Programs that run: one after the other.
#[test]
fn passes() {
    let Some(cases) = cases() else { return };
    cases.pass("tests/ui/pass/*.rs");
}

fn cases() -> Option<TestCases> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("a compiler").stdout;
    if String::from_utf8_lossy(&version).contains("nightly") {
        eprintln!("skipped: the messages are those of the stable compiler");
        return None;
    }
    if cfg!(any(feature = "serde", feature = "rayon")) {
        assert!(*WITHOUT.get_or_init(without_other_packages), "with the default features");
        return None;
    }
    download();
    Some(TestCases::new())
}

/// Whether the cases passed without them.
static WITHOUT: OnceLock<bool> = OnceLock::new();

/// Runs the cases again, with the default features: some messages name what others bring. A build of all packages, as
/// `cargo test` is one, has the features that the examples ask for.
fn without_other_packages() -> bool {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--package", "typed-pool", "--test", "ui", "--", "checked", "passes"]);
    cargo.status().expect("cargo runs").success()
}

/// Downloads what `Cargo.lock` names, for other platforms too, as far as there is a network.
///
/// trybuild asks Cargo to stay offline. Then Cargo takes only versions that were downloaded, and if an older one of a
/// package that this platform does not need is there by chance, it refuses the one in `Cargo.lock`.
fn download() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let _ = Command::new(cargo).args(["fetch", "--quiet"]).status();
    });
}
