//! The key of another type's pool

#![forbid(unsafe_code)]

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet([f32; 4]);

struct Rocket([f32; 4]);

impl Pooled for Rocket {
    type __Storage = <Bullet as Pooled>::__Storage;
    const __POOL: Self::__Storage = Bullet::__POOL;
}

fn main() {}
