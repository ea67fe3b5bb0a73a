//! `arc` for `rc`
//!
//! Fix: write `rc`, and `static` for a `PoolArc`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, arc)]
struct Squad(u64);

fn main() {}
