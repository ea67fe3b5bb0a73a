//! `static` and `thread_local`
//!
//! Fix: `static` for one pool that all threads share, `thread_local` (or nothing) for one in each.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, thread_local, capacity = 64)]
struct Bullet([f32; 4]);

fn main() {}
