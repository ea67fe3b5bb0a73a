use typed_pool::Pooled;

const LIMIT: usize = 64;

#[derive(Pooled)]
#[pool(chunk = 2 * LIMIT, max = LIMIT)]
struct Bullet([f32; 4]);

fn main() {}
