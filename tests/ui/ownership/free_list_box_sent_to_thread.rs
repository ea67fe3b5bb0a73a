//! A box of an owned pool sent to another thread
//!
//! Fix: send the value, `PoolBox::into_inner(bullet)`, or move the pool to the thread and allocate
//! there.

use typed_pool::FreeList;

fn main() {
    let pool = FreeList::new();
    let bullet = pool.alloc([0.0_f32; 4]);
    std::thread::scope(|scope| {
        scope.spawn(move || drop(bullet));
    });
}
