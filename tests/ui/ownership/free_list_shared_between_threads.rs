//! An owned pool shared between threads
//!
//! Fix: give every thread a pool of its own, or put one in a `Mutex`.

use typed_pool::FreeList;

fn main() {
    let pool = FreeList::new();
    std::thread::scope(|scope| {
        scope.spawn(|| drop(pool.alloc([0.0_f32; 4])));
        scope.spawn(|| drop(pool.alloc([0.0_f32; 4])));
    });
}
