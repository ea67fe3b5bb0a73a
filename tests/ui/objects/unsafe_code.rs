//! Unsafe code in the type and in the expression that `unsize!` is given

use typed_pool::{PoolBox, PoolObject, Pooled, unsize};

trait Of<const N: usize>: PoolObject {}

#[derive(Pooled)]
struct Orc(u64);

impl Of<1> for Orc {}

const unsafe fn one() -> usize {
    1
}

fn main() {
    drop(unsize!(PoolBox::new(Orc(7)) => dyn Of<{ one() }>));
    let raw = PoolBox::into_raw(PoolBox::new(Orc(7)));
    drop(unsize!(PoolBox::from_raw(raw) => dyn Of<1>));
}
