use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    Bullet::pool_free(Box::new(Bullet::default()));
}
