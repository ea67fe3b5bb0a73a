//! Another object in the place of the element

use std::marker::PhantomData;

use typed_pool::__private::coerced;
use typed_pool::{PoolBox, PoolObject, Pooled};

#[derive(Pooled)]
struct Orc(u64);

#[derive(Pooled)]
struct Elf(u64);

trait Enemy: PoolObject {}

impl Enemy for Elf {}

fn main() {
    let orc = PoolBox::new(Orc(7));
    let (orc, elf, unsize) = coerced(PhantomData::<dyn Enemy>, orc, |orc| -> *mut dyn Enemy { orc.cast::<Elf>() });
    let _: PoolBox<dyn Enemy> = unsize(orc, elf);
}
