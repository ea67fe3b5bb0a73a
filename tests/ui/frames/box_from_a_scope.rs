//! As `reset_while_borrowed`: returned from a `scope`, or from `frame::scratch`, which take back their memory at their end
//! (return a value instead).

use typed_pool::LocalFrameStack;

fn main() {
    let mut frame = LocalFrameStack::new();
    let numbers = frame.scope(|frame| frame.alloc_slice(&[3, 1, 2]));
    numbers.sort();
}
