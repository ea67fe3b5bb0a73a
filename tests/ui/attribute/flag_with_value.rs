use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(pad = true)]
struct Bullet([f32; 4]);

fn main() {}
