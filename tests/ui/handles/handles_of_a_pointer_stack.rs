//! As `handles_of_a_free_list`: with a pointer stack.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = pointer_stack)]
struct Monster {
    health: i64,
}

fn main() {
    Monster::pool_with(|monsters| monsters.clear());
}
