use typed_pool::{FreeList, PoolBox, Pooled};

#[derive(Pooled)]
struct Bullet([f32; 4]);

// In a future, an instance whose name has no lifetime.
#[derive(Pooled)]
#[pool(static, instances(Named<Key>))]
struct Named<K>(K, u64);

struct Key(&'static str);

async fn nothing() {}

fn send<T: Send>(value: T) -> T {
    value
}

fn send_pooled<T: Pooled>(element: PoolBox<T>)
where
    PoolBox<T>: Send,
{
    std::thread::scope(|scope| scope.spawn(move || drop(element)).join()).unwrap();
}

fn main() {
    let bullet = Bullet::pool_alloc_with(|| Bullet([1.0; 4]));
    let value = PoolBox::into_inner(bullet);
    let pool = FreeList::new();
    drop(pool.alloc(value));
    std::thread::spawn(move || drop(pool.alloc(Bullet([0.0; 4])))).join().unwrap();

    drop(send(async {
        let named = PoolBox::new(Named(Key("one"), 1));
        nothing().await;
        drop(named);
    }));
    send_pooled(PoolBox::new(Named(Key("two"), 2)));
}
