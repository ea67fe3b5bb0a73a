//! std's `Vec` in a frame stack

use typed_pool::LocalFrameStack;

fn main() {
    let frame = LocalFrameStack::new();
    let mut hits = Vec::new_in(&frame);
    hits.push(1_u32);
}
