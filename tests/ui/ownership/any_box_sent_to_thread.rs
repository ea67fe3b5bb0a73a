//! A box by layout that leaves its thread
//!
//! Fix: use `any::SendBox`, whose slots all threads share, or send the value, `any::Box::into_inner(job)`.

use typed_pool::any;

fn main() {
    let job = any::Box::new([1, 2, 3]);
    std::thread::spawn(move || drop(job));
}
