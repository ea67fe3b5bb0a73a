#[derive(Pooled)]
#[pool(chunk = { 64 }, max = limits::BULLETS, name = "bullets")]
struct Bullet([f32; 4]);
