//! A closure to be called once that outlives what it borrows

use typed_pool::any::BoxFnOnce;

fn greet(name: &str) -> BoxFnOnce<u32> {
    BoxFnOnce::new(move |score| println!("{name}: {score}"))
}

fn main() {
    greet("Grendel").call(&mut 7);
}
