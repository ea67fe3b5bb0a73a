//! A `PoolRc` sent to another thread
//!
//! Fix: use a `PoolArc`, with `#[pool(static, rc)]` on the type.

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

fn main() {
    let grass = PoolRc::new(Texture([7; 16]));
    std::thread::spawn(move || grass.0[0]);
}
