//! A type without size
//!
//! Fix: use the value itself; or, if each needs an address of its own, write `#[pool(pad)]`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Marker;

fn main() {}
