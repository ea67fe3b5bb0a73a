//! A `PoolArc` of a type whose pool is thread-local

use typed_pool::{PoolArc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

fn main() {
    let _grass = PoolArc::new(Texture([7; 16]));
}
