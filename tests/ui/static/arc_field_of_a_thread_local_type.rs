//! A field of type `PoolArc` for a type whose pool is thread-local
//!
//! Fix: write `#[pool(static, rc)]` on the type, or use a `PoolRc`.

use typed_pool::{PoolArc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

struct Material {
    texture: Option<PoolArc<Texture>>,
}

fn main() {
    drop(Material { texture: Some(Texture([0; 16]).into()) });
}
