//! A shared element without a size
//!
//! Fix: use an `Rc` or an `Arc`, or give the type a field.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(rc)]
struct Marker;

fn main() {}
