//! `unsize!` of a reference to a box

use typed_pool::{PoolBox, PoolObject, Pooled, unsize};

trait Enemy: PoolObject {}

#[derive(Pooled)]
struct Orc(u64);

impl Enemy for Orc {}

fn main() {
    let orc = PoolBox::new(Orc(7));
    let enemy = unsize!(&orc => dyn Enemy);
    drop(enemy);
}
