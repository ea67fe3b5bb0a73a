//! A command sent to another thread

use typed_pool::any::BoxFnOnce;

fn main() {
    let command = BoxFnOnce::<u32>::new(|score| *score += 1);
    std::thread::spawn(move || command.call(&mut 0));
}
