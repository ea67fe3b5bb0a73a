//! A `PoolArc` of a type whose pool is thread-local
//!
//! Fix: `#[pool(static)]` on the type, or a `PoolRc`.

use typed_pool::{PoolArc, Pooled};

#[derive(Pooled)]
struct Texture([u32; 16]);

fn main() {
    let _grass = PoolArc::new(Texture([7; 16]));
}
