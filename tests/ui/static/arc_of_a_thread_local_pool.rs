//! A `PoolArc` of a type whose pool is thread-local
//!
//! Fix: write `#[pool(static, rc)]` on the type, or use a `PoolRc`.

use typed_pool::{PoolArc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

fn main() {
    let _grass = PoolArc::new(Texture([7; 16]));
}
