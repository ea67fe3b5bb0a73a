//! `Pooled` implemented by hand
//!
//! Fix: write `#[derive(Pooled)]`: there is no other way.

use typed_pool::Pooled;

struct Bullet([f32; 4]);

impl Pooled for Bullet {}

fn main() {}
