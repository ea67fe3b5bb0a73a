use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet {
    position: Coordinates,
}

fn main() {}
