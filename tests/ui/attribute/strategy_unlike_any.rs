//! As `strategy_unknown`: like no other.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = bitmap)]
struct Bullet([f32; 4]);

fn main() {}
