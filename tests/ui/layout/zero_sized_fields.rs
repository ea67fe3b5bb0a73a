//! As `zero_sized`: with fields without size.

use std::marker::PhantomData;

use typed_pool::Pooled;

#[derive(Pooled)]
struct Marker {
    unit: (),
    phantom: PhantomData<String>,
}

fn main() {}
