//! Types without a fixed size

use typed_pool::Pooled;

// A type without a fixed size.
#[derive(Pooled)]
struct Message {
    id: u64,
    text: str,
}

// A trait object.
trait Shape {}

#[derive(Pooled)]
struct Entity {
    id: u64,
    shape: dyn Shape,
}

fn main() {}
