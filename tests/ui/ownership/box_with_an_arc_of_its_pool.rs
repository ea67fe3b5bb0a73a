//! A box that keeps its pool alive by an `Arc`

use std::sync::Arc;

use typed_pool::{FreeList, PoolBoxIn};

fn main() {
    let pool = Arc::new(FreeList::new());
    let _bullet = PoolBoxIn::new_in([0.0_f32; 4], pool);
}
