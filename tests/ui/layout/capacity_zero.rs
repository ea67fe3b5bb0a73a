use typed_pool::Pooled;

const LIMIT: usize = 0;

#[derive(Pooled)]
#[pool(capacity = LIMIT)]
struct Bullet([f32; 4]);

fn main() {}
