//! As `without_unsize`: of a closure: write `unsize!(any::Box::new(|x| x + 1) => dyn Fn(u32) -> u32)`.

use typed_pool::any;

fn main() {
    let next: any::Box<dyn Fn(u32) -> u32> = any::Box::new(|x| x + 1);
}
