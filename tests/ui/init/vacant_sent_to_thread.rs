use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let slot = Bullet::pool_vacant();
    std::thread::spawn(move || drop(slot));
}
