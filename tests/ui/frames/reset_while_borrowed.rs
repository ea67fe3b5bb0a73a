//! A frame that is reset while something in it is still used
//!
//! Fix: end all borrows of the frame before `reset`: drop each `FrameBox`, and use no `&mut` after it. A value that lives longer is
//! a plain value, a `PoolBox` or a handle. For a part of a frame: `frame.scope(|frame| ..)`.

use typed_pool::LocalFrameStack;

fn main() {
    let mut frame = LocalFrameStack::new();
    let numbers = frame.alloc_slice(&[3, 1, 2]);
    frame.reset();
    numbers.sort();
}
