//! A `PoolArc` of an element that is not `Sync`, sent to another thread
//!
//! Fix: use an atomic or a lock in place of the cell.

use std::cell::Cell;

use typed_pool::{PoolArc, Pooled};

#[derive(Pooled)]
#[pool(static, rc)]
struct Counter(Cell<u64>);

fn main() {
    let counter = PoolArc::new(Counter(Cell::new(0)));
    std::thread::spawn(move || counter.0.set(1));
}
