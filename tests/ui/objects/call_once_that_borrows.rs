//! A closure to be called once that outlives what it borrows
//!
//! Fix: name the lifetime, `BoxFnOnce<'a, ()>`, or give the closure what it needs by value.

use typed_pool::any::BoxFnOnce;

fn greet(name: &str) -> BoxFnOnce<'static, ()> {
    BoxFnOnce::new(move || println!("{name}"))
}

fn main() {
    greet("Grendel").call(());
}
