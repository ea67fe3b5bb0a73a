//! A path to the library in quotes
//!
//! Fix: write it as a path: `crate = engine::pools`.

use typed_pool::Pooled;

mod engine {
    pub use typed_pool as pools;
}

#[derive(Pooled)]
#[pool(crate = "engine::pools")]
struct Bullet([f32; 4]);

fn main() {}
