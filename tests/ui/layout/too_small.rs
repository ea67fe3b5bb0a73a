//! A type smaller than a pointer
//!
//! Fix: pool the struct that it is a part of, or write `#[pool(pad)]`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Spark(u32);

fn main() {}
