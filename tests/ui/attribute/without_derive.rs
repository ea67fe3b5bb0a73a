//! The attribute without the derive
//!
//! Fix: write `#[derive(Pooled)]` above it, and `use typed_pool::Pooled;`.

#[pool(capacity = 64)]
struct Bullet([f32; 4]);

fn main() {}
