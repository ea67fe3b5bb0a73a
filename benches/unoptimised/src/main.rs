//! Times of operations in a build without optimisation, relative to `Box` and `Vec`: each is measured in turns, and the
//! least of 1,001 short rounds counts.
//!
//! ```console
//! cargo run --manifest-path benches/unoptimised/Cargo.toml
//! cargo run --manifest-path benches/unoptimised/Cargo.toml --config 'profile.dev.package."*".opt-level=3'
//! cargo run --manifest-path benches/unoptimised/Cargo.toml --config profile.dev.opt-level=1
//! ```

use std::hint::black_box;
use std::time::Instant;
use typed_pool::{PoolBox, Pooled, Roster, any};

/// An element of 64 bytes.
#[derive(Pooled)]
struct Element(#[expect(dead_code, reason = "it is there to be written")] [u64; 8]);

const ROUNDS: usize = 1001;
const OPERATIONS: u64 = 2000;
const SLOTS: u64 = 1000;

/// A name, and what runs [`OPERATIONS`] of it.
type Operation<'a> = (&'a str, Box<dyn FnMut() + 'a>);

fn main() {
    let vec: Vec<Option<[u64; 4]>> = (0..SLOTS).map(|n| Some([n; 4])).collect();
    let indices: Vec<usize> = (0..vec.len()).collect();
    let mut roster = Roster::new();
    let handles: Vec<_> = (0..SLOTS).map(|n| roster.insert([n; 4])).collect();

    // Macros, since a call would count.
    macro_rules! pairs {
        ($n:ident, $make:expr) => {
            Box::new(|| {
                for $n in 0..OPERATIONS {
                    drop(black_box($make));
                }
            })
        };
    }
    macro_rules! look_ups {
        ($key:ident of $keys:ident, $get:expr) => {
            Box::new(|| {
                for _ in 0..OPERATIONS / SLOTS {
                    for $key in &$keys {
                        black_box($get);
                    }
                }
            })
        };
    }
    let mut operations: [Operation; 5] = [
        ("Box", pairs!(n, Box::new(Element([n; 8])))),
        ("PoolBox", pairs!(n, PoolBox::new(Element([n; 8])))),
        ("any::Box", pairs!(n, any::Box::new([n; 8]))),
        ("Vec::get", look_ups!(index of indices, vec.get(*index).and_then(Option::as_ref))),
        ("Roster::get", look_ups!(handle of handles, roster.get(*handle))),
    ];
    let mut least = [f64::MAX; 5];
    for _ in 0..ROUNDS {
        for ((_, operation), least) in operations.iter_mut().zip(&mut least) {
            *least = least.min(time(operation));
        }
    }
    println!("| operation | ns | times std's |\n|---|--:|--:|");
    for (number, ((name, _), seconds)) in operations.iter().zip(least).enumerate() {
        let std = least[if number < 3 { 0 } else { 3 }];
        let (ns, times) = (seconds * 1e9 / OPERATIONS as f64, seconds / std);
        println!("| {name} | {ns:.1} | {times:.2} |");
    }
}

/// In seconds.
fn time(operation: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    operation();
    start.elapsed().as_secs_f64()
}
