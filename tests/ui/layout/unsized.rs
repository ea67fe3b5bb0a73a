//! A type without a fixed size
//!
//! Fix: hold the part without a size in a box: `text: Box<str>`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Message {
    id: u64,
    text: str,
}

fn main() {}
