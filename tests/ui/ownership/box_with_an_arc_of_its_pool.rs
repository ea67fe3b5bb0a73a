//! A box that keeps its pool alive by an `Arc`
//!
//! Fix: `Rc`, since a pool that is a value belongs to one thread; or derive `Pooled` on the type, with `#[pool(static)]`.

use std::sync::Arc;

use typed_pool::{FreeList, PoolBoxIn};

fn main() {
    let pool = Arc::new(FreeList::new());
    let _bullet = PoolBoxIn::new_in([0.0_f32; 4], pool);
}
