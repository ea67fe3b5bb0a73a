use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 64u8)]
struct Bullet([f32; 4]);

fn main() {}
