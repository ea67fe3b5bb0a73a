//! An owned pool moved while boxes borrow it
//!
//! Fix: move it before the first allocation, or after the last box.

use typed_pool::FreeList;

fn main() {
    let pool = FreeList::new();
    let bullet = pool.alloc([0.0_f32; 4]);
    std::thread::spawn(move || drop(pool));
    drop(bullet);
}
