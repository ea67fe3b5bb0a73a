use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(crate = 64)]
struct Bullet([f32; 4]);

fn main() {}
