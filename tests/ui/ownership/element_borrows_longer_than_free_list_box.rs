//! An element that borrows from something dropped before its box
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
