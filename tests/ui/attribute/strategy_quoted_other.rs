//! As `strategy_quoted`: `pointer_stack`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = "pointer_stack")]
struct Bullet([f32; 4]);

fn main() {}
