use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Bullet([f32; 4]);

fn main() {}
