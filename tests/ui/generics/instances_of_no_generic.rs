//! Instances of a type without parameters
//!
//! Fix: remove `instances`: the type has one pool.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Bullet))]
struct Bullet([f32; 4]);

fn main() {}
