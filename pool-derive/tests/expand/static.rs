#[derive(Pooled)]
#[pool(static, capacity = limits::BULLETS, name = "bullets")]
struct Bullet([f32; 4]);
