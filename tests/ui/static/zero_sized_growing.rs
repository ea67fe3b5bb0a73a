//! As `zero_sized`: where the pool grows.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static)]
struct Marker;

fn main() {}
