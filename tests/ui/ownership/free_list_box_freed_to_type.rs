//! A box of an owned pool freed to the type's own pool
//!
//! Fix: let it drop: it knows its pool.

use typed_pool::{FreeList, Pooled};

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    let pool = FreeList::new();
    Bullet::pool_free(pool.alloc(Bullet::default()));
}
