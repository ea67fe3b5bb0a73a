//! `Pooled` implemented by hand

use typed_pool::Pooled;

struct Bullet([f32; 4]);

impl Pooled for Bullet {}

fn main() {}
