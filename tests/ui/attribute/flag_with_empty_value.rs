use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(pad =)]
struct Bullet([f32; 4]);

fn main() {}
