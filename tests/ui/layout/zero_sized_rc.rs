//! Shared elements without a size
//!
//! Fix: an `Rc`, or a field.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(rc)]
struct Marker;

fn main() {}
