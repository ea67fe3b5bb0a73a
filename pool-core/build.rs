//! Tells the crate whether thread-locals are the linker's (`src/thread.rs`), and whether it is built for AddressSanitizer
//! (`src/base/watch/sanitizer.rs`).

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(pool_asan, pool_native_tls)");
    // Where a thread-local without a destructor lives as long as its thread. For others std builds
    // it on the system's keys, which destroy it.
    let is_native = match env::var("CARGO_CFG_TARGET_OS").unwrap_or_default().as_str() {
        "linux" => !is("CARGO_CFG_TARGET_ENV", "ohos") && !is("CARGO_CFG_TARGET_ABI", "x32"),
        "windows" => {
            (is("CARGO_CFG_TARGET_ENV", "msvc") || is("CARGO_CFG_TARGET_ABI", "llvm"))
                && !is("CARGO_CFG_TARGET_VENDOR", "win7")
        }
        "freebsd" | "netbsd" | "fuchsia" | "hermit" | "solid_asp3" => true,
        // Without threads.
        "uefi" | "zkvm" | "trusty" | "vexos" => true,
        _ => is("CARGO_CFG_TARGET_VENDOR", "apple") || is("CARGO_CFG_TARGET_ARCH", "wasm"),
    };
    // `--cfg pool_keyed_tls` is for tests, on a target that has native ones.
    if is_native && !is("CARGO_CFG_POOL_KEYED_TLS", "") {
        println!("cargo::rustc-cfg=pool_native_tls");
    }
    if is("CARGO_CFG_SANITIZE", "address") {
        println!("cargo::rustc-cfg=pool_asan");
    }
}

/// Whether the variable is there, and its value begins so.
fn is(key: &str, start: &str) -> bool {
    env::var_os(key).is_some_and(|value| value.as_encoded_bytes().starts_with(start.as_bytes()))
}
