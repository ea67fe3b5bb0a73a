//! `rc` on a roster
//!
//! Fix: remove `rc`, or choose a strategy that has boxes.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster, rc)]
struct Monster(u64);

fn main() {
    drop(Monster::pool_insert(Monster(40)));
}
