//! An initialiser of another type
//!
//! Fix: use one that builds the field's type.

use typed_pool::init;

struct Big {
    id: u32,
    cells: [u8; 4096],
}

fn main() {
    let _ = init!(Big { id <- init::value("seven"), cells <- init::zeroed() });
}
