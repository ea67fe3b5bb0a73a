use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 0x1_0000_0000_0000_0000)]
struct Bullet([f32; 4]);

fn main() {}
