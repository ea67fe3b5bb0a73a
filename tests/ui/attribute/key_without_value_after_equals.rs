use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = , pad)]
struct Bullet([f32; 4]);

fn main() {}
