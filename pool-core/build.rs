//! Tells the crate whether thread-locals are the linker's (see `src/local.rs`), and whether it is built
//! for AddressSanitizer (see `src/sanitizer.rs`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(pool_native_tls)");
    let [os, env, abi, arch] = ["OS", "ENV", "ABI", "ARCH"]
        .map(|key| std::env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default());
    // Where a thread-local without a destructor lives as long as its thread. For others std builds
    // it on the system's keys, which destroy it (`src/local.rs`).
    let is_native = match os.as_str() {
        "linux" | "macos" | "ios" | "tvos" | "watchos" | "visionos" => true,
        "freebsd" | "netbsd" | "fuchsia" => true,
        "windows" => env == "msvc" || abi == "llvm",
        _ => arch == "wasm32",
    };
    if is_native {
        println!("cargo::rustc-cfg=pool_native_tls");
    }
    println!("cargo::rustc-check-cfg=cfg(pool_asan)");
    let sanitizers = std::env::var("CARGO_CFG_SANITIZE").unwrap_or_default();
    if sanitizers.split(',').any(|name| name == "address") {
        println!("cargo::rustc-cfg=pool_asan");
    }
}
