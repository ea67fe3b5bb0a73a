//! As `number_bool`: a character.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 'A')]
struct Bullet([f32; 4]);

fn main() {}
