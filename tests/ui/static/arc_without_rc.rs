//! A `PoolArc` of a type whose slots have no room for counts

use typed_pool::{PoolArc, Pooled};

#[derive(Pooled)]
#[pool(static)]
struct Texture([u32; 16]);

fn main() {
    let _grass = PoolArc::new(Texture([7; 16]));
}
