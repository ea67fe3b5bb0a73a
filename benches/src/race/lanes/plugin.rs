//! Pairs in functions of their own, in a library that is loaded as a game engine does it, and the same in this executable.

use std::env;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;

use plugin::{CONTESTANTS, pair};

use crate::race::{Lane, Turn};

/// Pairs in a turn.
const PAIRS: u64 = 200_000;

/// What the library has, as its features, and what its contestants' names get behind them.
const LIBRARIES: [(&str, &str); 4] = [
    ("noted", " (feature plugin)"),
    ("pools", ""),
    ("mimalloc,system", ""),
    ("mimalloc-dynamic", " (local_dynamic_tls)"),
];

type Pair = extern "C" fn(usize, u64) -> f64;

unsafe extern "C" {
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// All libraries in one process, whose contestants take turns.
pub(in crate::race) fn loaded() -> Vec<Lane> {
    let lanes =
        |(features, suffix)| lanes(load(&build(features)), |name| format!("{name}{suffix}").leak());
    LIBRARIES.into_iter().flat_map(lanes).collect()
}

/// Those that are linked.
pub(in crate::race) fn linked() -> Vec<Lane> {
    lanes(pair, |name| name)
}

/// The contestants that this build of the library has.
fn lanes(pair: Pair, named: impl Fn(&'static str) -> &'static str) -> Vec<Lane> {
    let lane = |(number, contestant): (usize, &Option<plugin::Contestant>)| {
        let (name, _) = contestant.expect("the build that is linked has all of them");
        let turn = move |_| Turn { cost: pair(number, PAIRS), checksum: 0 };
        (!pair(number, 1).is_nan()).then(|| Lane::new(named(name), turn))
    };
    CONTESTANTS.iter().enumerate().filter_map(lane).collect()
}

/// Builds the library with these features, and says where it is.
fn build(features: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin");
    // One each: they have the same name.
    let target = folder.join("target").join(features);
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["rustc", "--quiet", "--release", "--lib", "--crate-type", "cdylib"])
        .args(["--features", features])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("release/libplugin.so")
}

/// The function of a library that is loaded for good.
fn load(file: &Path) -> Pair {
    const RTLD_NOW: c_int = 2;
    let path = CString::new(file.as_os_str().as_encoded_bytes()).expect("a path");
    // SAFETY: the path ends with a zero; the library is one that `build` has built.
    let library = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
    if library.is_null() {
        // SAFETY: there was an error.
        let error = unsafe { dlerror() };
        // SAFETY: it is text that ends with a zero, until the next error.
        panic!("{}", unsafe { CStr::from_ptr(error) }.to_string_lossy());
    }
    // SAFETY: the library was loaded.
    let function = unsafe { dlsym(library, c"pair".as_ptr()) };
    assert!(!function.is_null(), "the library has the function");
    // SAFETY: that is its type.
    unsafe { core::mem::transmute::<*mut c_void, Pair>(function) }
}
