//! As `element_borrows_longer_than_free_list_box`: an element that borrows from something dropped before a box that keeps its pool
//! alive.

use std::rc::Rc;

use typed_pool::{FreeList, PoolBox};

fn main() {
    let pool = Rc::new(FreeList::new());
    let kept = {
        let name = String::from("Grendel");
        PoolBox::new_in(name.as_str(), pool.clone())
    };
    println!("{kept}");
}
