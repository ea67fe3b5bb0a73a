//! A number that is computed at run time
//!
//! Fix: make the function a `const fn`, or write a constant.

use typed_pool::Pooled;

fn limit() -> usize {
    64
}

#[derive(Pooled)]
#[pool(capacity = limit())]
struct Bullet([f32; 4]);

fn main() {}
