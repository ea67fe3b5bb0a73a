use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(crate = engine::pools)]
struct Bullet([f32; 4]);

fn main() {}
