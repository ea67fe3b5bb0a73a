#[derive(Pooled)]
struct Bullet {
    position: [f32; 2],
    velocity: [f32; 2],
}
