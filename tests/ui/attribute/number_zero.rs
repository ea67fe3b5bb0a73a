use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 0)]
struct Bullet([f32; 4]);

fn main() {}
