use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static)]
struct Bullet([f32; 4]);

fn main() {}
