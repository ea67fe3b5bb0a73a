#[derive(Pooled)]
#[pool(crate = engine::pools)]
struct Bullet([f32; 4]);
