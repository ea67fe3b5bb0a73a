//! As `not_derived`: in a field.

use typed_pool::PoolBox;

struct Bullet([f32; 4]);

struct Gun {
    loaded: PoolBox<Bullet>,
}

fn main() {}
