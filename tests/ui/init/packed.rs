//! A packed struct in place

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
