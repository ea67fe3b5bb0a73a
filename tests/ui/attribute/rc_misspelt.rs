//! `arc` for `rc`
//!
//! Fix: write `rc`; for a `PoolArc`, write `static, rc`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, arc)]
struct Squad(u64);

fn main() {}
