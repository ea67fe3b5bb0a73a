//! What a refusal of a static pool costs at its `max`, by how many other threads have used the pool and rest.
//!
//! `cargo run --profile measured --manifest-path benches/Cargo.toml --bin refusals`: nanoseconds, the best of many rounds.

use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use typed_pool::{PoolBox, Pooled};

const MOST: usize = 1000;
const ROUNDS: usize = 50;
/// Refusals in a round.
const COUNT: u32 = 20;

#[derive(Pooled)]
#[pool(static, max = MOST)]
struct Limited(#[allow(dead_code, reason = "written, and no more")] [u64; 4]);

fn main() {
    for threads in [0, 10, 100, 500] {
        let barrier = Barrier::new(threads + 1);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    drop(PoolBox::new(Limited([0; 4])));
                    barrier.wait();
                    barrier.wait();
                });
            }
            barrier.wait();
            let kept: Vec<_> = (0..MOST).map(|_| PoolBox::new(Limited([0; 4]))).collect();
            let round = |_| {
                let begun = Instant::now();
                (0..COUNT).for_each(|_| assert!(PoolBox::try_new(Limited([0; 4])).is_err()));
                begun.elapsed() / COUNT
            };
            let best = (0..ROUNDS).map(round).min();
            println!("{threads} threads rest: {best:?} a refusal");
            drop(kept);
            barrier.wait();
        });
    }
}
