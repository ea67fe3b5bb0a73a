//! A closure of other arguments than the tuple has
//!
//! Fix: one type in the tuple for each argument of the closure.

use typed_pool::any::BoxFnOnce;

fn main() {
    let job: BoxFnOnce<(u32,), String> = BoxFnOnce::new(|a: u32, b: u32| format!("{a} {b}"));
    job.call((7,));
}
