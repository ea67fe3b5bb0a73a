use typed_pool::Pooled;

#[derive(Pooled)]
#[pool]
struct Bullet([f32; 4]);

fn main() {}
