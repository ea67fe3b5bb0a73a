//! As `free_list_box_sent_to_thread`: a box that keeps its pool alive.

use std::rc::Rc;
use std::thread;

use typed_pool::{FreeList, PoolBox};

fn main() {
    let pool = Rc::new(FreeList::new());
    let bullet = PoolBox::new_in([0.0_f32; 4], pool);
    thread::spawn(move || drop(bullet));
}
