#[derive(Pooled)]
#[pool(capacity = 64)]
struct Bullet([f32; 4]);
