//! A shared pointer by layout that leaves its thread
//!
//! Fix: use `any::Arc`, whose counts are atomic and whose slots all threads share.

use typed_pool::any;

fn main() {
    let shared = any::Rc::new(7);
    std::thread::spawn(move || println!("{shared}"));
}
