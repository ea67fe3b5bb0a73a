//! A field of type `PoolArc` for a type whose pool is thread-local
//!
//! Fix: `#[pool(static)]` on the type, or a `PoolRc`.

use typed_pool::{PoolArc, Pooled};

#[derive(Pooled)]
struct Texture([u32; 16]);

struct Material {
    texture: Option<PoolArc<Texture>>,
}

fn main() {
    drop(Material { texture: None });
}
