//! A reference to a shared element kept longer than its owner
//!
//! Fix: keep a clone of the `PoolRc` for as long as the reference.

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

fn main() {
    let grass = PoolRc::new(Texture([7; 16]));
    let texels = &grass.0;
    drop(grass);
    assert_eq!(texels[0], 7);
}
