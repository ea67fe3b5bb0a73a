//! As `handles_of_a_free_list`: to iterate over the elements.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Monster {
    health: i64,
}

fn main() {
    Monster::pool_with(|monsters| monsters.len());
}
