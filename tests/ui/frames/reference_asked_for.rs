//! A `FrameBox` where a `&` or `&mut` is asked for
//!
//! Fix: write `FrameBox::leak(frame.alloc(..))` for a reference that is valid until the reset; it runs no destructor. To keep the
//! box, write `&mut node`, which is valid as long as the box.

use typed_pool::LocalFrameStack;

struct Node<'a> {
    value: u32,
    next: Option<&'a Node<'a>>,
}

fn main() {
    let frame = LocalFrameStack::new();
    let last: &Node = frame.alloc(Node { value: 2, next: None });
    let first: &Node = frame.alloc(Node { value: 1, next: Some(last) });
}
