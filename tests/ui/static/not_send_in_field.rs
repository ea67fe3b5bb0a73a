//! As `not_send`: in a field of a field.

use typed_pool::Pooled;

struct Sprite {
    pixels: *mut u8,
}

#[derive(Pooled)]
#[pool(static, strategy = free_list, capacity = 64)]
struct Monster {
    sprite: Option<Sprite>,
}

fn main() {}
