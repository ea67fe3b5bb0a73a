//! A path to the library that is relative to another module
//!
//! Fix: a path is looked up where the type stands: write `crate = super::engine::pools`, or begin
//! at the root with `crate::`.

mod engine {
    pub use typed_pool as pools;
}

mod weapons {
    use super::engine::pools::Pooled;

    #[derive(Pooled, Default)]
    #[pool(crate = engine::pools)]
    pub struct Bullet([f32; 4]);
}

fn main() {
    use engine::pools::Pooled;

    drop(weapons::Bullet::pool_alloc());
}
