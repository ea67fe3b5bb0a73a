use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet {
    #[pool(pad)]
    position: [f32; 4],
}

fn main() {}
