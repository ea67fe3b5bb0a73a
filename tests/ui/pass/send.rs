use typed_pool::{FreeList, Pooled};

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc_with(|| Bullet([1.0; 4]));
    let value = typed_pool::PoolBox::into_inner(bullet);
    let pool = FreeList::new();
    drop(pool.alloc(value));
    std::thread::spawn(move || drop(pool.alloc(Bullet([0.0; 4])))).join().unwrap();
}
