//! Times a pool whose thread has ended: a thread-local that was used before the pool is destroyed after the pool was closed,
//! and frees its boxes then.
//!
//! ```sh
//! cargo run --profile measured --manifest-path benches/Cargo.toml --bin closed
//! cargo run --manifest-path benches/Cargo.toml --bin closed
//! ```
//!
//! Nanoseconds an object of 64 bytes, medians: freed before the end; freed after it, and made and freed after it, with as many
//! others alive.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use typed_pool::{PoolBox, Pooled};

const ROUNDS: usize = 15;

/// Work for the end of the thread.
struct AtEnd(Option<Box<dyn FnOnce()>>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        if let Some(work) = self.0.take() {
            work();
        }
    }
}

thread_local!(static AT_END: RefCell<AtEnd> = const { RefCell::new(AtEnd(None)) });

fn timed(count: usize, work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64() * 1e9 / count as f64
}

fn free<O>(objects: Vec<O>) -> f64 {
    timed(objects.len(), || drop(black_box(objects)))
}

/// Frees before the end; frees and pairs after it.
fn measure<O: 'static>(make: fn() -> O, count: usize) -> [f64; 3] {
    let (send, receive) = channel();
    let made = move || (0..count).map(|_| make()).collect::<Vec<_>>();
    let thread = thread::spawn(move || {
        // Before the pool, so it is destroyed after the pool was closed.
        AT_END.with(|_| ());
        let before = free(made());
        let objects = made();
        let work = move || {
            let pairs = timed(count, || (0..count).for_each(|_| drop(black_box(make()))));
            send.send([free(objects), pairs]).expect("the main thread waits");
        };
        AT_END.with(|end| end.borrow_mut().0 = Some(Box::new(work)));
        before
    });
    let before = thread.join().expect("no panic");
    let [frees, pairs] = receive.recv().expect("the work was done");
    [before, frees, pairs]
}

fn row<O: 'static>(name: &str, count: usize, make: fn() -> O) {
    let rounds: Vec<_> = (0..ROUNDS).map(|_| measure(make, count)).collect();
    let [before, frees, pairs] = [0, 1, 2].map(|at| {
        let mut times: Vec<_> = rounds.iter().map(|round| round[at]).collect();
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    println!("| {name} | {count} | {before:.1} | {frees:.1} | {pairs:.1} |");
}

type Words = [u64; 8];

macro_rules! pooled {
    ($($Object:ident $pool:tt)*) => {$(
        #[derive(Pooled)]
        #[pool $pool]
        struct $Object(#[allow(dead_code)] Words);
    )*};
}

pooled! { Listed(strategy = free_list) Stacked(strategy = pointer_stack) Shared(static) }

fn main() {
    println!(
        "| pool | objects | free, open | free, closed | pair, closed |\n|---|--:|--:|--:|--:|"
    );
    for count in [1000, 100_000] {
        row("free_list", count, || PoolBox::new(Listed([1; 8])));
        row("pointer_stack", count, || PoolBox::new(Stacked([1; 8])));
        row("static", count, || PoolBox::new(Shared([1; 8])));
        row("Box (system)", count, || Box::new(black_box([1_u64; 8])));
    }
}
