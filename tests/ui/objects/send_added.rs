//! `Send` added to an object that may not have it

use typed_pool::{PoolBox, Pooled, StaticPoolObject, unsize};

trait Enemy: StaticPoolObject {}

#[derive(Pooled)]
#[pool(static)]
struct Orc(u64);

impl Enemy for Orc {}

fn main() {
    let enemy: PoolBox<dyn Enemy> = unsize!(PoolBox::new(Orc(7)) => dyn Enemy);
    let enemy = unsize!(enemy => dyn Enemy + Send);
    drop(enemy);
}
