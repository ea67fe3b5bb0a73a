use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capcity = 64)]
struct Bullet([f32; 4]);

fn main() {}
