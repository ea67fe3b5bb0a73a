//! A `LocalFrameStack` used by two threads
//!
//! Fix: take a `FrameStack`, which threads share, or in each thread its own stack, `frame::scratch(|frame| ..)`. (In the message,
//! `Frames<Local>` is a `LocalFrameStack`, and `Frames<Shared>` a `FrameStack`.)

use std::thread;

use typed_pool::LocalFrameStack;

fn main() {
    let frame = LocalFrameStack::new();
    thread::scope(|threads| {
        threads.spawn(|| *frame.alloc(1));
        threads.spawn(|| *frame.alloc(2));
    });
}
