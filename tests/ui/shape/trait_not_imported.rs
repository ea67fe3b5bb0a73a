//! The trait not imported
//!
//! Fix: write `use typed_pool::Pooled;` where its functions are called.

mod weapons {
    use typed_pool::Pooled;

    #[derive(Pooled, Default)]
    pub struct Bullet([f32; 4]);
}

fn main() {
    drop(weapons::Bullet::pool_alloc());
}
