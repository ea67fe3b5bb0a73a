//! Tells the linker where the microcontroller has its memory.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rerun-if-changed=memory.ld");
    println!("cargo::rustc-link-arg=-T{folder}/memory.ld");
}
