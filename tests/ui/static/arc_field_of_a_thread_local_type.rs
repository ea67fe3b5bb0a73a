//! A field of type `PoolArc` for a type whose pool is thread-local
//!
//! Fix: `static` beside `rc`, or a `PoolRc`.

use typed_pool::{PoolArc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

struct Material {
    texture: Option<PoolArc<Texture>>,
}

fn main() {
    drop(Material { texture: None });
}
