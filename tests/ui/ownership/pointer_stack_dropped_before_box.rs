//! As `free_list_dropped_before_box`: with a pointer stack.

use typed_pool::PointerStack;

fn main() {
    let pool = PointerStack::new();
    let bullet = pool.alloc([0_u8; 3]);
    drop(pool);
    assert_eq!(bullet[0], 0);
}
