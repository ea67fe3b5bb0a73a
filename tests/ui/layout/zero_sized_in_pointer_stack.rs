//! As `zero_sized`: in a pointer stack, where `pad` would not help.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = pointer_stack)]
struct Marker;

fn main() {}
