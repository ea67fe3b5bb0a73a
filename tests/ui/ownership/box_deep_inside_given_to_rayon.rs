//! A structure with a box in it, handed to rayon
//!
//! Fix: write `#[pool(static)]` on `Bullet`, or hand rayon what the boxes hold.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Bullet([f32; 4]);

struct Gun {
    loaded: Option<PoolBox<Bullet>>,
}

struct World {
    guns: Vec<Gun>,
}

fn main() {
    let world = World { guns: Vec::new() };
    rayon::join(|| world.guns.len(), || world.guns.capacity());
}
