//! The address used as if the struct were there
//!
//! Fix: `this` is a `NonNull` to memory in which not all fields are built: store it, and use it once the value is pinned.

use std::ptr::NonNull;

use typed_pool::init;

struct Link {
    value: u32,
    next: NonNull<Link>,
}

fn main() {
    let _ = init!(&this in Link { value: 1, next: this.next });
    let _ = init!(&this in Link { value: 1, next: &*this });
}
