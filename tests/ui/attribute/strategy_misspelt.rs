//! As `strategy_unknown`: the other one.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = pointerstack)]
struct Bullet([f32; 4]);

fn main() {}
