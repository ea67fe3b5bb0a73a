use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = LIMIT)]
struct Bullet([f32; 4]);

fn main() {}
