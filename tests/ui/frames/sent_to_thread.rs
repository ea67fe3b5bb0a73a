//! A `LocalFrameStack` used by two threads
//!
//! Fix: take a `FrameStack`, which threads share, or in each thread its own stack, `frame::scratch(|frame| ..)`. (`Frames<Local>`
//! and `Frames<Shared>` in the message are these two.)

use std::thread;

use typed_pool::LocalFrameStack;

fn main() {
    let frame = LocalFrameStack::new();
    thread::scope(|threads| {
        threads.spawn(|| *frame.alloc(1));
        threads.spawn(|| *frame.alloc(2));
    });
}
