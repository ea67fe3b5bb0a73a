//! A pool whose element is another type's slot

#![forbid(unsafe_code)]

use typed_pool::Pooled;
use typed_pool::__private::WithCounts;

#[derive(Pooled)]
#[pool(rc)]
struct Bullet([f32; 4]);

impl Pooled for WithCounts<Bullet> {
    type __Storage = <Bullet as Pooled>::__Storage;
    const __POOL: Self::__Storage = Bullet::__POOL;
}

fn main() {}
