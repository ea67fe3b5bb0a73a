use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = freelist)]
struct Bullet([f32; 4]);

fn main() {}
