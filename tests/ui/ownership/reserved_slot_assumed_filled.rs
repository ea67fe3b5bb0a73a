//! A reserved slot that is said to be filled, outside of `unsafe`
//!
//! Fix: `slot.write(value)`; `assume_init` is for what was written by the slot's address.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let slot = PoolBox::<Bullet>::new_uninit();
    let _bullet = slot.assume_init();
}
