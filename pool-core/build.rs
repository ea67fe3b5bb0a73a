//! Tells the crate whether it is built for AddressSanitizer (see `src/sanitizer.rs`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(pool_asan)");
    let sanitizers = std::env::var("CARGO_CFG_SANITIZE").unwrap_or_default();
    if sanitizers.split(',').any(|name| name == "address") {
        println!("cargo::rustc-cfg=pool_asan");
    }
}
