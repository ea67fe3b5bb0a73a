//! A `PoolRc` used by two threads
//!
//! Fix: give each thread a `PoolArc`. (`static` alone does not help here: the pool is shared, the counts are not.)

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(static, rc)]
struct Texture([u32; 16]);

fn main() {
    let grass = PoolRc::new(Texture([7; 16]));
    std::thread::scope(|scope| {
        scope.spawn(|| PoolRc::clone(&grass).0[0]);
    });
}
