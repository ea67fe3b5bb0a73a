//! `pad` where nothing needs padding
//!
//! Fix: remove `pad`; the slots of a pointer stack are as small as their elements.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = pointer_stack, pad)]
struct Spark(u8);

fn main() {}
