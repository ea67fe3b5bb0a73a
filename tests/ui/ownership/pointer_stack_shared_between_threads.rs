//! As `free_list_shared_between_threads`: with a pointer stack.

use typed_pool::PointerStack;

fn main() {
    let pool = PointerStack::new();
    std::thread::scope(|scope| {
        scope.spawn(|| drop(pool.alloc([0.0_f32; 4])));
        scope.spawn(|| drop(pool.alloc([0.0_f32; 4])));
    });
}
