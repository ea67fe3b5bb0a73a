use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let _ = Bullet::pool_init(Bullet([0.0; 4]));
}
