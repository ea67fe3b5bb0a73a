//! As `unsized`: a trait object.

use typed_pool::Pooled;

trait Shape {}

#[derive(Pooled)]
struct Entity {
    id: u64,
    shape: dyn Shape,
}

fn main() {}
