use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = true)]
struct Bullet([f32; 4]);

fn main() {}
