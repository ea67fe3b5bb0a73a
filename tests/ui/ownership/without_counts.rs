//! Shared elements of types whose slots have no room for such counts

use typed_pool::{PoolArc, PoolRc, Pooled};

#[derive(Pooled)]
struct Squad {
    alive: u64,
}

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

fn main() {
    let _squad = PoolRc::new(Squad { alive: 3 });
    // Its pool is thread-local.
    let _grass = PoolArc::new(Texture([7; 16]));
}
