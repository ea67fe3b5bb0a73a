//! As `unsafe_in_the_type`: in the expression.

use typed_pool::{PoolBox, PoolObject, Pooled, unsize};

trait Enemy: PoolObject {}

#[derive(Pooled)]
struct Orc(u64);

impl Enemy for Orc {}

fn main() {
    let raw = PoolBox::into_raw(PoolBox::new(Orc(7)));
    drop(unsize!(PoolBox::from_raw(raw) => dyn Enemy));
}
