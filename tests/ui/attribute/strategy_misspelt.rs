//! As `strategy_unknown`: `pointer_stack`, misspelt.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = pointerstack)]
struct Bullet([f32; 4]);

fn main() {}
