//! `static` and `thread_local`
//!
//! Fix: write `static` for one pool that all threads share, `thread_local` (or nothing) for one in each thread.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, thread_local, capacity = 64)]
struct Bullet([f32; 4]);

fn main() {}
