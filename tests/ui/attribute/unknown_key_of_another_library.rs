//! As `unknown_key`: by the word that others have for it.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(thread_safe, limit = 64)]
struct Bullet([f32; 4]);

fn main() {}
