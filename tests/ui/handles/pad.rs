//! `pad` with a strategy that does not need it
//!
//! Fix: remove it.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster, pad)]
struct Spark(u8);

fn main() {}
