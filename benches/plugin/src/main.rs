//! Loads builds of this library, and times their pairs in turn, round by round. `benches/plugin.sh` builds and runs it.
//! Its own build of the library, which is linked and not loaded, comes first.

use std::env;
use std::ffi::{CStr, CString, c_char, c_int, c_void};

use plugin::{CONTESTANTS, pair};

const ROUNDS: usize = 21;
const PAIRS: u64 = 200_000;

type Pair = extern "C" fn(usize, u64) -> f64;

unsafe extern "C" {
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// The function of a library that is loaded for good.
fn load(file: &str) -> Option<Pair> {
    const RTLD_NOW: c_int = 2;
    let path = CString::new(file).expect("a path");
    // SAFETY: the path ends with a zero; the library is one of those that `plugin.sh` builds.
    let library = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
    if library.is_null() {
        // SAFETY: there was an error.
        let error = unsafe { CStr::from_ptr(dlerror()) };
        println!("{}", error.to_string_lossy());
        return None;
    }
    // SAFETY: the library was loaded.
    let function = unsafe { dlsym(library, c"pair".as_ptr()) };
    assert!(!function.is_null());
    // SAFETY: that is its type.
    Some(unsafe { core::mem::transmute::<*mut c_void, Pair>(function) })
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn main() {
    let mut builds: Vec<(String, Pair)> = vec![("executable".into(), pair)];
    for file in env::args().skip(1) {
        let name = file.rsplit('/').next().expect("a name").trim_end_matches(".so").to_owned();
        builds.extend(load(&file).map(|pair| (name, pair)));
    }
    let mut figures = vec![vec![Vec::new(); builds.len()]; CONTESTANTS.len()];
    for _ in 0..ROUNDS {
        for (contestant, figures) in figures.iter_mut().enumerate() {
            for ((_, pair), figures) in builds.iter().zip(figures) {
                figures.push(pair(contestant, PAIRS));
            }
        }
    }
    print!("| ns for a pair of 64 bytes |");
    builds.iter().for_each(|(name, _)| print!(" {name} |"));
    println!("\n|---|{}", "--:|".repeat(builds.len()));
    for (contestant, figures) in CONTESTANTS.iter().zip(figures) {
        let (name, _) = contestant.expect("the executable has all of them");
        print!("| {name} |");
        for median in figures.into_iter().map(median) {
            if median.is_nan() { print!(" |") } else { print!(" {median:.2} |") }
        }
        println!();
    }
}
