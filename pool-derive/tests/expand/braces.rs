#[derive(Pooled)]
#[pool(chunk = { 64 }, max = 1024)]
struct Bullet([f32; 4]);
