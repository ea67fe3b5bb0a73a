//! A frame that is reset while something in it is still used
//!
//! Fix: let go of what lies in the frame before `reset`: a `&mut` by its last use, a `FrameBox` by `drop`, as it runs a destructor.
//! What is to live longer is a value, a `PoolBox`, or a handle. For a part of a frame: `frame.scope(|frame| ..)`.

use typed_pool::LocalFrameStack;

fn main() {
    let mut frame = LocalFrameStack::new();
    let numbers = frame.alloc_slice(&[3, 1, 2]);
    frame.reset();
    numbers.sort();
}
