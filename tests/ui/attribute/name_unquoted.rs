use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(name = bullets)]
struct Bullet([f32; 4]);

fn main() {}
