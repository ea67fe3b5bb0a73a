//! A shared element written to

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

fn main() {
    let grass = PoolRc::new(Texture([7; 16]));
    grass.0[0] = 8;
}
