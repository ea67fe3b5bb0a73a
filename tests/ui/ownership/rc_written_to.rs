//! A shared element written to
//!
//! Fix: use `PoolRc::get_mut` or `PoolRc::make_mut`, or put the field in a `Cell`.

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

fn main() {
    let grass = PoolRc::new(Texture([7; 16]));
    grass.0[0] = 8;
}
