//! A box shared between threads, of an element that is not `Sync`
//!
//! Fix: send the box, or make the element `Sync`: an `AtomicU32` in place of the `Cell`.

use std::cell::Cell;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, capacity = 64)]
struct Counter(Cell<u32>);

fn main() {
    let counter = Counter::pool_alloc_with(|| Counter(Cell::new(0)));
    std::thread::scope(|scope| {
        scope.spawn(|| counter.0.set(1));
    });
}
