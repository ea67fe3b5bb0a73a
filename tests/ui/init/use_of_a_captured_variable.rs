//! A variable used in a field, and again afterwards
//!
//! Fix: the fields are built later, by a closure that takes what it uses. Clone it first: `let text =
//! name.clone();`.

use typed_pool::{FreeList, init};

struct Name(String);

fn main() {
    let pool = FreeList::new();
    let name = String::from("Grendel");
    let _ = pool.init(init!(Name { 0: name.clone() }));
    println!("{name}");
}
