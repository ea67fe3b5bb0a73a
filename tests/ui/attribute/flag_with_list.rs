//! As `flag_with_value`: with parentheses.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(thread_local(64))]
struct Bullet([f32; 4]);

fn main() {}
