//! Shared elements in slots without room for counts

#![forbid(unsafe_code)]

use typed_pool::rc::{Plain, RefCountedBy};
use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
struct Bullet([f32; 4]);

impl RefCountedBy<Plain> for Bullet {}

fn main() {
    drop(PoolRc::new(Bullet([0.0; 4])));
}
