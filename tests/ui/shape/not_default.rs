//! `pool_alloc` of a type without `Default`

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
}
