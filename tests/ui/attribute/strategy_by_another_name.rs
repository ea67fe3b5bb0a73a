//! As `strategy_unknown`: by another library's word for it.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = stack)]
struct Bullet([f32; 4]);

fn main() {}
