//! A value after `<-`
//!
//! Fix: write `cells: [0; 4096]` to move a value; `cells <- init::zeroed()` builds it in place.

use typed_pool::init;

struct Big {
    id: u32,
    cells: [u8; 4096],
}

fn main() {
    let _ = init!(Big { id: 7, cells <- [0; 4096] });
}
