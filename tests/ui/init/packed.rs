//! A packed struct in place
//!
//! Fix: build it as a value, `init::value(Header { .. })`: its fields cannot be borrowed.

use typed_pool::init;

#[repr(packed)]
struct Header {
    kind: u8,
    length: u32,
}

fn main() {
    let _ = init!(Header { kind: 1, length: 8 });
    let _ = init!(Header { kind: 1, length <- init::zeroed() });
}
