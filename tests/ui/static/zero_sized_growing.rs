//! As `zero_sized`: in a static pool that grows.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static)]
struct Marker;

fn main() {}
