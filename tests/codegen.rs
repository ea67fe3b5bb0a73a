//! Tests of the machine code for `init!` and for the hot path, as the compiler writes it for `tests/codegen`.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "codegen/walks.rs"]
mod walks;

/// The assembly of the fixture, compiled with `features` and `flags`.
fn assembly(profile: &str, features: &str, flags: &[&str]) -> String {
    compiled("asm", profile, features, flags)
}

/// Returns the compiler's output for the fixture.
fn compiled(kind: &str, profile: &str, features: &str, flags: &[&str]) -> String {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codegen");
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codegen");
    let output = target.join(format!("{profile}-{features}.{kind}"));
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--profile", profile, "--features", features])
        .arg("--manifest-path")
        .arg(fixture.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "-Cdebuginfo=0", "--emit"])
        .arg(format!("{kind}={}", output.display()))
        .args(flags)
        // A sanitizer's checks are not what is to be seen.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .status()
        .expect("cargo runs");
    assert!(status.success());
    fs::read_to_string(output).unwrap()
}

/// The instructions of one function.
fn instructions<'a>(assembly: &'a str, function: &str) -> Vec<&'a str> {
    let (_, body) = assembly.split_once(&format!("\n{function}:\n")).expect(function);
    let (body, _) = body.split_once("\n.Lfunc_end").expect("an end");
    let lines = body.lines().map(str::trim);
    lines.filter(|line| !line.starts_with(['.', '#']) && !line.ends_with(':')).collect()
}

#[test]
fn unoptimised_code_copies_no_memory() {
    let assembly = assembly("dev", "", &["-Copt-level=0"]);
    assert!(instructions(&assembly, "arrays").len() > 2);
    assert!(assembly.contains("memset"), "the arrays are zeroed");
    let copies: Vec<_> = assembly
        .lines()
        .filter(|line| line.contains("memcpy") || line.contains("memmove"))
        .collect();
    assert!(copies.is_empty(), "{copies:#?}");
}

#[test]
fn optimised_code_is_that_of_stores_by_hand() {
    let assembly = assembly("release", "", &["-Copt-level=3"]);
    for name in ["body", "checked"] {
        let by_init = instructions(&assembly, &format!("{name}_by_init"));
        let by_hand = instructions(&assembly, &format!("{name}_by_hand"));
        assert!(by_hand.len() > 5, "{by_hand:#?}");
        assert_eq!(by_init.len(), by_hand.len(), "{by_init:#?}\n{by_hand:#?}");
    }
}

/// As in an executable, where a thread-local's fields could be reached by the segment register alone.
#[test]
fn the_address_of_a_thread_local_is_taken_once() {
    let assembly = assembly("release", "pools", &["-Copt-level=3", "-Crelocation-model=static"]);
    for operation in ["alloc", "free"] {
        let by_segment = |pool: &str| -> Vec<&str> {
            let instructions = instructions(&assembly, &format!("{operation}_{pool}"));
            instructions.into_iter().filter(|line| line.contains("%fs:")).collect()
        };
        for pool in ["local", "local_stack"] {
            let found = by_segment(pool);
            assert_eq!(found.len(), 1, "{operation}_{pool}: {found:#?}");
            assert!(found[0].contains("%fs:0"), "{found:#?}");
        }
        // One load leads to the magazine. Only the rare way takes the thread-local's address.
        let found = by_segment("shared");
        assert_eq!(found.len(), 2, "{operation}_shared: {found:#?}");
        assert!(found[0].contains("@TPOFF") && found[1].contains("%fs:0"), "{found:#?}");
    }
}
