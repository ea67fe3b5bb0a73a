//! Types without size

use typed_pool::Pooled;

// A type without size.
#[derive(Pooled)]
struct ZeroSized;

// In a pointer stack, where `pad` would not help.
#[derive(Pooled)]
#[pool(strategy = pointer_stack)]
struct ZeroSizedInPointerStack;

// A shared element without a size.
#[derive(Pooled)]
#[pool(rc)]
struct ZeroSizedRc;

// In a static pool.
#[derive(Pooled)]
#[pool(static, strategy = free_list, capacity = 64)]
struct ZeroSizedStatic;

fn main() {}
