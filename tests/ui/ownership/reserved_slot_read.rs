//! A reserved slot that is read before there is an element
//!
//! Fix: `slot.write(value)`, which makes a box of it.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let slot = PoolBox::<Bullet>::new_uninit();
    println!("{}", slot.0[0]);
}
