//! A command sent to another thread
//!
//! Fix: std's `Box<dyn FnOnce(&mut World) + Send>`: a slot of a thread's own pools stays there.

use typed_pool::any::BoxFnOnce;

fn main() {
    let command = BoxFnOnce::<u32>::new(|score| *score += 1);
    std::thread::spawn(move || command.call(&mut 0));
}
