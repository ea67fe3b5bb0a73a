//! As `strategy_unknown`: a word like none of them.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = bitmap)]
struct Bullet([f32; 4]);

fn main() {}
