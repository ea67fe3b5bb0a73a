//! A field that does not exist
//!
//! Fix: remove it, or correct its name.

use typed_pool::init;

struct Big {
    id: u32,
}

fn main() {
    let _ = init!(Big { id: 7, cells <- init::zeroed() });
}
