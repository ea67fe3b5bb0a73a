//! `rc` a second time
//!
//! Fix: remove one.

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(rc, rc)]
struct Squad(u64);

fn main() {
    drop(PoolRc::new(Squad(1)));
}
