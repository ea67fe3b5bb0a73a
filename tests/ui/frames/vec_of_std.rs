//! std's `Vec` in a frame stack
//!
//! Fix: take `typed_pool::frame::Vec`, with the feature `allocator-api2-02`: std's `Vec` has allocators on nightly compilers
//! only. For a slice there is `frame.alloc_iter(..)`, without a feature.

use typed_pool::LocalFrameStack;

fn main() {
    let frame = LocalFrameStack::new();
    let mut hits = Vec::new_in(&frame);
    hits.push(1_u32);
}
