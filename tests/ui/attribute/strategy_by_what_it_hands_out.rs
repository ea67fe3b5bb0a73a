//! As `strategy_unknown`: by what it hands out.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = handles)]
struct Bullet([f32; 4]);

fn main() {}
