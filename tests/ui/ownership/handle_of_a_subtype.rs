//! As `handle_of_another_element`: where one type is a subtype of the other.

#![allow(coherence_leak_check)]

use typed_pool::Handle;

fn coerced(of_any: Handle<for<'a> fn(&'a u8)>) -> Handle<fn(&'static u8)> {
    of_any
}

fn main() {}
