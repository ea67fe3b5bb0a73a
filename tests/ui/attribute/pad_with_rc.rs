//! `pad` where slots have room for a link already
//!
//! Fix: remove it.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(pad, rc)]
struct Spark(u8);

fn main() {}
