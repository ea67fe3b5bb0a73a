//! A type smaller than a pointer
//!
//! Fix: pool the struct that it is a part of, or write `#[pool(pad)]`; if there are millions, `#[pool(strategy = pointer_stack)]`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Spark(u32);

fn main() {}
