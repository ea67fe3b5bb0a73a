//! A box in a `static`
//!
//! Fix: keep it in a `thread_local!`, or keep the value or a `Box` in the `static`.

use std::sync::Mutex;

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

static BULLETS: Mutex<Vec<PoolBox<Bullet>>> = Mutex::new(Vec::new());

fn main() {}
