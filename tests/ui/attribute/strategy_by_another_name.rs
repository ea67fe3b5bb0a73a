//! As `strategy_unknown`: by a word of others for it.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = stack)]
struct Bullet([f32; 4]);

fn main() {}
