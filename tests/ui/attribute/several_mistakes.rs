//! Several mistakes at once

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capcity = 64 pad = 1, chunk = "16", max)]
#[pool(pad, strategy = roster)]
struct Bullet([f32; 4]);

fn main() {}
