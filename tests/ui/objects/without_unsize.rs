//! A box of a closure, or of a value, where one of an object is asked for
//!
//! Fix: write `unsize!(any::Box::new(|x| x + 1) => dyn Fn(u32) -> u32)`: only std's pointers become objects by themselves.

use typed_pool::any;

fn main() {
    let next: any::Box<dyn Fn(u32) -> u32> = any::Box::new(|x| x + 1);
}
