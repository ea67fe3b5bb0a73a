//! As `strategy_quoted`: the other one.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = "pointer_stack")]
struct Bullet([f32; 4]);

fn main() {}
