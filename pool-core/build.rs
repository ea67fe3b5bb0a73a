//! Tells the crate whether thread-locals are the linker's (`src/derived/local.rs`), whether it is built for
//! AddressSanitizer or for Valgrind (`src/base/watch/sanitizer.rs`),
//! and what compares and swaps (`src/base/atomic/swap.rs`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(pool_native_tls)");
    let [os, env, abi, arch, vendor] = ["OS", "ENV", "ABI", "ARCH", "VENDOR"]
        .map(|key| std::env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default());
    // Where a thread-local without a destructor lives as long as its thread. For others std builds
    // it on the system's keys, which destroy it (`src/thread.rs`).
    let is_native = match os.as_str() {
        "linux" => env != "ohos" && abi != "x32",
        "macos" | "ios" | "tvos" | "watchos" | "visionos" => true,
        "freebsd" | "netbsd" | "fuchsia" | "hermit" | "solid_asp3" => true,
        "windows" => (env == "msvc" || abi == "llvm") && vendor != "win7",
        // Those without threads.
        "uefi" | "zkvm" | "trusty" | "vexos" => true,
        _ => arch.starts_with("wasm"),
    };
    let has_cfg = |name: &str| std::env::var_os(format!("CARGO_CFG_{name}")).is_some();
    // For tests, on a target that has native ones.
    if is_native && !has_cfg("POOL_KEYED_TLS") {
        println!("cargo::rustc-cfg=pool_native_tls");
    }
    println!("cargo::rustc-check-cfg=cfg(pool_asan)");
    let sanitizers = std::env::var("CARGO_CFG_SANITIZE").unwrap_or_default();
    if sanitizers.split(',').any(|name| name == "address") {
        println!("cargo::rustc-cfg=pool_asan");
    }

    println!("cargo::rustc-check-cfg=cfg(pool_valgrind)");
    let has_feature = |name: &str| std::env::var_os(format!("CARGO_FEATURE_{name}")).is_some();
    // Where `src/base/watch/valgrind.rs` knows how to ask.
    if has_feature("VALGRIND") && matches!(arch.as_str(), "x86_64" | "aarch64") {
        println!("cargo::rustc-cfg=pool_valgrind");
    }

    println!("cargo::rustc-check-cfg=cfg(pool_swap, values(none(), \"core\", \"portable\"))");
    println!("cargo::rustc-check-cfg=cfg(pool_swap_64)");
    let widths = std::env::var("CARGO_CFG_TARGET_HAS_ATOMIC").unwrap_or_default();
    // For tests, on a target that can do more.
    let is_without = std::env::var_os("CARGO_CFG_POOL_NO_SWAP").is_some();
    let is_narrow = std::env::var_os("CARGO_CFG_POOL_NARROW").is_some();
    let has = |width| !is_without && widths.split(',').any(|found| found == width);
    let swaps = [("core", has("32")), ("portable", has_feature("PORTABLE_ATOMIC"))];
    if let Some((swap, _)) = swaps.into_iter().find(|&(_, is_there)| is_there) {
        println!("cargo::rustc-cfg=pool_swap");
        println!("cargo::rustc-cfg=pool_swap=\"{swap}\"");
    }
    if has("64") && !is_narrow {
        println!("cargo::rustc-cfg=pool_swap_64");
    }
}
