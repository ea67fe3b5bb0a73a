//! The attribute on a field
//!
//! Fix: the pool belongs to the type: write `#[pool(..)]` below `#[derive(Pooled)]`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet {
    #[pool(pad)]
    position: [f32; 4],
}

fn main() {}
