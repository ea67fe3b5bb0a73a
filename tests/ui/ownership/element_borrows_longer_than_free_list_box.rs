//! An element that borrows what has been dropped
//!
//! Fix: let what is borrowed live as long as the box.

use typed_pool::FreeList;

fn main() {
    let pool = FreeList::new();
    let name = String::from("bullet");
    let element = pool.alloc(&name);
    drop(name);
    println!("{}", *element);
}
